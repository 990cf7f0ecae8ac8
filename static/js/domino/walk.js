/**
 * One arm of the chain walked across the field, tile by tile: straight on while it can, round a
 * corner before it would leave the field or come too near to another tile. Pure.
 *
 * Lengths are in tile widths: a tile is 2 long and 1 wide, a double lies crosswise.
 *
 * @typedef {{x: number, y: number}} Point
 * @typedef {{left: number, top: number, right: number, bottom: number}} Rect
 * @typedef {0 | 1 | 2 | 3} Direction  right, down, left, up
 *
 * @typedef {object} Stone
 * @property {Rect} rect
 * @property {Direction} direction  the way the arm goes through it
 * @property {boolean} corner
 *
 * @typedef {object} Walk
 * @property {boolean[]} doubles   for each tile of the arm: does it lie crosswise
 * @property {boolean} drop        is a place for one more tile wanted at its end
 * @property {Point} head          the middle of the root's side where it starts
 * @property {Direction} direction
 * @property {1 | 3} turn          quarter turns of its first choice of corner
 * @property {boolean} snake       turn back at once after a corner, else follow the edge
 */

/** How far tiles that are no neighbours stay apart. */
export const GAP = 0.3;
const BUDGET = 160;
const STEP = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
];

/**
 * @param {Walk} arm
 * @param {Rect} field
 * @param {Rect[]} taken  everything that lies already, the root first
 * @returns {Stone[] | null} one stone a tile and one for the drop; null: no way found
 */
export function walk(arm, field, taken) {
  const total = arm.doubles.length + (arm.drop ? 1 : 0);
  /** @type {Stone[]} */
  const stones = [];
  let budget = BUDGET;

  /**
   * @param {Point} head
   * @param {Direction} direction
   * @returns {boolean}
   */
  const step = (head, direction) => {
    const at = stones.length;
    if (at === total) return true;
    if ((budget -= 1) < 0) return false;
    for (const next of choices(arm, stones, direction)) {
      const stone = lie(head, direction, next, arm.doubles[at] ?? false);
      if (!inside(stone.rect, field) || !free(stone.rect, stones, taken)) continue;
      stones.push(stone);
      if (step(leaves(stone), next)) return true;
      stones.pop();
    }
    return false;
  };
  return step(arm.head, arm.direction) ? stones : null;
}

/**
 * The directions to try for the next stone, best first. No corner at the root, none at a double.
 *
 * @param {Walk} arm
 * @param {Stone[]} stones
 * @param {Direction} direction
 * @returns {Direction[]}
 */
function choices(arm, stones, direction) {
  const at = stones.length;
  if (at === 0 || arm.doubles[at] || arm.doubles[at - 1]) return [direction];
  const first = turnBy(direction, arm.turn);
  const second = turnBy(direction, arm.turn === 1 ? 3 : 1);
  if ((direction - arm.direction) % 2 === 0) return [direction, first, second];
  // Across: the way back is the turn that ends opposite to where the last run went.
  const run = lastRun(stones, direction) ?? arm.direction;
  const back = turnBy(run, 2);
  return arm.snake ? [back, direction, run] : [direction, back, run];
}

/**
 * The direction in which the arm went before it turned into `direction`.
 *
 * @param {Stone[]} stones
 * @param {Direction} direction
 */
function lastRun(stones, direction) {
  for (let n = stones.length - 1; n >= 0; n -= 1) {
    const went = /** @type {Stone} */ (stones[n]).direction;
    if ((went - direction) % 2 !== 0) return went;
  }
  return null;
}

/**
 * Where a stone comes to lie that leaves a head in direction `next`.
 *
 * @param {Point} head
 * @param {Direction} direction
 * @param {Direction} next
 * @param {boolean} double
 * @returns {Stone}
 */
function lie(head, direction, next, double) {
  const onward = STEP[next];
  if (next === direction) {
    const length = double ? 1 : 2;
    const end = { x: head.x + onward.x * length, y: head.y + onward.y * length };
    return { rect: band(head, end, double ? 1 : 0.5), direction: next, corner: false };
  }
  // Round a corner: its near half lies beyond the head, face to face with the last half.
  const before = STEP[direction];
  const near = { x: head.x + before.x / 2, y: head.y + before.y / 2 };
  const start = { x: near.x - onward.x / 2, y: near.y - onward.y / 2 };
  const end = { x: start.x + onward.x * 2, y: start.y + onward.y * 2 };
  return { rect: band(start, end, 0.5), direction: next, corner: true };
}

/**
 * Where the next stone starts.
 *
 * @param {Stone} stone
 * @returns {Point}
 */
function leaves({ rect, direction }) {
  const onward = STEP[direction];
  return {
    x: (rect.left + rect.right) / 2 + (onward.x * (rect.right - rect.left)) / 2,
    y: (rect.top + rect.bottom) / 2 + (onward.y * (rect.bottom - rect.top)) / 2,
  };
}

/**
 * The rectangle around a piece of an axis, `half` to both sides of it.
 *
 * @param {Point} start
 * @param {Point} end
 * @param {number} half
 * @returns {Rect}
 */
function band(start, end, half) {
  const level = start.y === end.y;
  return {
    left: Math.min(start.x, end.x) - (level ? 0 : half),
    right: Math.max(start.x, end.x) + (level ? 0 : half),
    top: Math.min(start.y, end.y) - (level ? half : 0),
    bottom: Math.max(start.y, end.y) + (level ? half : 0),
  };
}

/**
 * @param {Rect} rect
 * @param {Stone[]} stones  of the same arm; the last one is its neighbour
 * @param {Rect[]} taken    the root first, which is the neighbour of an arm's first stone
 */
function free(rect, stones, taken) {
  for (let n = stones.length > 0 ? 0 : 1; n < taken.length; n += 1) {
    if (near(rect, /** @type {Rect} */ (taken[n]))) return false;
  }
  for (let n = 0; n < stones.length - 1; n += 1) {
    if (near(rect, /** @type {Stone} */ (stones[n]).rect)) return false;
  }
  return true;
}

/**
 * @param {Rect} a
 * @param {Rect} b
 */
function near(a, b) {
  return (
    a.left < b.right + GAP &&
    b.left < a.right + GAP &&
    a.top < b.bottom + GAP &&
    b.top < a.bottom + GAP
  );
}

/**
 * @param {Rect} rect
 * @param {Rect} field
 */
function inside(rect, field) {
  const slack = 1e-6;
  return (
    rect.left >= field.left - slack &&
    rect.right <= field.right + slack &&
    rect.top >= field.top - slack &&
    rect.bottom <= field.bottom + slack
  );
}

/**
 * @param {Direction} direction
 * @param {number} quarters
 */
export function turnBy(direction, quarters) {
  return /** @type {Direction} */ ((direction + quarters) % 4);
}
