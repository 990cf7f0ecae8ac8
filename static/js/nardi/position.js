/**
 * Who has how many checkers where, in the viewer's numbering. Pure bookkeeping, no rules.
 *
 * @typedef {import("../types.js").Side} Side
 *
 * @typedef {{source: number, target: number, kill: boolean}} Step  in the mover's numbering
 *
 * @typedef {object} Position
 * @property {number[]} own    index n: own checkers on point n; 25 the bar, 0 off
 * @property {number[]} rival  the other player's, on the same points (25 their bar, 0 off)
 */

export const BAR = 25;
export const OFF = 0;

/**
 * @param {Side[]} sides
 * @param {number} seat  at the lower edge
 * @returns {Position}
 */
export function positionOf(sides, seat) {
  const [own, rival] = seat === 0 ? [sides[0], sides[1]] : [sides[1], sides[0]];
  return { own: row(own, false), rival: row(rival, true) };
}

/**
 * A point of a mover's own numbering as a point of the screen.
 *
 * @param {number} point  0 off to 25 bar
 * @param {boolean} own   is the mover at the lower edge
 */
export function onScreen(point, own) {
  return own || point === BAR || point === OFF ? point : 25 - point;
}

/**
 * A point as the view's keys name it.
 *
 * @param {number} point
 */
export function keyOf(point) {
  return point === BAR ? "bar" : String(point);
}

/**
 * @param {Position} position
 * @param {boolean} own
 */
export function rowOf(position, own) {
  return own ? position.own : position.rival;
}

/**
 * The position after one checker's step; a killed checker goes to its bar. -1 takes it back.
 *
 * @param {Position} position
 * @param {boolean} own
 * @param {number} source  in the mover's numbering
 * @param {number} target
 * @param {boolean} kill
 * @param {1 | -1} [n]
 * @returns {Position}
 */
export function stepped(position, own, source, target, kill, n = 1) {
  const mover = [...rowOf(position, own)];
  const other = [...rowOf(position, !own)];
  const from = onScreen(source, own);
  const to = onScreen(target, own);
  mover[from] = (mover[from] ?? 0) - n;
  mover[to] = (mover[to] ?? 0) + n;
  if (kill) {
    other[to] = (other[to] ?? 0) - n;
    other[BAR] = (other[BAR] ?? 0) + n;
  }
  return own ? { own: mover, rival: other } : { own: other, rival: mover };
}

/**
 * @param {Side | undefined} side
 * @param {boolean} turned
 */
function row(side, turned) {
  const counts = Array.from({ length: 26 }, () => 0);
  side?.points.forEach((count, index) => {
    counts[turned ? 24 - index : index + 1] = count;
  });
  counts[BAR] = side?.bar ?? 0;
  counts[OFF] = side?.off ?? 0;
  return counts;
}
