/**
 * The end of a hand and of the match, told in a panel beside the board.
 *
 * @typedef {import("../types.js").NardiView} NardiView
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../pages/table.js").Context} Context
 */

import { el } from "../ui/dom.js";
import { Panel } from "../ui/panel.js";
import { outcomeTitle, scoreText } from "../ui/people.js";
import { handTitle } from "./words.js";

export class Ends {
  /** The hand whose end was shown last, so that none is shown twice. */
  #hand = 0;
  #over = false;

  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.panel = new Panel(context.t);
  }

  /**
   * @param {Table | null} before
   * @param {Table} table
   */
  update(before, table) {
    const { pause, ended, view } = table;
    const hand = view.last_hand?.hand ?? 0;
    if (ended && !this.#over) {
      this.#over = true;
      if (before) this.context.feel("end");
      this.show(table);
    } else if (!ended && hand !== this.#hand && (before || pause)) {
      this.show(table);
    }
    this.#hand = hand;
    // The next hand begins: the look at the last one is over.
    if (before?.pause && !pause && !ended) this.panel.hide();
  }

  /** @param {Table} table */
  show(table) {
    const { t, ending } = this.context;
    const { last_hand: hand, target } = /** @type {NardiView} */ (table.view);
    const { ended, pause } = table;
    if (ended) {
      const summary =
        hand && ended.reason === "points"
          ? [
              el("h3", {}, handTitle(t, table, hand)),
              el("p", {}, t(`nardi.end_meaning.${hand.end}`)),
            ]
          : [];
      const score = el("p", { class: "running" }, scoreText(t, table, ended.score, target));
      const body = [ending.reason, ending.coins, ...summary, score, ending.root];
      this.panel.show(outcomeTitle(t, table, ended), body, true);
    } else if (hand) {
      const body = [
        el("p", {}, t(`nardi.end_meaning.${hand.end}`)),
        el("p", { class: "running" }, scoreText(t, table, hand.score, target)),
      ];
      this.panel.show(handTitle(t, table, hand), body, pause !== null);
    }
  }
}
