/**
 * A player's plate: whose turn, name, score, clocks, and what the game shows beside it.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { SeatClock } from "./clock.js";
import { el, setText } from "./dom.js";
import { seatName } from "./people.js";

export class Plate {
  #turn = el("span", { class: "turn", "aria-hidden": "true" });
  #name = el("bdi", { class: "name" });
  #under = el("span", { class: "under" });
  #score = el("span", { class: "score" });
  #aside = el("span", { class: "aside" });

  /**
   * @param {Translate} t
   * @param {string} place  "rival" or "own": where it stands
   */
  constructor(t, place) {
    this.t = t;
    this.clock = new SeatClock(t);
    this.root = el(
      "div",
      { class: `plate ${place}` },
      this.#turn,
      el("span", { class: "who" }, this.#name, this.#under),
      this.#aside,
      this.#score,
      this.clock.root,
    );
  }

  /**
   * @param {Table} table
   * @param {number} seat
   * @param {object} shown
   * @param {string} shown.score
   * @param {boolean} shown.turn
   * @param {string} shown.under  under the name: tiles in hand, pips to go
   * @param {...(Node | string)} aside
   */
  update(table, seat, { score, turn, under }, ...aside) {
    const away = table.seats[seat]?.present === false;
    const ready = table.pause?.ready[seat] ?? false;
    this.#turn.textContent = turn ? "▶" : "";
    this.root.classList.toggle("on-turn", turn);
    this.root.classList.toggle("away", away);
    const name = seatName(this.t, table, seat);
    const bot = table.seats[seat]?.bot;
    setText(this.#name, name);
    this.#name.title = name;
    this.#score.textContent = score;
    this.#under.textContent = away
      ? `✕ ${this.t("table.away")}`
      : ready
        ? `✓ ${this.t(seat === table.you ? "table.ready_yours" : "table.ready")}`
        : bot
          ? `${this.t(`bots.level.${bot}`)} · ${under}`
          : under;
    this.#aside.replaceChildren(...aside);
  }

  /**
   * @param {Table} table
   * @param {number} seat
   * @param {number} now  site time
   */
  tick(table, seat, now) {
    this.clock.show(table.clocks?.[seat] ?? null, table.clock.move_ms, now);
  }
}
