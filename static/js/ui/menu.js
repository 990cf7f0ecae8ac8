/**
 * The small menu of a player: resign or leave, both only after a second yes.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { button, el } from "./dom.js";

export class Menu {
  #title = el("h2", { id: "sure-title" });
  #text = el("p");
  #yes = button("", () => this.#confirm(), "primary");
  /** @type {() => void} */
  #then = () => {};

  /**
   * @param {Translate} t
   * @param {{resign: () => void, leave: () => void}} does
   */
  constructor(t, does) {
    this.t = t;
    this.resign = button(t("table.resign"), () =>
      this.#ask(t("table.resign_sure"), t("table.resign"), does.resign),
    );
    this.leave = button(t("table.leave"), () => {
      if (this.free) this.#close(does.leave);
      else this.#ask(t("table.leave_sure"), t("table.leave"), does.leave);
    });
    /** May one leave without losing? */
    this.free = true;
    this.root = el(
      "details",
      { class: "menu", hidden: true },
      el("summary", { "aria-label": t("table.menu") }, el("span", { "aria-hidden": "true" }, "⋯")),
      el("div", { class: "menu-list" }, this.resign, this.leave),
    );
    this.dialog = el(
      "dialog",
      { class: "sure card", "aria-labelledby": this.#title.id },
      this.#title,
      this.#text,
      el(
        "div",
        { class: "choices" },
        button(t("table.keep_playing"), () => this.dialog.close()),
        this.#yes,
      ),
    );
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#close();
    });
    document.addEventListener("click", (event) => {
      if (!this.root.contains(/** @type {Node} */ (event.target))) this.root.open = false;
    });
  }

  /** @param {Table} table */
  update(table) {
    const running = table.status === "running";
    this.free = !running;
    this.root.hidden = table.you === null || !(running || table.status === "ended");
    this.resign.hidden = !running;
    // What was asked about has ended meanwhile.
    if (!running && this.dialog.open) this.dialog.close();
  }

  /**
   * @param {string} question
   * @param {string} yes
   * @param {() => void} then
   */
  #ask(question, yes, then) {
    this.#close();
    this.#title.textContent = question;
    this.#text.textContent = this.t("table.loses_match");
    this.#yes.textContent = yes;
    this.#then = then;
    this.dialog.showModal();
  }

  #confirm() {
    this.dialog.close();
    this.#then();
  }

  /** @param {() => void} [then] */
  #close(then) {
    this.root.open = false;
    this.root.querySelector("summary")?.focus();
    then?.();
  }
}
