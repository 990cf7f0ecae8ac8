/**
 * Where points, bar, trays and checkers stand on a board of a given size. Pure.
 *
 * Points are numbered as the viewer's own: 1 to 6 is the own home, always the lower right quarter
 * (N2). A wide field gets the board as it lies on a table. An upright one gets it turned, so that
 * its twelve rows use a phone's height: own points up the right side, the others down the left.
 *
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {"top" | "bottom" | "left" | "right"} Edge  where a stack starts
 * @typedef {{box: Box, edge: Edge}} Place
 * @typedef {{x: number, y: number}} Spot
 *
 * @typedef {object} Geometry
 * @property {"wide" | "upright"} form
 * @property {Box} board
 * @property {number} size       a checker's diameter
 * @property {Place[]} points    index n: the viewer's point n; index 0 is not used
 * @property {{own: Place, rival: Place}} bar
 * @property {{own: Place, rival: Place}} off  the trays
 */

/** So many checkers lie side by side before they overlap. */
export const PILE = 5;
const WIDEST = 64;

/**
 * @param {number} width   of the field
 * @param {number} height
 * @returns {Geometry}
 */
export function geometry(width, height) {
  return height > width ? upright(width, height) : wide(width, height);
}

/**
 * Twelve columns with the bar between them, the trays at the right edge.
 *
 * @param {number} width
 * @param {number} height
 * @returns {Geometry}
 */
function wide(width, height) {
  const column = Math.min(width / 14.2, WIDEST, height / 10.8);
  const board = centred(width, height, column * 14.2, Math.min(height, column * 12.5));
  const deep = board.height * 0.44;
  const size = Math.min(column * 0.94, deep / PILE);
  /** @param {number} at  column @param {boolean} low @param {number} [span] @returns {Place} */
  const place = (at, low, span = 1) => ({
    box: {
      x: board.x + at * column,
      y: low ? board.y + board.height - deep : board.y,
      width: span * column,
      height: deep,
    },
    edge: low ? "bottom" : "top",
  });
  const points = [place(0, true)];
  for (let n = 1; n <= 24; n += 1) {
    const low = n <= 12;
    const fromRight = low ? n - 1 : 24 - n;
    points[n] = place(fromRight < 6 ? 12 - fromRight : 11 - fromRight, low);
  }
  return {
    form: "wide",
    board,
    size,
    points,
    bar: { own: place(6, true), rival: place(6, false) },
    off: { own: place(13.1, true, 1.1), rival: place(13.1, false, 1.1) },
  };
}

/**
 * Twelve rows with the bar between them, the trays at the lower edge.
 *
 * @param {number} width
 * @param {number} height
 * @returns {Geometry}
 */
function upright(width, height) {
  const row = Math.min(height / 14.2, WIDEST, width / 8.2);
  const board = centred(width, height, Math.min(width, row * 12.5), row * 14.2);
  const deep = board.width * 0.465;
  const size = Math.min(row * 0.94, deep / PILE);
  /** @param {number} at  row @param {boolean} right @param {number} [span] @returns {Place} */
  const place = (at, right, span = 1) => ({
    box: {
      x: right ? board.x + board.width - deep : board.x,
      y: board.y + at * row,
      width: deep,
      height: span * row,
    },
    edge: right ? "right" : "left",
  });
  const points = [place(0, true)];
  for (let n = 1; n <= 24; n += 1) {
    const right = n <= 12;
    const fromBottom = right ? n - 1 : 24 - n;
    points[n] = place(fromBottom < 6 ? 12 - fromBottom : 11 - fromBottom, right);
  }
  return {
    form: "upright",
    board,
    size,
    points,
    bar: { own: place(6, true), rival: place(6, false) },
    off: { own: place(13.1, true, 1.1), rival: place(13.1, false, 1.1) },
  };
}

/**
 * The middle of the n-th checker of a pile, counted from its edge.
 *
 * @param {Place} place
 * @param {number} n      from 0
 * @param {number} count  checkers in the pile
 * @param {number} size
 * @returns {Spot}
 */
export function spot({ box, edge }, n, count, size) {
  const step = count > PILE ? (size * (PILE - 1)) / (count - 1) : size;
  const far = size / 2 + n * step;
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  if (edge === "top") return { x: middle.x, y: box.y + far };
  if (edge === "bottom") return { x: middle.x, y: box.y + box.height - far };
  if (edge === "left") return { x: box.x + far, y: middle.y };
  return { x: box.x + box.width - far, y: middle.y };
}

/**
 * A point's triangle.
 *
 * @param {Place} place
 * @returns {Spot[]}
 */
export function triangle({ box, edge }) {
  const { x, y, width, height } = box;
  const right = x + width;
  const bottom = y + height;
  if (edge === "top") return [{ x, y }, { x: right, y }, { x: x + width / 2, y: bottom }];
  if (edge === "bottom")
    return [{ x, y: bottom }, { x: right, y: bottom }, { x: x + width / 2, y }];
  if (edge === "left") return [{ x, y }, { x, y: bottom }, { x: right, y: y + height / 2 }];
  return [{ x: right, y }, { x: right, y: bottom }, { x, y: y + height / 2 }];
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} inner
 * @param {number} tall
 * @returns {Box}
 */
function centred(width, height, inner, tall) {
  return { x: (width - inner) / 2, y: (height - tall) / 2, width: inner, height: tall };
}
