/**
 * The ends of hands and of the match, each told once by itself in a panel, and again when asked
 * for.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../pages/table.js").Context} Context
 *
 * @typedef {object} Telling  what a game says of them
 * @property {(table: Table) => {title: string, body: Node[]}} hand  the last one
 * @property {(table: Table) => Node[]} outcome  how the match came to its end, beside who won
 */

import { button } from "./dom.js";
import { Panel } from "./panel.js";
import { outcomeTitle } from "./people.js";

export class Ends {
  /** @type {Table | null} */
  #table = null;
  /** The hand whose end was told last, so that none is told twice. */
  #told = 0;
  #over = false;

  /**
   * @param {Context} context
   * @param {Telling} telling
   */
  constructor(context, telling) {
    this.context = context;
    this.telling = telling;
    this.panel = new Panel(context.t, () => this.again.focus());
    this.again = button("", () => this.#toggle(), "quiet");
    this.again.hidden = true;
  }

  /** @param {Table} table */
  update(table) {
    const before = this.#table;
    this.#table = table;
    const { pause, ended, view } = table;
    this.again.textContent = this.context.t(ended ? "table.result" : "table.last_hand");
    const hand = view.last_hand?.hand ?? 0;
    if (ended && !this.#over) {
      this.#over = true;
      if (before) this.context.feel("end");
      this.#show();
    } else if (pause && hand !== this.#told) this.#show();
    // One that ended while nobody looked is not told into the next.
    this.#told = hand;
    // The next hand begins: the look at the last one is over.
    if (before?.pause && !pause && !ended) this.panel.hide();
  }

  #toggle() {
    if (this.panel.shown) return this.panel.hide();
    this.#show();
    this.panel.focus();
  }

  #show() {
    const table = this.#table;
    if (!table) return;
    const { t, ending } = this.context;
    if (table.ended) {
      const { reason, coins, rating } = ending;
      const body = [reason, coins, rating, ...this.telling.outcome(table), ending.root];
      this.panel.show(outcomeTitle(t, table, table.ended), body, true, ending.actions);
    } else if (table.view.last_hand) {
      const { title, body } = this.telling.hand(table);
      this.panel.show(title, body, table.pause !== null);
    }
  }
}
