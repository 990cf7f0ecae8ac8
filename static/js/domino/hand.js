/**
 * The viewer's own tiles as buttons, playable ones standing out.
 *
 * @typedef {import("../types.js").Lay} Lay
 * @typedef {import("../types.js").Translate} Translate
 *
 * @typedef {object} Shown
 * @property {number} hand  the number of the hand
 * @property {string[]} tiles
 * @property {Lay[]} lays  what may be laid now
 * @property {boolean} turn  is it the viewer's turn to lay
 * @property {string | null} chosen
 * @property {string | null} pending
 * @property {boolean} sort  is the hand kept sorted
 */

import { button, el } from "../ui/dom.js";
import { GLIDE, animate, comeFrom } from "./flight.js";
import { kept, moved, sorted } from "./order.js";
import { halves, tileFace } from "./tile.js";

/** One row holds so many on a phone. */
const ROW = 7;
/** Between the tiles of a deal, in milliseconds. */
const STEP = 25;

export class Hand {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  /** @type {string[]} */
  #order = [];
  #hand = 0;

  /**
   * @param {Translate} t
   * @param {(tile: string, byKey: boolean) => void} press
   */
  constructor(t, press) {
    this.t = t;
    this.press = press;
    this.root = el("div", { class: "hand", role: "group", "aria-label": t("domino.hand") });
    this.root.addEventListener("keydown", (event) => this.#walk(event));
  }

  /** @param {string} tile */
  place(tile) {
    return this.#buttons.get(tile)?.getBoundingClientRect() ?? null;
  }

  /** Sorted now; what comes later stands behind. */
  sort() {
    this.#arrange(sorted(this.#order));
  }

  /**
   * A tile goes to where the nearest one stands.
   *
   * @param {string} tile
   * @param {number} x
   * @param {number} y
   */
  put(tile, x, y) {
    let target = tile;
    let least = Infinity;
    for (const [name, made] of this.#buttons) {
      const box = made.getBoundingClientRect();
      const far = Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
      if (far >= least) continue;
      least = far;
      target = name;
    }
    this.#arrange(moved(this.#order, tile, target));
  }

  /** Something that can be played takes the focus, else whatever there is. */
  focus() {
    const found = this.root.querySelector(".playable") ?? this.root.firstElementChild;
    /** @type {HTMLElement | null} */ (found)?.focus({ preventScroll: true });
  }

  /**
   * @param {Shown} shown
   * @param {(end: Lay["end"]) => string} sideName
   * @param {DOMRect | null} bazaar  where new tiles come from
   */
  update(shown, sideName, bazaar) {
    const { hand, tiles, sort } = shown;
    const first = this.#hand === 0;
    const before = hand === this.#hand ? this.#order : [];
    this.#hand = hand;
    for (const [tile, made] of this.#buttons) {
      if (tiles.includes(tile)) continue;
      made.remove();
      this.#buttons.delete(tile);
    }
    const fresh = tiles.filter((tile) => !this.#buttons.has(tile));
    for (const tile of fresh) this.#buttons.set(tile, this.#make(tile));
    const order = kept(before, tiles);
    this.#arrange(sort ? sorted(order) : order);
    for (const tile of tiles) this.#mark(tile, shown, sideName);
    if (first) return;
    fresh.forEach((tile, n) => {
      const made = this.#buttons.get(tile);
      if (made) comeFrom(made, bazaar, n * STEP);
    });
  }

  /** @param {string} tile */
  #make(tile) {
    const made = button("", () => {}, "own");
    made.addEventListener("click", (event) => this.press(tile, event.detail === 0));
    made.append(tileFace(...halves(tile)));
    made.dataset.tile = tile;
    return made;
  }

  /**
   * The tiles glide to where they stand now.
   *
   * @param {string[]} order
   */
  #arrange(order) {
    const { root } = this;
    const focused = document.activeElement;
    const places = new Map(order.map((tile) => [tile, this.place(tile)]));
    this.#order = order;
    root.style.setProperty("--columns", String(columns(order.length)));
    root.classList.toggle("full", order.length > ROW);
    order.forEach((tile, n) => {
      const made = this.#buttons.get(tile);
      if (made && root.children[n] !== made) root.insertBefore(made, root.children[n] ?? null);
    });
    if (focused instanceof HTMLElement && root.contains(focused)) focused.focus();
    for (const [tile, from] of places) {
      const made = this.#buttons.get(tile);
      const to = made?.getBoundingClientRect();
      if (!made || !from?.width || !to) continue;
      const start = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
      if (from.x === to.x && from.y === to.y) continue;
      animate(made, [{ transform: start }, {}], GLIDE);
    }
  }

  /**
   * @param {string} tile
   * @param {Shown} shown
   * @param {(end: Lay["end"]) => string} sideName
   */
  #mark(tile, { lays, turn, chosen, pending }, sideName) {
    const made = this.#buttons.get(tile);
    if (!made) return;
    const fits = lays.filter((lay) => lay.tile === tile);
    made.setAttribute("aria-label", this.#spoken(tile, fits, turn, sideName));
    made.setAttribute("aria-pressed", String(tile === chosen));
    // Dimmed tiles stay buttons: pressing one says why it cannot be laid.
    if (fits.length > 0) made.removeAttribute("aria-disabled");
    else made.setAttribute("aria-disabled", "true");
    made.classList.toggle("playable", fits.length > 0);
    made.classList.toggle("dim", turn && fits.length === 0);
    made.classList.toggle("pending", tile === pending);
  }

  /**
   * @param {string} tile
   * @param {Lay[]} fits
   * @param {boolean} turn
   * @param {(end: Lay["end"]) => string} sideName
   */
  #spoken(tile, fits, turn, sideName) {
    if (!turn) return tile;
    if (fits.length === 0) return this.t("domino.tile_no", { tile });
    const ends = fits.map((lay) =>
      this.t("domino.tile_end", { side: sideName(lay.end), points: lay.points }),
    );
    return `${tile}: ${ends.join("; ")}`;
  }

  /**
   * The arrow keys go from tile to tile.
   *
   * @param {KeyboardEvent} event
   */
  #walk(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = [...this.root.children].findIndex((one) => one === document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    /** @type {HTMLElement | undefined} */ (this.root.children[at + step])?.focus();
  }
}

/**
 * How many stand in a row on a phone. Two rows from the eighth on; the tiles before stay in theirs.
 *
 * @param {number} count
 */
function columns(count) {
  return count <= ROW ? Math.max(1, count) : Math.max(ROW, Math.ceil(count / 2));
}
