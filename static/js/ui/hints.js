/**
 * First-time hints at the table: one at a time, over the other player's plate, where nothing is
 * pressed. Each is shown once in this browser, which keeps what it has shown, and none if the
 * player has switched them off.
 *
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./settings.js").Settings} Settings
 *
 * @typedef {object} Hint
 * @property {string} name    of all hints of all games
 * @property {string} text
 * @property {string} anchor  its place in the rules
 * @property {boolean} [news]  something has happened; else it is said while it is so
 */

import { button, el, setText } from "./dom.js";

const KEY = "ezo.hints";
/** There is no room for them on anything smaller. */
const SMALL = "(max-height: 30rem), (max-width: 19rem)";

export class Hints {
  /** @type {Hint | null} */
  #shown = null;
  #text = el("p", { role: "status" });

  /**
   * @param {Translate} t
   * @param {Settings} settings
   * @param {(anchor: string) => void} open  the rules at a place
   * @param {() => void} back  gives the focus to where it goes when a reader has dismissed one
   */
  constructor(t, settings, open, back) {
    this.settings = settings;
    this.back = back;
    this.ok = button(t("table.hint_ok"), () => this.#dismiss(), "ok");
    this.more = button("?", () => open(this.#shown?.anchor ?? ""), "tool");
    this.more.setAttribute("aria-label", t("table.hint_more"));
    this.more.title = t("table.hint_more");
    this.root = el("div", { class: "hint-card gone" }, this.#text, this.more, this.ok);
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.#dismiss();
    });
    settings.listen(() => !settings.get("hints") && this.show(null));
    this.show(null);
  }

  /**
   * Whatever could be said now, the most urgent first.
   *
   * @param {Hint[]} all
   * @param {boolean} [busy]  something is asked for already: only what has happened is said
   */
  offer(all, busy = false) {
    const hints = busy ? all.filter(({ news }) => news) : all;
    const at = hints.findIndex(({ name }) => name === this.#shown?.name);
    const stays = this.#shown?.news ?? false;
    if (this.#shown && !stays && at < 0) this.show(null);
    if (stays || !this.settings.get("hints") || matchMedia(SMALL).matches) return;
    const told = kept();
    const next = hints.find(({ name }, n) => !told.includes(name) && (at < 0 || n < at));
    if (!next) return;
    keep([...told, next.name]);
    this.show(next);
  }

  /** The reader plays on: what has been said is read, or never will be. */
  acted() {
    if (this.#shown) this.#dismiss();
  }

  #dismiss() {
    const inside = this.root.contains(document.activeElement);
    this.show(null);
    if (inside) this.back();
  }

  /** @param {Hint | null} hint */
  show(hint) {
    this.#shown = hint;
    this.root.classList.toggle("gone", hint === null);
    this.root.dataset.hint = hint?.name ?? "";
    // Not hidden as a whole: a live region has to be there before its words.
    this.ok.hidden = this.more.hidden = hint === null;
    setText(this.#text, hint?.text ?? "");
  }
}

/** Where nothing can be kept they are shown again with the next page, which is no harm. */
let unkept = /** @type {string[]} */ ([]);

/** @returns {string[]} */
function kept() {
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(read) ? [...read, ...unkept] : unkept;
  } catch {
    return unkept;
  }
}

/** @param {string[]} names */
function keep(names) {
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    unkept = names;
  }
}
