/**
 * The bar that says in words what is asked of whom, and what just happened. It is the live
 * region. Beside it stands the state of the line.
 *
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("../net/socket.js").LineState} LineState
 */

import { el } from "./dom.js";

export class Bar {
  #asked = el("strong", { class: "asked" });
  #told = el("span", { class: "told" });
  #line = el("span", { class: "line" });

  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    this.root = el(
      "div",
      { class: "bar" },
      el("p", { class: "words", role: "status" }, this.#asked, " ", this.#told),
      this.#line,
    );
    this.line("connecting");
  }

  /**
   * @param {string} asked
   * @param {boolean} yours  is it the viewer who is asked
   */
  ask(asked, yours) {
    if (this.#asked.textContent !== asked) this.#asked.textContent = asked;
    this.root.classList.toggle("yours", yours);
  }

  /** @param {string} text */
  tell(text) {
    if (this.#told.textContent !== text) this.#told.textContent = text;
    this.root.classList.remove("refused");
  }

  /**
   * A refusal or a reason why nothing happened.
   *
   * @param {string} text
   */
  refuse(text) {
    this.tell(text);
    this.root.classList.add("refused");
  }

  /** @param {LineState} state */
  line(state) {
    this.#line.dataset.line = state;
    this.#line.textContent = this.t(`table.line.${state}`);
  }
}
