/**
 * The panel at the end of a hand and of the match: shown once by itself, and again when asked for.
 *
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../pages/table.js").Context} Context
 */

import { button, el } from "../ui/dom.js";
import { Panel } from "../ui/panel.js";
import { outcomeTitle, scoreText } from "../ui/people.js";
import { handSummary } from "./summary.js";
import { handTitle } from "./words.js";

export class Ends {
  /** @type {Table | null} */
  #table = null;
  /** The hand whose end was shown last, so that none is shown twice. */
  #shown = 0;
  #over = false;

  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.panel = new Panel(context.t);
    this.again = button(context.t("table.last_hand"), () => this.#show(), "quiet");
  }

  /** @param {Table} table */
  update(table) {
    const before = this.#table;
    this.#table = table;
    const { pause, ended, view } = table;
    this.again.hidden = view.last_hand === null && ended === null;
    this.again.textContent = this.context.t(ended ? "table.result" : "table.last_hand");
    const hand = view.last_hand?.hand ?? 0;
    if (ended && !this.#over) {
      this.#over = true;
      this.#show();
      if (before) this.context.feel("end");
    } else if (!ended && hand !== this.#shown && (before || pause)) this.#show();
    this.#shown = hand;
    // The next hand is dealt: the look at the last one is over.
    if (before?.pause && !pause && !ended) this.panel.hide();
  }

  #show() {
    if (this.#table?.ended) this.#showOutcome(this.#table);
    else if (this.#table) this.#showHand(this.#table);
  }

  /** @param {Table} table */
  #showHand(table) {
    const { t } = this.context;
    const { last_hand: ended, target } = /** @type {DominoView} */ (table.view);
    if (!ended) return;
    const summary = handSummary(t, table, ended, target, ended.score);
    this.panel.show(handTitle(t, table, ended), summary, table.pause !== null);
  }

  /** @param {Table} table */
  #showOutcome(table) {
    const { t, ending } = this.context;
    const { last_hand: hand, target } = /** @type {DominoView} */ (table.view);
    if (!table.ended) return;
    const { reason, score } = table.ended;
    const summary =
      hand && reason === "points"
        ? [el("h3", {}, handTitle(t, table, hand)), ...handSummary(t, table, hand, target, score)]
        : [el("p", { class: "running" }, scoreText(t, table, score, target))];
    this.panel.show(
      outcomeTitle(t, table, table.ended),
      [ending.reason, ending.coins, ending.root, ...summary],
      true,
    );
  }
}
