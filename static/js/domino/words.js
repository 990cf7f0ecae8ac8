/**
 * What happens in a hand of domino, in words.
 *
 * @typedef {import("../types.js").DominoHandEnd} DominoHandEnd
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").OpenEnd} OpenEnd
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../types.js").Translate} Translate
 */

import { askedText, seatName } from "../ui/people.js";

/**
 * The events of one change as sentences, those that say something to a player.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {TableEvent[]} events
 * @returns {string[]}
 */
export function toldBy(t, table, events) {
  const told = events.map((event) => sentence(t, table, event));
  return [...told, reachedBy(t, table, events)].filter((text) => text !== "");
}

/**
 * Whoever has the points that win may wonder why the hand goes on.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {TableEvent[]} events
 */
function reachedBy(t, table, events) {
  const { score, target } = /** @type {DominoView} */ (table.view);
  const laid = /** @type {any} */ (events.find(({ event }) => event === "laid"));
  if (!laid?.points || table.pause || table.ended) return "";
  const has = score[laid.seat] ?? 0;
  if (has < target || has - laid.points >= target) return "";
  return t("domino.told.reached", { name: seatName(t, table, laid.seat), target });
}

/**
 * @param {Translate} t
 * @param {Table} table
 * @param {any} event
 * @returns {string}
 */
function sentence(t, table, event) {
  const name = typeof event.seat === "number" ? seatName(t, table, event.seat) : "";
  switch (event.event) {
    case "laid": {
      const score = arithmetic(event.terms, event.sum);
      const key = event.points > 0 ? "domino.told.scored" : "domino.told.laid";
      return t(key, { name, tile: event.tile, count: score, points: event.points });
    }
    case "drew":
      return t("domino.told.drew", { name, left: event.left });
    case "passed":
      return t(`domino.told.passed.${event.cause}`, { name });
    case "hand_ended":
      return handTitle(t, table, event);
    case "dealt":
      return event.opener === null ? t("domino.told.redealt") : "";
    default:
      return "";
  }
}

/**
 * What is asked of whom, and what can be done now.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {DominoView} view
 */
export function askedIn(t, table, view) {
  if (view.turn === null || view.turn !== table.you) return askedText(t, table, view.turn);
  if (view.must_open) return t("domino.asked.open", { tile: view.must_open });
  if (view.placed.length === 0) return t("domino.asked.open_any");
  return t(mustDraw(view) ? "domino.asked.draw" : "domino.asked.lay");
}

/** @param {DominoView} view */
export function mustDraw(view) {
  return view.legal.some((one) => one.action === "draw");
}

/**
 * Why a tile cannot be laid now.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {DominoView} view
 * @param {string} tile
 */
export function whyNot(t, table, view, tile) {
  if (table.ended) return t("refusal.match_over");
  if (table.pause) return t("refusal.hand_paused");
  if (view.turn !== view.seat) return t("refusal.not_your_turn");
  if (view.must_open) return t("domino.must_open", { tile: view.must_open });
  const asks = [...new Set(view.ends.map((end) => end.asks))].sort().join(", ");
  return t(mustDraw(view) ? "domino.tile_no_draw" : "domino.tile_no_asks", { tile, asks });
}

/**
 * The terms of a count and its sum: "4 + 10 + 1 = 15".
 *
 * @param {number[]} terms
 * @param {number} sum
 */
export function arithmetic(terms, sum) {
  return terms.length > 1 ? `${terms.join(" + ")} = ${sum}` : String(sum);
}

/**
 * What each open end counts, of those that count.
 *
 * @param {DominoView} view
 */
export function termsOf(view) {
  return view.ends.filter((end) => counts(view, end)).map((end) => end.value);
}

/**
 * The count on the table now, and what it gave whoever laid the last tile.
 *
 * @param {Translate} t
 * @param {DominoView} view
 */
export function countText(t, view) {
  const last = view.placed.at(-1);
  if (!last || view.ends.length === 0) return "";
  const count = arithmetic(termsOf(view), view.sum);
  return last.points > 0
    ? t("domino.count.scored", { count, points: last.points })
    : t("domino.count.plain", { count, gives: givesText(t, view) });
}

/**
 * What the last tile gave, or why it gave nothing.
 *
 * @param {Translate} t
 * @param {DominoView} view
 */
export function givesText(t, view) {
  const points = view.placed.at(-1)?.points ?? 0;
  if (points > 0) return `+${points}`;
  return t(view.sum % 5 === 0 ? "domino.count.none" : "domino.count.not_fives");
}

/**
 * Does an end take part in the count? A side of the stavka without a tile does not.
 *
 * @param {DominoView} view
 * @param {OpenEnd} end
 */
export function counts(view, end) {
  if (end.end === "U" || end.end === "D") return view.placed.some((one) => one.end === end.end);
  return end.value > 0 || end.asks === 0;
}

/**
 * What an end asks for; a double that counts both its halves says so: "5+5" takes a 5.
 *
 * @param {DominoView} view
 * @param {OpenEnd} end
 */
export function fitsText(view, end) {
  const both = end.asks > 0 && end.value === 2 * end.asks && counts(view, end);
  return both ? `${end.asks}+${end.asks}` : String(end.asks);
}

/**
 * @param {Translate} t
 * @param {Table} table
 * @param {DominoHandEnd} ended
 */
export function handTitle(t, table, ended) {
  if (ended.winner === null) return t(`domino.hand_end.${ended.end}`, { points: 0, name: "" });
  const name = seatName(t, table, ended.winner);
  return t(`domino.hand_end.${ended.end}`, { name, points: ended.points });
}
