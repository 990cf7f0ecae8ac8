/**
 * A helper for free tables: which tiles have not been seen yet. A button opens it over the hand.
 *
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").Translate} Translate
 */

import { button, el } from "../ui/dom.js";
import { tileFace } from "./tile.js";

/**
 * All tiles but those that lie on the table and the viewer's own.
 *
 * @param {Pick<DominoView, "tiles" | "placed">} view
 * @returns {string[]}
 */
export function unseenTiles({ tiles, placed }) {
  const seen = new Set([...tiles, ...placed.map((one) => one.tile)]);
  return allTiles()
    .flat()
    .filter((tile) => !seen.has(tile));
}

/** Every tile, a row for each higher half. */
function allTiles() {
  return Array.from({ length: 7 }, (_, high) =>
    Array.from({ length: high + 1 }, (_, low) => `${low}-${high}`),
  );
}

export class Unseen {
  #title = el("p", {});
  #grid = el("div", { class: "grid" });

  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    this.button = button("", () => this.#toggle(this.root.hidden), "tool");
    this.button.append(el("span", { class: "unseen-mark", "aria-hidden": "true" }, "?"));
    this.button.setAttribute("aria-label", t("domino.unseen"));
    this.button.title = t("domino.unseen");
    this.root = el(
      "section",
      { class: "unseen", hidden: true, "aria-label": t("domino.unseen") },
      el("div", { class: "head" }, this.#title, this.#close()),
      this.#grid,
    );
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#toggle(false);
    });
    this.#toggle(false);
  }

  #close() {
    const made = button("✕", () => {
      this.#toggle(false);
      this.button.focus();
    }, "close");
    made.setAttribute("aria-label", this.t("table.close"));
    return made;
  }

  /**
   * @param {DominoView} view
   * @param {boolean} allowed
   */
  update(view, allowed) {
    this.button.hidden = !allowed;
    if (!allowed) this.#toggle(false);
    else if (!this.root.hidden) this.#draw(view);
    this.view = view;
  }

  /** @param {boolean} open */
  #toggle(open) {
    this.root.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (open && this.view) this.#draw(this.view);
  }

  /** @param {DominoView} view */
  #draw(view) {
    const unseen = unseenTiles(view);
    this.#title.textContent = this.t("domino.unseen_count", { count: unseen.length });
    const rows = allTiles().map((row) =>
      el(
        "ul",
        {},
        ...row.map((tile) => {
          if (!unseen.includes(tile)) return el("li", { class: "seen", "aria-hidden": "true" });
          const [low = 0, high = 0] = tile.split("-").map(Number);
          return el("li", { "aria-label": tile }, tileFace(low, high, true));
        }),
      ),
    );
    this.#grid.replaceChildren(...rows);
  }
}
