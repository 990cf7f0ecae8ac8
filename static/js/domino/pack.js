/**
 * One attempt at a time to lay the whole chain in a field: every arm straight on while it can,
 * round a corner where it must or likes to, back a little where it went wrong. Pure.
 *
 * @typedef {import("./search.js").Problem} Problem
 * @typedef {import("./stones.js").Direction} Direction
 * @typedef {import("./stones.js").Step} Step
 * @typedef {import("./stones.js").Stone} Stone
 *
 * @typedef {object} Habit  how an arm goes in an attempt
 * @property {number} keep  so many stones lie as they did
 * @property {0 | 1} side   which way it turns first
 * @property {boolean} snake  back and forth, else always the same way round
 * @property {number} eager  how likely it turns where it need not
 * @property {0 | 1} beside  which kind of corner it tries first
 */

import { lie, liePort, lieRoot, stone } from "./stones.js";

/** Stones laid in one attempt, those taken back included. */
const BUDGET = 100;

/** Orders in which steps are tried: eager or not, the side, the kind of corner. */
const ORDERS = /** @type {Step[][]} */ (
  [false, true].flatMap((eager) =>
    [
      [1, 2, 3, 4],
      [3, 4, 1, 2],
      [2, 1, 4, 3],
      [4, 3, 2, 1],
    ].map(([a, b, c, d]) => (eager ? [a, c, 0, b, d] : [0, a, c, b, d])),
  )
);
const STEPS = /** @type {Step[]} */ ([0, 1, 2, 3, 4]);
const ONLY = STEPS.map((step) => [step]);
const FIRST = STEPS.map((step) => [step, ...STEPS.filter((other) => other !== step)]);

/**
 * @param {Problem} problem
 * @param {() => number} random
 */
export function packer({ arms, double, width, height }, random) {
  const root = stone();
  const ports = arms.map(() => stone());
  const stones = arms.map((arm) => Array.from({ length: arm.size }, () => stone()));
  /** @type {Habit[]} */
  const habits = arms.map(() => ({ keep: 0, side: 0, snake: false, eager: 0, beside: 0 }));
  /** @type {Stone[]} */
  const taken = [];
  let budget = 0;
  // The field, seen from the root.
  let left = 0;
  let top = 0;
  let right = 0;
  let bottom = 0;

  /**
   * @param {Stone} made
   * @param {Stone} before  its neighbour, which it touches; others must leave half a tile's width
   */
  const fits = (made, before) => {
    const { x, y } = made;
    const farX = x + made.w;
    const farY = y + made.h;
    if (x < left || y < top || farX > right || farY > bottom) return false;
    for (let n = 0; n < taken.length; n += 1) {
      const one = taken[n];
      if (x > one.x + one.w || one.x > farX || y > one.y + one.h || one.y > farY) continue;
      if (one !== before) return false;
    }
    return true;
  };

  /**
   * The steps to try, best first: no corner at the root, none at a double.
   *
   * @param {number} a  an arm
   * @param {number} k  its stone
   * @param {Stone} before
   */
  const order = (a, k, before) => {
    const { doubles, kept, next } = arms[a];
    const { keep, side, snake, eager, beside } = habits[a];
    if (k < keep) return ONLY[kept[k]];
    if (k === 0 || doubles[k] || doubles[k - 1]) return ONLY[0];
    if (k === keep && k === kept.length && next !== null && random() < 0.8) return FIRST[next];
    const { turns } = before;
    const turn = snake && turns & 2 ? 1 - side : side;
    const soon = (snake && turns & 1) || (eager > 0 && random() < eager);
    return ORDERS[(soon ? 4 : 0) + turn * 2 + beside];
  };

  /**
   * @param {number} a
   * @param {number} k
   * @param {Stone} before
   * @returns {boolean}
   */
  const grow = (a, k, before) => {
    const arm = arms[a];
    if (k === arm.size) return true;
    if ((budget -= 1) < 0) return false;
    const made = stones[a][k];
    const steps = order(a, k, before);
    for (let n = 0; n < steps.length; n += 1) {
      lie(made, before, steps[n], arm.doubles[k]);
      if (!fits(made, before)) continue;
      taken.push(made);
      if (grow(a, k + 1, made)) return true;
      taken.pop();
    }
    return false;
  };

  /**
   * Lays the root, what is kept and every arm's first stone, and says how far they and straight
   * arms reach.
   *
   * @param {Direction} facing
   */
  const begin = (facing) => {
    lieRoot(root, facing, double);
    const box = { x: 0, y: 0, farX: root.w, farY: root.h };
    const reach = [root.w, root.h, 0, 0];
    arms.forEach(({ size, kept, doubles }, a) => {
      let before = ports[a];
      liePort(before, root, a, double);
      reach[before.d] += doubles.reduce((sum, crosswise) => sum + (crosswise ? 2 : 4), 0);
      const first = Math.min(size, Math.max(1, habits[a].keep));
      for (let k = 0; k < first; k += 1) {
        const made = stones[a][k];
        lie(made, before, k < habits[a].keep ? kept[k] : 0, doubles[k]);
        box.x = Math.min(box.x, made.x);
        box.y = Math.min(box.y, made.y);
        box.farX = Math.max(box.farX, made.x + made.w);
        box.farY = Math.max(box.farY, made.y + made.h);
        before = made;
      }
    });
    return { box, reach };
  };

  /**
   * Where the root lies on one axis: often where an arm fits unfolded.
   *
   * @param {number} least
   * @param {number} most
   * @param {number} before  where it must lie for the arms before it to be straight
   * @param {number} after
   */
  const rootAt = (least, most, before, after) => {
    const dice = random();
    let at = least + Math.floor(random() * (most - least + 1));
    if (dice < 0.3) at = (before + after) >> 1;
    else if (dice < 0.42) at = before;
    else if (dice < 0.54) at = after;
    return Math.max(least, Math.min(most, at));
  };

  return {
    root,
    stones,
    habits,

    /**
     * How wide tiles can be at most with all this kept.
     *
     * @param {Direction} facing
     */
    most(facing) {
      const { x, y, farX, farY } = begin(facing).box;
      return Math.min((2 * width) / (farX - x), (2 * height) / (farY - y));
    },

    /**
     * Lays all arms straight.
     *
     * @param {Direction} facing
     */
    straight(facing) {
      begin(facing);
      arms.forEach(({ size, doubles }, a) => {
        let before = ports[a];
        for (let k = 0; k < size; k += 1) {
          lie(stones[a][k], before, 0, doubles[k]);
          before = stones[a][k];
        }
      });
    },

    /**
     * Lays everything if it finds a way.
     *
     * @param {Direction} facing
     * @param {number} unit  a tile's width in pixels
     */
    attempt(facing, unit) {
      const columns = Math.floor((2 * width) / unit + 1e-6);
      const rows = Math.floor((2 * height) / unit + 1e-6);
      const { box, reach } = begin(facing);
      if (box.farX - box.x > columns || box.farY - box.y > rows) return false;
      left = -rootAt(-box.x, columns - box.farX, reach[2], columns - reach[0]);
      top = -rootAt(-box.y, rows - box.farY, reach[3], rows - reach[1]);
      right = left + columns;
      bottom = top + rows;
      budget = BUDGET;
      // What is kept, then the root, then all first stones, before any arm goes on.
      taken.length = 0;
      for (let a = 0; a < 4; a += 1) {
        for (let k = 1; k < habits[a].keep; k += 1) taken.push(stones[a][k]);
      }
      if (!fits(root, root)) return false;
      for (let a = 0; a < 4; a += 1) if (habits[a].keep > 0) taken.push(stones[a][0]);
      for (let a = 0; a < 4; a += 1) {
        if (arms[a].size === 0 || habits[a].keep > 0) continue;
        if (!fits(stones[a][0], root)) return false;
        taken.push(stones[a][0]);
      }
      taken.push(root);
      // The short arms first: a long one finds its way round them.
      const sign = random() < 0.2 ? -1 : 1;
      const sequence = [0, 1, 2, 3].sort((a, b) => sign * (arms[a].size - arms[b].size));
      return sequence.every((a) => {
        const first = Math.max(1, habits[a].keep);
        return arms[a].size === 0 || grow(a, first, stones[a][first - 1]);
      });
    },
  };
}
