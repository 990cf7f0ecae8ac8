/** A player's plate: whose turn, name, score, and what the game shows beside it. */

import { el } from "./dom.js";

export class Plate {
  #turn = el("span", { class: "turn", "aria-hidden": "true" });
  #name = el("span", { class: "name" });
  #under = el("span", { class: "under" });
  #score = el("span", { class: "score" });
  #aside = el("span", { class: "aside" });

  /** @param {string} place  "rival" or "own": where it stands */
  constructor(place) {
    this.root = el(
      "div",
      { class: `plate ${place}` },
      this.#turn,
      el("span", { class: "who" }, this.#name, this.#under),
      this.#aside,
      this.#score,
    );
  }

  /**
   * @param {object} shown
   * @param {string} shown.name
   * @param {string} shown.score
   * @param {boolean} shown.turn
   * @param {string} shown.under  under the name: tiles in hand, pips to go
   * @param {...(Node | string)} aside
   */
  update({ name, score, turn, under }, ...aside) {
    this.#turn.textContent = turn ? "▶" : "";
    this.root.classList.toggle("on-turn", turn);
    this.#name.textContent = name;
    this.#score.textContent = score;
    this.#under.textContent = under;
    this.#aside.replaceChildren(...aside);
  }
}
