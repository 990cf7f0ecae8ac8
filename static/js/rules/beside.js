/**
 * The rules of a table's rule set, beside its board. They are the page of the rules itself, fetched
 * when somebody asks for it.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { SeatClock } from "../ui/clock.js";
import { button, el } from "../ui/dom.js";
import { openFigures } from "./figures.js";

export class Beside {
  #title = el("h2", { id: "beside-title", tabindex: -1 });
  #body = el("div", { class: "beside-body", tabindex: 0, role: "region" });
  /** @type {Promise<void> | null} */
  #coming = null;

  /**
   * @param {Translate} t
   * @param {{address: string, sheet: string, back: () => void}} given  ``back`` gives the focus to
   *   where it goes when the reader has closed it
   */
  constructor(t, { address, sheet, back }) {
    this.t = t;
    this.address = address;
    this.sheet = sheet;
    this.back = back;
    this.clock = new SeatClock(t);
    this.#title.textContent = t("table.rules");
    this.#body.setAttribute("aria-labelledby", this.#title.id);
    const close = button("✕", () => this.close(), "close");
    close.setAttribute("aria-label", t("table.close"));
    close.title = t("table.close");
    const head = el("div", { class: "beside-head" }, this.#title, this.clock.root, close);
    this.root = el(
      "section",
      { class: "beside", role: "dialog", "aria-labelledby": this.#title.id, hidden: true },
      head,
      this.#body,
    );
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
    this.root.addEventListener("click", (event) => this.#follow(event));
    document.body.append(this.root);
  }

  get shown() {
    return !this.root.hidden;
  }

  /**
   * Opens it, at a place of the rules if one is named. The focus goes there.
   *
   * @param {string} anchor
   */
  async open(anchor) {
    this.#coming ??= this.#fetch();
    try {
      await this.#coming;
    } catch {
      this.#coming = null;
      this.#body.replaceChildren(el("p", { class: "problem" }, this.t("table.rules_away")));
    }
    this.root.hidden = false;
    if (!anchor || !this.#go(anchor)) this.#title.focus();
  }

  close() {
    this.root.hidden = true;
    this.back();
  }

  /**
   * The viewer's own clock, where the sheet covers it.
   *
   * @param {Table} table
   * @param {number} now  site time
   */
  tick(table, now) {
    const time = table.you === null ? null : (table.clocks?.[table.you] ?? null);
    this.clock.show(time, table.clock.move_ms, now);
  }

  async #fetch() {
    const [answer] = await Promise.all([fetch(this.address), this.#styled()]);
    if (!answer.ok) throw new Error(`no rules: ${answer.status}`);
    // The site's own page: nothing that a player wrote is in its article.
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const article = page.getElementById("rules");
    if (!article) throw new Error("no rules");
    article.querySelector("h1")?.remove();
    // Whoever plays is not led away from the table.
    for (const link of article.querySelectorAll(/** @type {"a"} */ ("a[href^='/']"))) {
      link.target = "_blank";
      link.rel = "noopener";
    }
    this.#body.replaceChildren(article);
    openFigures(this.t, article);
  }

  /** Its styles come with it. */
  #styled() {
    return new Promise((resolve) => {
      const sheet = el("link", { rel: "stylesheet", href: this.sheet });
      sheet.addEventListener("load", resolve);
      sheet.addEventListener("error", resolve);
      document.head.append(sheet);
    });
  }

  /**
   * A link to another place of the rules leads there within the panel, and not away from the table.
   *
   * @param {MouseEvent} event
   */
  #follow(event) {
    if (!(event.target instanceof Element)) return;
    const link = event.target.closest("a[href^='#']");
    if (!link) return;
    event.preventDefault();
    this.#go(link.getAttribute("href")?.slice(1) ?? "");
  }

  /** @param {string} anchor */
  #go(anchor) {
    const found = this.#body.querySelector(`[id="${CSS.escape(anchor)}"]`);
    if (!(found instanceof HTMLElement)) return false;
    found.tabIndex = -1;
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: "start" });
    return true;
  }
}
