/**
 * A turn's moves: as acts to send, on their way, and as marks of what was played. Pure.
 *
 * @typedef {import("../types.js").Json} Json
 * @typedef {import("../types.js").NardiView} NardiView
 *
 * @typedef {object} Mark  what the last turn left behind
 * @property {number} point
 * @property {boolean} source  did a checker leave from here, or come here
 * @property {boolean} own
 */

import { BAR, OFF, onScreen } from "./position.js";

/**
 * One act a die, each from where the checker landed.
 *
 * @param {number} source
 * @param {number[]} dice
 * @returns {Json[]}
 */
export function actsOf(source, dice) {
  let at = source;
  return dice.map((die) => {
    const act = { action: "move", from: at === BAR ? "bar" : at, die };
    at -= die;
    return act;
  });
}

/**
 * Where the checker that is not saved yet comes from and goes to.
 *
 * @param {Json[]} pending
 * @returns {{source: number, target: number} | null}
 */
export function underway(pending) {
  const moves = /** @type {{from: number | "bar", die: number}[]} */ (
    pending.filter(({ action }) => action === "move")
  );
  const [first] = moves;
  if (!first) return null;
  const source = first.from === "bar" ? BAR : first.from;
  const target = moves.reduce((point, { die }) => Math.max(OFF, point - die), source);
  return { source, target };
}

/**
 * The steps of the turn under way, else the last turn. A point that a checker only passed is not
 * marked.
 *
 * @param {NardiView} view
 * @param {number} own  the seat at the lower edge
 * @returns {Mark[]}
 */
export function marksOf(view, own) {
  const seat = view.steps.length > 0 ? view.turn : view.last_turn?.seat;
  const moves = view.steps.length > 0 ? view.steps : (view.last_turn?.moves ?? []);
  const mine = seat === own;
  const left = moves.map(([source]) => source);
  const came = [];
  for (const [, target] of moves) {
    const passed = left.indexOf(target);
    if (passed >= 0) left.splice(passed, 1);
    else came.push(target);
  }
  return [
    ...left.map((point) => ({ point: onScreen(point, mine), source: true, own: mine })),
    ...came.map((point) => ({ point: onScreen(point, mine), source: false, own: mine })),
  ];
}
