/**
 * The bar that says in words what is asked of whom, and what just happened. It is the live
 * region; seconds that count down beside the words are not read out. At its side stand the state
 * of the line and the menu.
 *
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("../net/socket.js").LineState} LineState
 */

import { el, setText } from "./dom.js";

export class Bar {
  #asked = el("strong", { class: "asked" });
  #seconds = el("span", { class: "counting", "aria-hidden": "true" });
  #told = el("span", { class: "told" });
  #note = el("span", { class: "note" });
  #noteSeconds = el("span", { class: "counting", "aria-hidden": "true" });
  #line = el("span", { class: "line" });
  #why = "";

  /**
   * @param {Translate} t
   * @param {Node} tools  what can be pressed
   * @param {...Node} beside  beside the state of the line
   */
  constructor(t, tools, ...beside) {
    this.t = t;
    this.root = el(
      "div",
      { class: "bar" },
      el(
        "div",
        { class: "words" },
        el("span", { role: "status" }, this.#asked),
        " ",
        this.#seconds,
        el("span", { class: "news", role: "status" }, this.#told),
        el(
          "span",
          { class: "news" },
          el("span", { role: "status" }, this.#note),
          " ",
          this.#noteSeconds,
        ),
      ),
      el("div", { class: "side" }, tools, el("div", { class: "state" }, ...beside, this.#line)),
    );
    this.line("connecting");
  }

  /**
   * @param {string} asked
   * @param {boolean} yours  is it the viewer who is asked
   */
  ask(asked, yours) {
    setText(this.#asked, asked);
    this.root.classList.toggle("yours", yours);
  }

  /** @param {number | null} ms  counted down beside what is asked */
  count(ms) {
    setText(this.#seconds, this.#inSeconds(ms));
  }

  /** @param {string} text */
  tell(text) {
    setText(this.#told, text);
    this.root.classList.remove("refused");
  }

  /**
   * What was told is news no more, unless something else has been told since.
   *
   * @param {string} text
   */
  untell(text) {
    if (text !== "" && this.#told.textContent === text) this.tell("");
  }

  /**
   * A refusal or a reason why nothing happened.
   *
   * @param {string} text
   * @param {string} [why]  what has to end for it to be no longer so
   */
  refuse(text, why = "line") {
    this.tell(text);
    this.root.classList.add("refused");
    this.#why = why;
  }

  /**
   * What was refused is no longer so.
   *
   * @param {string} [why]  only if it was for this reason
   */
  relent(why = this.#why) {
    if (this.root.classList.contains("refused") && why === this.#why) this.tell("");
  }

  /**
   * Something about the site itself.
   *
   * @param {string} text  "" for nothing
   * @param {number | null} [ms]  counted down behind it
   */
  note(text, ms = null) {
    setText(this.#note, text);
    setText(this.#noteSeconds, this.#inSeconds(ms));
    this.root.classList.toggle("noted", text !== "");
  }

  /** @param {LineState} state */
  line(state) {
    this.#line.dataset.line = state;
    setText(this.#line, this.t(`table.line.${state}`));
  }

  /** @param {number | null} ms */
  #inSeconds(ms) {
    if (ms === null) return "";
    return this.t("table.seconds", { seconds: Math.ceil(Math.max(0, ms) / 1000) });
  }
}
