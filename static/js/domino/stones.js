/**
 * How stones lie one after the other along an arm. Pure.
 *
 * Lengths are in halves of a tile's width, so that everything stands on whole numbers: a tile is
 * 4 by 2, a double lies crosswise. An arm goes on from the middle cell of 2 by 2 at a stone's
 * far side, its end.
 *
 * @typedef {0 | 1 | 2 | 3} Direction  right, down, left, up
 *
 * @typedef {0 | 1 | 2 | 3 | 4} Step  straight on; round a corner whose cell is the stone's own
 *   near half, clockwise or not; round a corner whose cell is the far half of the stone before
 *
 * @typedef {object} Stone
 * @property {number} x
 * @property {number} y
 * @property {number} w
 * @property {number} h
 * @property {number} ex  where the arm goes on
 * @property {number} ey
 * @property {Direction} d  the way the arm goes through it
 * @property {Step} step
 * @property {number} turns  corners of the arm so far
 */

const DX = [1, 0, -1, 0];
const DY = [0, 1, 0, -1];
const QUARTERS = [0, 1, 3, 1, 3];

/** @returns {Stone} */
export function stone() {
  return { x: 0, y: 0, w: 0, h: 0, ex: 0, ey: 0, d: 0, step: 0, turns: 0 };
}

/**
 * Lays a stone after another.
 *
 * @param {Stone} made
 * @param {Stone} before
 * @param {Step} step
 * @param {boolean} double
 */
export function lie(made, before, step, double) {
  const d = /** @type {Direction} */ ((before.d + QUARTERS[step]) & 3);
  const way = step < 3 ? before.d : d;
  const x = before.ex + 2 * DX[way];
  const y = before.ey + 2 * DY[way];
  const upright = (d & 1) === 1;
  made.d = d;
  made.step = step;
  made.turns = before.turns + (step ? 1 : 0);
  made.ex = double ? x : x + 2 * DX[d];
  made.ey = double ? y : y + 2 * DY[d];
  made.x = double ? x - (upright ? 1 : 0) : Math.min(x, made.ex);
  made.y = double ? y - (upright ? 0 : 1) : Math.min(y, made.ey);
  made.w = upright === double ? 4 : 2;
  made.h = upright === double ? 2 : 4;
}

/**
 * The root at 0, 0.
 *
 * @param {Stone} made
 * @param {Direction} facing  where arm R goes
 * @param {boolean} double
 */
export function lieRoot(made, facing, double) {
  const upright = (facing & 1) === 1;
  made.x = 0;
  made.y = 0;
  made.w = upright === double ? 4 : 2;
  made.h = upright === double ? 2 : 4;
  made.d = facing;
}

/**
 * What an arm's first stone lies after: the root, seen along that arm.
 *
 * @param {Stone} made
 * @param {Stone} root
 * @param {number} arm  L, R, U, D
 * @param {boolean} double
 */
export function liePort(made, root, arm, double) {
  const d = /** @type {Direction} */ ((root.d + [2, 0, 3, 1][arm]) & 3);
  const off = double && arm < 2 ? 0 : 1;
  made.d = d;
  made.ex = (root.w - 2) / 2 + off * DX[d];
  made.ey = (root.h - 2) / 2 + off * DY[d];
  made.turns = 0;
  return made;
}

/**
 * Where a stone starts: one with two halves.
 *
 * @param {{ex: number, ey: number, d: Direction}} of
 */
export function nearCell({ ex, ey, d }) {
  return { x: ex - 2 * DX[d], y: ey - 2 * DY[d] };
}
