/**
 * What opens the rules beside the board. What shows them is fetched when they are asked for.
 *
 * @typedef {import("../rules/beside.js").Beside} Beside
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { button, isLost } from "./dom.js";

export class Rules {
  /** @type {Beside | null} */
  #beside = null;
  /** @type {Element | null} what had the focus before */
  #from = null;

  /**
   * @param {Translate} t
   * @param {HTMLAnchorElement | null} link  on the page, to the page of the rules; it has the sheet
   * @param {{back: () => void, failed: () => void}} does
   */
  constructor(t, link, does) {
    this.t = t;
    this.link = link;
    this.does = does;
    this.button = button("?", () => this.open(), "tool rules-tool");
    this.button.setAttribute("aria-label", t("table.rules"));
    this.button.title = t("table.rules");
    this.button.hidden = link === null;
    link?.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void this.open();
    });
  }

  /** @param {string} [anchor]  a place of the rules */
  async open(anchor = "") {
    const { link } = this;
    if (!link) return;
    const from = document.activeElement;
    try {
      const { Beside } = await import("../rules/beside.js");
      const { sheet = "" } = link.dataset;
      this.#beside ??= new Beside(this.t, { address: link.href, sheet, back: () => this.#back() });
      if (!this.#beside.shown) this.#from = from;
      await this.#beside.open(anchor);
    } catch {
      this.does.failed();
    }
  }

  /**
   * @param {Table} table
   * @param {number} now  site time
   */
  tick(table, now) {
    if (this.#beside?.shown) this.#beside.tick(table, now);
  }

  #back() {
    const from = this.#from;
    if (from instanceof HTMLElement && from !== document.body && !isLost(from)) from.focus();
    else this.does.back();
  }
}
