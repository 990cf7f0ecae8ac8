/**
 * A hand of nardi as it was played: the board, and the dice at both plates.
 *
 * @typedef {import("../../types.js").Frame} Frame
 * @typedef {import("../../types.js").NardiView} NardiView
 * @typedef {import("../../types.js").Translate} Translate
 * @typedef {import("../player.js").Shown} Shown
 */

import { NardiBoard } from "../../nardi/board.js";
import { marksOf } from "../../nardi/moves.js";
import { positionOf } from "../../nardi/position.js";
import { Seat } from "../../nardi/seat.js";
import { toldBy } from "../../nardi/words.js";
import { el, still } from "../../ui/dom.js";
import { lower } from "../moment.js";

export class NardiReplay {
  static told = toldBy;
  static pace = 1100;

  /** @type {Shown | null} what was asked for last; whatever is on its way before makes room */
  #latest = null;
  /** @type {Frame | null} */
  #drawn = null;
  #showing = Promise.resolve();

  /** @param {Translate} t */
  constructor(t) {
    this.rival = new Seat(t, "rival", null);
    this.own = new Seat(t, "own", null);
    for (const { plate } of [this.rival, this.own]) plate.clock.root.remove();
    this.board = new NardiBoard(t, { press() {}, choose() {}, put() {}, cancel() {}, miss() {} });
    this.root = el(
      "div",
      { class: "scene nardi" },
      this.rival.root,
      el("div", { class: "stage" }, this.board.root),
      this.own.root,
    );
  }

  /** @param {Shown} shown */
  show(shown) {
    this.#latest = shown;
    for (const motion of this.root.getAnimations({ subtree: true })) motion.finish();
    this.#showing = this.#showing.then(() => this.#show(shown));
  }

  /** @param {Shown} shown */
  async #show(shown) {
    if (shown !== this.#latest) return;
    const { frame, from, before } = shown;
    const moves = before !== null && before === this.#drawn && !still() && !document.hidden;
    const own = lower(from);
    const seen = /** @type {any[]} */ (moves ? frame.events : []);
    for (const event of seen) {
      if (event.event !== "moved") continue;
      await this.board.slide(event.seat === own, event, false, () => {});
    }
    this.#draw(shown, own);
    for (const { event, seat } of seen) {
      if (event !== "opening_rolled" && event !== "rolled") continue;
      if (seat !== own) this.rival.dice.tumble();
      if (seat === own || event === "opening_rolled") this.own.dice.tumble();
    }
  }

  /**
   * @param {Shown} shown
   * @param {number} own
   */
  #draw({ table, frame }, own) {
    const view = /** @type {NardiView} */ (frame.view);
    this.#drawn = frame;
    this.board.update({
      position: positionOf(view.sides, own),
      light: own === 0,
      watched: true,
      asked: false,
      reach: {},
      chosen: null,
      marks: marksOf(view, own),
      pending: null,
    });
    const plain = { ...table, pause: null };
    const rival = table.seats.length - 1 - own;
    this.rival.update(plain, view, rival, "");
    this.own.update(plain, view, own, "");
    // Each has thrown one die of an opening roll that was a tie.
    for (const event of /** @type {any[]} */ (frame.events)) {
      if (event.event !== "opening_rolled" || view.turn !== null) continue;
      this.#opening(this.own, event.dice[own]);
      this.#opening(this.rival, event.dice[rival]);
    }
  }

  /**
   * @param {Seat} seat
   * @param {number} die
   */
  #opening(seat, die) {
    seat.dice.update({ dice: [die], left: [die], dead: [], past: false });
  }
}
