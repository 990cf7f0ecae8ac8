/**
 * The buttons of a turn: roll, take back, end it.
 *
 * @typedef {import("../types.js").NardiView} NardiView
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { button, el } from "../ui/dom.js";

export class Controls {
  /**
   * @param {Translate} t
   * @param {(action: "roll" | "confirm" | "take_back") => void} act
   * @param {Node} between
   * @param {HTMLElement} again  the end of the last hand, or of the match, once more
   */
  constructor(t, act, between, again) {
    this.back = button(t("nardi.take_back"), () => act("take_back"));
    this.roll = button(t("nardi.roll"), () => act("roll"), "primary");
    this.confirm = button(t("nardi.confirm"), () => act("confirm"), "primary");
    this.again = again;
    const all = [this.back, this.roll, this.confirm, between, this.again];
    this.root = el("div", { class: "controls" }, ...all);
  }

  /**
   * @param {Table} table
   * @param {NardiView} view
   */
  update(table, view) {
    const seated = view.seat !== null && table.ended === null && table.pause === null;
    const mine = view.turn !== null && view.turn === view.seat;
    const rolling = view.phase !== "move" && view.phase !== "confirm";
    this.back.hidden = !seated;
    this.back.disabled = !(mine && view.can_take_back);
    this.roll.hidden = !seated || !rolling;
    this.roll.disabled = !(mine && view.phase === "roll");
    this.confirm.hidden = !seated || rolling;
    this.confirm.disabled = !(mine && view.can_confirm);
    // Not while a hand is played: no row of controls may move the board.
    this.again.hidden = table.pause === null && table.ended === null;
  }

  /** What is asked for now, if it is one of these. */
  get asked() {
    return [this.roll, this.confirm].find((one) => !one.hidden && !one.disabled);
  }
}
