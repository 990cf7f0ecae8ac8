/**
 * What of the last layout can stay: tiles are known again by where they lay. Pure.
 *
 * @typedef {import("../types.js").End} End
 * @typedef {import("./arms.js").Chain} Chain
 * @typedef {import("./arms.js").Link} Link
 * @typedef {import("./search.js").Plan} Plan
 * @typedef {import("./stones.js").Direction} Direction
 * @typedef {import("./stones.js").Step} Step
 * @typedef {import("./stones.js").Stone} Stone
 *
 * @typedef {{ex: number, ey: number, d: Direction, near: number}} Spot  near: its first half
 * @typedef {Record<string, Spot>} Spots  by tile, and for the places by end
 *
 * @typedef {object} Kept
 * @property {Direction} facing
 * @property {Step[][]} steps  of the arms L, R, U, D
 * @property {(Step | null)[]} next
 */

import { lie, liePort, lieRoot, nearCell, stone } from "./stones.js";

export const ENDS = /** @type {const} */ (["L", "R", "U", "D"]);

/**
 * @param {Chain} chain
 * @param {Spots} spots
 * @returns {Kept | null}
 */
export function keep(chain, spots) {
  const start = rootOf(chain, spots);
  if (!start) return null;
  const { double } = chain.root;
  const root = stone();
  lieRoot(root, start.facing, double);
  const dx = start.x - (root.w - 2) / 2;
  const dy = start.y - (root.h - 2) / 2;
  /** @type {Step[][]} */
  const steps = [];
  /** @type {(Step | null)[]} */
  const next = [];
  ENDS.forEach((end, arm) => {
    let before = liePort(stone(), root, arm, double);
    /** @type {Step[]} */
    const known = [];
    const links = chain.arms[end];
    /** @param {Spot | undefined} spot @param {boolean} crosswise */
    const stepTo = (spot, crosswise) => {
      const at = known.length;
      const bound = at === 0 || crosswise || (links[at - 1]?.double ?? false);
      const made = stone();
      for (const step of /** @type {Step[]} */ (bound ? [0] : [0, 1, 2, 3, 4])) {
        lie(made, before, step, crosswise);
        if (spot && made.ex + dx === spot.ex && made.ey + dy === spot.ey && made.d === spot.d) {
          return { step, made };
        }
      }
      return null;
    };
    for (const link of links) {
      const found = stepTo(seen(link, spots[link.tile]), link.double) ??
        (link.double ? stepTo(back(spots[link.tile]), true) : null);
      if (!found) break;
      known.push(found.step);
      before = found.made;
    }
    next.push(stepTo(spots[end], false)?.step ?? null);
    steps.push(known);
  });
  return { facing: start.facing, steps, next };
}

/**
 * A spot as the arm goes through it now.
 *
 * @param {Link} link
 * @param {Spot | undefined} spot
 */
function seen(link, spot) {
  if (!spot || link.double || spot.near === link.near) return spot;
  const { x, y } = nearCell(spot);
  return { ex: x, ey: y, d: opposite(spot.d), near: link.near };
}

/**
 * A tile's middle cell.
 *
 * @param {Spot} spot
 * @param {boolean} double
 */
export function middle(spot, double) {
  const { x, y } = double ? { x: spot.ex, y: spot.ey } : nearCell(spot);
  return { x: (x + spot.ex) / 2, y: (y + spot.ey) / 2 };
}

/** @param {Spot | undefined} spot */
function back(spot) {
  return spot && { ...spot, d: opposite(spot.d) };
}

/** @param {Direction} d */
function opposite(d) {
  return /** @type {Direction} */ ((d + 2) & 3);
}

/**
 * The middle cell of the root, and where arm R goes. A root that has just been laid stands where
 * its neighbour leads to.
 *
 * @param {Chain} chain
 * @param {Spots} spots
 * @returns {{x: number, y: number, facing: Direction} | null}
 */
function rootOf(chain, spots) {
  const { root, arms } = chain;
  const own = seen(root, spots[root.tile]);
  if (own) return { ...middle(own, root.double), facing: own.d };
  for (const end of /** @type {const} */ (["L", "R"])) {
    const link = arms[end][0];
    const spot = link && seen(link, spots[link.tile]);
    if (!spot) continue;
    const near = nearCell(spot);
    const { x, y } = nearCell({ ex: near.x, ey: near.y, d: spot.d });
    return { x, y, facing: end === "R" ? spot.d : opposite(spot.d) };
  }
  return null;
}

/**
 * Where everything of a plan lies.
 *
 * @param {Chain} chain
 * @param {Plan} plan
 * @returns {{root: Stone, stones: Stone[][], spots: Spots}}
 */
export function realize(chain, plan) {
  const root = stone();
  const { double } = chain.root;
  lieRoot(root, plan.facing, double);
  /** @type {Spots} */
  const spots = {};
  const stones = ENDS.map((end, arm) => {
    const links = chain.arms[end];
    let before = liePort(stone(), root, arm, double);
    return plan.steps[arm].map((step, n) => {
      const made = stone();
      const link = links[n];
      lie(made, before, step, link?.double ?? false);
      const { ex, ey, d } = made;
      spots[link?.tile ?? end] = { ex, ey, d, near: link?.near ?? 0 };
      before = made;
      return made;
    });
  });
  const { ex, ey, d } = liePort(stone(), root, 1, double);
  spots[chain.root.tile] = { ex, ey, d, near: chain.root.near };
  return { root, stones, spots };
}
