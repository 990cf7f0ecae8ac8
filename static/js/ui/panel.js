/**
 * A panel over the field that holds nobody up: it can be dismissed, goes by itself after a
 * while unless somebody is in it, and play goes on behind it.
 *
 * @typedef {import("../types.js").Translate} Translate
 */

import { button, el } from "./dom.js";

const STAYS = 15_000;
let count = 0;

export class Panel {
  #title = el("h2", { id: `panel-${(count += 1)}`, tabindex: -1 });
  #body = el("section", { class: "panel-body" });
  #foot = el("div", { class: "panel-foot" });
  #timer = 0;

  /**
   * @param {Translate} t
   * @param {() => void} [back]  gives the focus to where it goes when a reader has dismissed it
   */
  constructor(t, back = () => {}) {
    const dismiss = () => {
      this.hide();
      back();
    };
    const close = button("✕", dismiss, "close");
    close.setAttribute("aria-label", t("table.close"));
    close.title = t("table.close");
    this.root = el(
      "section",
      { class: "panel", role: "dialog", "aria-labelledby": this.#title.id, hidden: true },
      el("div", { class: "panel-head" }, this.#title, close),
      this.#body,
      this.#foot,
    );
    // Whoever plays by keyboard scrolls what is longer than its room.
    new ResizeObserver(() => {
      this.#body.tabIndex = this.#body.scrollHeight > this.#body.clientHeight + 1 ? 0 : -1;
    }).observe(this.#body);
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      dismiss();
    });
  }

  get shown() {
    return !this.root.hidden;
  }

  /**
   * @param {string} title
   * @param {Node[]} body
   * @param {boolean} stays  until it is dismissed
   * @param {Node[]} foot  what can be done then, in sight whatever the body's length
   */
  show(title, body, stays, ...foot) {
    this.#title.textContent = title;
    this.#body.replaceChildren(...body);
    this.#foot.replaceChildren(...foot);
    this.root.hidden = false;
    clearTimeout(this.#timer);
    if (!stays) this.#later();
  }

  /** Whoever asked for it reads it from its title on. */
  focus() {
    this.#title.focus();
  }

  hide() {
    clearTimeout(this.#timer);
    this.root.hidden = true;
  }

  #later() {
    this.#timer = setTimeout(() => {
      if (this.root.matches(":hover, :focus-within")) this.#later();
      else this.hide();
    }, STAYS);
  }
}
