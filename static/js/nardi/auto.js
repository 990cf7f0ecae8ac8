/**
 * What a player has set to go by itself. It chooses among what the view offers; there are no
 * rules here.
 *
 * @typedef {import("../types.js").Json} Json
 * @typedef {import("../types.js").NardiView} NardiView
 * @typedef {import("../ui/settings.js").Settings} Settings
 * @typedef {import("./position.js").Position} Position
 */

import { BAR, OFF } from "./position.js";

const HOME = 6;

/**
 * @param {NardiView} view  of the seat on turn
 * @param {Pick<Settings, "get">} settings
 * @param {Position} position
 * @param {boolean} byHand  has the player taken back in this turn: then they play it themselves
 * @returns {Json | null}
 */
export function byItself(view, settings, position, byHand) {
  if (view.phase === "roll") return settings.get("auto_roll") ? { action: "roll" } : null;
  if (view.can_confirm) return settings.get("confirm") ? null : { action: "confirm" };
  if (byHand || !settings.get("auto_bear_off") || !runsHome(position)) return null;
  return bearsOff(view);
}

/**
 * Are all own checkers home, with no other one before them that could be met?
 *
 * @param {Position} position
 */
export function runsHome({ own, rival }) {
  const highest = Math.max(OFF, ...own.map((count, point) => (count > 0 ? point : OFF)));
  if (highest > HOME || (rival[BAR] ?? 0) > 0) return false;
  return rival.every((count, point) => count === 0 || point === OFF || point > highest);
}

/**
 * Off before down, from the highest point, with the larger die.
 *
 * @param {NardiView} view
 * @returns {Json | null}
 */
function bearsOff({ reach = {} }) {
  const ways = Object.entries(reach).flatMap(([from, targets]) =>
    targets.flatMap(({ to, dice: [die = 0, ...more] }) =>
      more.length > 0 ? [] : [{ from: Number(from), die, off: Number(to === OFF) }],
    ),
  );
  ways.sort((a, b) => b.off - a.off || b.from - a.from || b.die - a.die);
  const [best] = ways;
  return best ? { action: "move", from: best.from, die: best.die } : null;
}
