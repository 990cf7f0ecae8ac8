/**
 * The table's menu: the settings, the rules, the way home, and for a player to resign or leave, both only
 * after a second yes.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { button, el } from "./dom.js";

let count = 0;

export class Menu {
  #title = el("h2", { id: `sure-${(count += 1)}` });
  #text = el("p");
  #yes = button("", () => this.#confirm(), "primary");
  /** @type {() => void} */
  #then = () => {};

  #means = "table.leave_means";

  /**
   * @param {Translate} t
   * @param {{settings: () => void, resign: () => void, leave: () => void,
   *   rules?: {href: string, open: () => void} | null}} does
   */
  constructor(t, does) {
    this.t = t;
    const settings = button(t("settings.title"), () => this.#close(does.settings));
    this.resign = button(t("table.resign"), () =>
      this.#ask(t("table.resign_sure"), t("table.loses_match"), t("table.resign"), does.resign),
    );
    this.leave = button(t("table.leave"), () => {
      if (this.free) this.#close(does.leave);
      else this.#ask(t("table.leave_sure"), t(this.#means), t("table.leave"), does.leave);
    });
    const rules = does.rules && this.#rules(does.rules);
    this.home = el("a", { class: "button", href: "/" }, t("table.to_lobby"));
    /** May one leave without losing? */
    this.free = true;
    this.root = el(
      "details",
      { class: "menu" },
      el("summary", { "aria-label": t("table.menu") }, el("span", { "aria-hidden": "true" }, "⋯")),
      el("div", { class: "menu-list" }, settings, rules, this.home, this.resign, this.leave),
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
    this.root.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !this.root.contains(relatedTarget))
        this.root.open = false;
    });
    document.addEventListener("click", (event) => {
      if (!this.root.contains(/** @type {Node} */ (event.target))) this.root.open = false;
    });
    this.#offer(false, false);
  }

  /** @param {{href: string, open: () => void}} does */
  #rules({ href, open }) {
    const made = el("a", { class: "button rules-item", href }, this.t("table.rules"));
    made.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#close(open);
    });
    return made;
  }

  /** @param {Table} table */
  update({ status, you, seats }) {
    // Nobody is left waiting where all others are computers.
    const people = seats.some((sitter, seat) => seat !== you && sitter && !sitter.bot);
    this.#means = people ? "table.leave_means" : "table.leave_means.bots";
    const running = status === "running";
    this.free = !running;
    this.#offer(you !== null && running, you !== null && (running || status === "ended"));
    // What was asked about has ended meanwhile.
    if (!running && this.dialog.open) this.dialog.close();
  }

  /**
   * @param {boolean} resign
   * @param {boolean} leave
   */
  #offer(resign, leave) {
    this.resign.hidden = !resign;
    this.leave.hidden = !leave;
    this.home.hidden = leave && !resign;
  }

  /**
   * @param {string} question
   * @param {string} means
   * @param {string} yes
   * @param {() => void} then
   */
  #ask(question, means, yes, then) {
    this.#close();
    this.#title.textContent = question;
    this.#text.textContent = means;
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
