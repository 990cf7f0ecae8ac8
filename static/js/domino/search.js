/**
 * The search for the best way to fold the arms: many quick attempts, each at tiles so wide that
 * it would beat the best one so far. Pure: its dice fall alike at every call.
 *
 * @typedef {import("./stones.js").Direction} Direction
 * @typedef {import("./stones.js").Step} Step
 *
 * @typedef {object} Arm
 * @property {number} tiles
 * @property {number} size  one more than tiles if a place at the end is wanted
 * @property {boolean[]} doubles  for each of them: does it lie crosswise
 * @property {Step[]} kept  how the tiles lay that were there before
 * @property {Step | null} next  where the place behind them was
 *
 * @typedef {object} Problem
 * @property {Arm[]} arms  L, R, U, D
 * @property {boolean} double  is the root crosswise
 * @property {Direction | null} facing  where arm R went before; null: there was nothing
 * @property {number} width  of the field, in pixels
 * @property {number} height
 * @property {number} widest  the widest tile wanted
 *
 * @typedef {object} Plan
 * @property {number} unit  a tile's width in pixels
 * @property {Direction} facing
 * @property {Step[][]} steps  of every arm
 * @property {number} score
 */

import { packer } from "./pack.js";
import { scorer } from "./score.js";

/** Attempts to leave everything where it is, and attempts at something better. */
const KEEPING = 24;
const TRIES = 120;
/** How much better: at first, after a failure, at least. */
const STRIDE = 0.17;
const LESS = 0.96;
const LEAST = 0.02;
const AXES = /** @type {Direction[]} */ ([0, 1]);

/**
 * @param {Problem} problem
 * @returns {Plan}
 */
export function search(problem) {
  const { arms, widest } = problem;
  const known = problem.facing;
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 4294967296;
  };
  const { root, stones, habits, most, straight, attempt } = packer(problem, random);
  const { judge, wanted } = scorer(problem);

  const plan = () => {
    const steps = stones.map((arm) => arm.map((one) => one.step));
    return { ...judge(root, stones), facing: root.d, steps };
  };

  // Unfolded it always fits at some size.
  const unfolded = [...(known === null ? [] : [known]), ...AXES].map((facing) => {
    straight(facing);
    return plan();
  });
  let best = unfolded.reduce((one, other) => (other.score > one.score ? other : one));
  if (best.unit >= widest && best.moved === 0) return best;

  const take = () => {
    const made = plan();
    if (made.score > best.score) best = made;
  };

  /**
   * New habits of all arms. Gives how many tiles they let go.
   *
   * @param {"all" | "most" | "none"} keep
   */
  const mood = (keep) => {
    const eager = Math.max(0, random() * 1.1 - 0.5);
    const loose = Math.floor(random() * 4);
    let free = 0;
    habits.forEach((habit, a) => {
      const { length } = arms[a].kept;
      habit.side = random() < 0.5 ? 0 : 1;
      habit.snake = random() < 0.5;
      habit.eager = eager;
      habit.beside = random() < 0.3 ? 1 : 0;
      habit.keep = keep === "none" ? 0 : length;
      if (keep === "most" && a === loose) habit.keep = Math.floor(random() * length);
      free += length - habit.keep;
    });
    return free;
  };

  if (known !== null) {
    mood("all");
    let unit = Math.min(widest, most(known));
    for (let n = 0; n < KEEPING; n += 1) {
      mood("all");
      if (attempt(known, unit)) {
        take();
        break;
      }
      if (n % 2) unit *= 0.94;
    }
  }
  let stride = STRIDE;
  for (let n = 0; n < TRIES; n += 1) {
    const keep = known === null || n % 4 > 1 ? "none" : n % 4 ? "most" : "all";
    const free = mood(keep);
    const facing = keep === "none" || known === null ? AXES[random() < 0.5 ? 0 : 1] : known;
    const unit = wanted(best.score + stride, free * 0.8);
    if (unit <= widest && attempt(facing, unit)) take();
    else stride = Math.max(LEAST, stride * LESS);
  }
  return best;
}
