/** Tiles that lie open in a row: a hand, the bazaar. They keep their order; new ones come last. */

import { comeFrom } from "../../domino/flight.js";
import { kept as inOrder } from "../../domino/order.js";
import { halves, tileFace } from "../../domino/tile.js";
import { el } from "../../ui/dom.js";

export class OpenTiles {
  /** @type {Map<string, HTMLLIElement>} */
  #made = new Map();

  /** @param {string} kind  what the row is */
  constructor(kind) {
    this.root = el("ul", { class: `open-tiles ${kind}` });
  }

  /** @param {string} tile */
  place(tile) {
    return this.#made.get(tile)?.getBoundingClientRect() ?? null;
  }

  /** Where the tile lies that is drawn next. */
  get firstPlace() {
    return this.root.firstElementChild?.getBoundingClientRect() ?? null;
  }

  /**
   * @param {string} label
   * @param {string[]} tiles
   * @param {DOMRect | null} from  whence new ones come; null: they just lie there
   * @param {string[]} [apart]  those that are told apart
   * @param {string} [why]      as what
   */
  update(label, tiles, from, apart = [], why = "") {
    this.root.setAttribute("aria-label", label);
    const order = inOrder([...this.#made.keys()], tiles);
    /** @type {Map<string, HTMLLIElement>} */
    const made = new Map();
    for (const tile of order) made.set(tile, this.#made.get(tile) ?? lying(tile));
    const fresh = order.filter((tile) => !this.#made.has(tile));
    this.#made = made;
    this.root.style.setProperty("--count", String(Math.max(7, order.length)));
    this.root.replaceChildren(...made.values());
    for (const [tile, element] of made) {
      const aside = apart.includes(tile);
      element.classList.toggle("apart", aside);
      element.setAttribute("aria-label", aside ? `${tile}, ${why}` : tile);
    }
    for (const tile of fresh) {
      const element = made.get(tile);
      if (from && element) comeFrom(element, from);
    }
  }
}

/** @param {string} tile */
function lying(tile) {
  return el("li", { "data-tile": tile }, tileFace(...halves(tile)));
}
