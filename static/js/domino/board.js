/**
 * The chain in its field, with a place at every open end.
 *
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").End} End
 * @typedef {import("../types.js").Lay} Lay
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./layout.js").Box} Box
 * @typedef {import("./layout.js").Drop} Drop
 * @typedef {import("./layout.js").LaidTile} LaidTile
 */

import { button, el, still } from "../ui/dom.js";
import { layout } from "./layout.js";
import { halves, tileFace } from "./tile.js";
import { counts } from "./words.js";

export class ChainBoard {
  /** @type {DominoView | null} */
  #view = null;
  /** @type {Lay[]} */
  #offered = [];
  /** @type {Lay | null} */
  #pending = null;
  /** @type {import("./layout.js").Shape | null} */
  #shape = null;
  /** @type {Map<string, {element: HTMLLIElement, drawn: string}>} */
  #stones = new Map();
  #chain;
  #places;
  /** @type {Map<End | "open", string>} where each end lies, in words */
  #sides = new Map();

  /**
   * @param {Translate} t
   * @param {(lay: Lay) => void} play
   * @param {() => void} cancel  the field itself was pressed
   */
  constructor(t, play, cancel) {
    this.t = t;
    this.play = play;
    this.#chain = el("ol", { class: "chain", "aria-label": t("domino.chain") });
    this.#places = el("div", { class: "places" });
    this.root = el("div", { class: "field" }, this.#chain, this.#places);
    this.root.addEventListener("click", (event) => {
      if (event.target === this.root || event.target === this.#chain) cancel();
    });
    new ResizeObserver(() => this.#draw()).observe(this.root);
  }

  /**
   * @param {DominoView} view
   * @param {Lay[]} offered  the ends that the chosen tile can go to
   * @param {Lay | null} pending  a tile laid but not saved yet
   */
  update(view, offered, pending) {
    if (this.#view && this.#view.hand !== view.hand) this.#shape = null;
    this.#view = view;
    this.#offered = offered;
    this.#pending = pending;
    this.#draw();
  }

  /**
   * Where an end lies, as a word: "to the left".
   *
   * @param {End | null} end
   */
  sideName(end) {
    return this.#sides.get(end ?? "open") ?? "";
  }

  #draw() {
    const view = this.#view;
    const width = this.root.clientWidth;
    const height = this.root.clientHeight;
    if (!view || width === 0 || height === 0) return;
    const ends = view.ends.map((one) => one.end);
    const { tiles, drops, shape, unit } = layout(
      { placed: view.placed, stavka: view.stavka, ends },
      width,
      height,
      this.#shape,
    );
    this.#shape = shape;
    this.root.style.setProperty("--unit", `${unit}px`);
    this.#drawTiles(view, tiles);
    this.#drawPlaces(view, drops);
  }

  /**
   * @param {DominoView} view
   * @param {LaidTile[]} tiles
   */
  #drawTiles(view, tiles) {
    const here = new Set(tiles.map((one) => one.tile));
    for (const [name, { element }] of this.#stones) {
      if (here.has(name)) continue;
      element.remove();
      this.#stones.delete(name);
    }
    const fresh = this.#stones.size > 0 || view.placed.length === 1;
    for (const one of [...tiles].sort((a, b) => a.index - b.index)) {
      const level = one.box.width > one.box.height;
      const drawn = `${one.halves.join("-")} ${level}`;
      let stone = this.#stones.get(one.tile);
      if (!stone) {
        stone = { element: el("li", { class: "stone" }), drawn: "" };
        this.#stones.set(one.tile, stone);
        this.#chain.append(stone.element);
        if (fresh) this.#arrive(stone.element, one, view);
      }
      if (stone.drawn !== drawn) {
        stone.element.replaceChildren(tileFace(one.halves[0], one.halves[1], level));
        stone.drawn = drawn;
      }
      setBox(stone.element, one.box);
      const stavka = one.tile === view.stavka;
      const last = one.index === view.placed.length - 1;
      stone.element.classList.toggle("stavka", stavka);
      stone.element.classList.toggle("last", last);
      const words = [one.tile];
      if (stavka) words.push(this.t("domino.stavka"));
      if (last) words.push(this.t("domino.last"));
      stone.element.setAttribute("aria-label", words.join(", "));
    }
  }

  /**
   * A new tile comes from the side of whoever laid it.
   *
   * @param {HTMLElement} element
   * @param {LaidTile} tile
   * @param {DominoView} view
   */
  #arrive(element, tile, view) {
    if (still() || document.hidden) return;
    const own = view.placed[tile.index]?.seat === (view.seat ?? 0);
    const from = own ? this.root.clientHeight : -tile.box.height;
    element.animate(
      [
        { transform: `translate(${this.root.clientWidth / 2}px, ${from}px)`, opacity: 0.3 },
        { transform: `translate(${tile.box.x}px, ${tile.box.y}px)`, opacity: 1 },
      ],
      { duration: 260, easing: "ease-out" },
    );
  }

  /**
   * @param {DominoView} view
   * @param {Drop[]} drops
   */
  #drawPlaces(view, drops) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.end;
    this.#sides.clear();
    const places = drops.map((drop) => {
      const side = drop.side ? this.t(`domino.side.${drop.side}`) : this.t("domino.side.middle");
      this.#sides.set(drop.end ?? "open", side);
      const place = this.#place(view, drop, side);
      setBox(place, drop.box);
      return place;
    });
    this.#places.replaceChildren(...places);
    if (focused) {
      /** @type {HTMLElement | null} */
      (this.#places.querySelector(`button[data-end="${focused}"]`))?.focus();
    }
  }

  /**
   * @param {DominoView} view
   * @param {Drop} drop
   * @param {string} side
   * @returns {HTMLElement}
   */
  #place(view, drop, side) {
    const end = drop.end;
    if (this.#pending && this.#pending.end === end) {
      const [low, high] = halves(this.#pending.tile);
      const level = drop.box.width > drop.box.height;
      return el("div", { class: "place pending" }, tileFace(low, high, level));
    }
    const lay = this.#offered.find((one) => one.end === end);
    if (lay) {
      const label = this.t("domino.play_here", { tile: lay.tile, side, points: lay.points });
      const made = button(lay.points > 0 ? `+${lay.points}` : "0", () => this.play(lay), "place open");
      made.setAttribute("aria-label", label);
      made.dataset.end = end ?? "open";
      made.classList.toggle("scores", lay.points > 0);
      return made;
    }
    const open = view.ends.find((one) => one.end === end);
    const value = open && counts(view, open) ? String(open.value) : "";
    return el("div", { class: "place", "aria-hidden": "true" }, value);
  }
}

/**
 * @param {HTMLElement} element
 * @param {Box} box
 */
function setBox(element, box) {
  element.style.width = `${box.width}px`;
  element.style.height = `${box.height}px`;
  element.style.transform = `translate(${box.x}px, ${box.y}px)`;
}
