/**
 * What a nardi table says of the end of a hand and of the match.
 *
 * @typedef {import("../types.js").NardiHandEnd} NardiHandEnd
 * @typedef {import("../types.js").NardiView} NardiView
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("../ui/ends.js").Telling} Telling
 */

import { el } from "../ui/dom.js";
import { scoreText } from "../ui/people.js";
import { handTitle } from "./words.js";

/**
 * @param {Translate} t
 * @returns {Telling}
 */
export function telling(t) {
  /**
   * @param {Table} table
   * @param {number[]} score
   */
  function running(table, score) {
    const { target } = /** @type {NardiView} */ (table.view);
    return el("p", { class: "running" }, scoreText(t, table, score, target));
  }

  /** @param {NardiHandEnd} hand */
  const meaning = (hand) => el("p", {}, t(`nardi.end_meaning.${hand.end}`));

  return {
    hand(table) {
      const hand = /** @type {NardiHandEnd} */ (table.view.last_hand);
      return { title: handTitle(t, table, hand), body: [meaning(hand), running(table, hand.score)] };
    },
    outcome(table) {
      const { last_hand: hand } = /** @type {NardiView} */ (table.view);
      const { reason = "", score = [] } = table.ended ?? {};
      const last =
        hand && reason === "points"
          ? [el("h3", {}, handTitle(t, table, hand)), meaning(hand)]
          : [];
      return [...last, running(table, score)];
    },
  };
}
