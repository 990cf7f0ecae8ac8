/**
 * What a domino table says of the end of a hand and of the match.
 *
 * @typedef {import("../types.js").DominoHandEnd} DominoHandEnd
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("../ui/ends.js").Telling} Telling
 */

import { el } from "../ui/dom.js";
import { scoreText } from "../ui/people.js";
import { handSummary } from "./summary.js";
import { handTitle } from "./words.js";

/**
 * @param {Translate} t
 * @returns {Telling}
 */
export function telling(t) {
  return {
    hand(table) {
      const { last_hand, target } = /** @type {DominoView} */ (table.view);
      const ended = /** @type {DominoHandEnd} */ (last_hand);
      const body = handSummary(t, table, ended, target, ended.score);
      return { title: handTitle(t, table, ended), body };
    },
    outcome(table) {
      const { last_hand: hand, target } = /** @type {DominoView} */ (table.view);
      const { reason = "", score = [] } = table.ended ?? {};
      if (!hand || reason !== "points")
        return [el("p", { class: "running" }, scoreText(t, table, score, target))];
      const title = el("h3", {}, handTitle(t, table, hand));
      return [title, ...handSummary(t, table, hand, target, score)];
    },
  };
}
