/**
 * How a score came about, for a moment, beside the tile that made it: "4 + 10 + 1 = 15", "+15".
 * The bar says the same for whoever cannot see it.
 *
 * @typedef {import("./layout.js").Box} Box
 */

import { el } from "../ui/dom.js";
import { GLIDE, animate } from "./flight.js";

/** So long it stays, in milliseconds, and so far from the tile, in pixels. */
const STAYS = 2600;
const AWAY = 6;

/**
 * Where it covers least of what lies there: above the tile, below it, or at its sides.
 *
 * @param {{width: number, height: number}} size
 * @param {Box} tile
 * @param {Box[]} others
 * @param {{width: number, height: number}} field
 * @returns {{x: number, y: number}}
 */
export function beside(size, tile, others, field) {
  const { width, height } = size;
  const x = tile.x + (tile.width - width) / 2;
  const y = tile.y + (tile.height - height) / 2;
  const spots = [
    { x, y: tile.y - height - AWAY },
    { x, y: tile.y + tile.height + AWAY },
    { x: tile.x + tile.width + AWAY, y },
    { x: tile.x - width - AWAY, y },
  ].map((spot) => ({
    x: Math.max(AWAY, Math.min(spot.x, field.width - width - AWAY)),
    y: Math.max(AWAY, Math.min(spot.y, field.height - height - AWAY)),
  }));
  const covered = spots.map((spot) =>
    others.reduce((sum, other) => sum + shared({ ...spot, ...size }, other), 0),
  );
  const best = covered.indexOf(Math.min(...covered));
  return spots[best] ?? { x, y };
}

/**
 * @param {Box} a
 * @param {Box} b
 */
function shared(a, b) {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const tall = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, wide) * Math.max(0, tall);
}

export class Tally {
  #timer = 0;
  #sum = el("span", {});
  #points = el("strong", {});
  /** The tile that it is about. */
  #tile = "";

  constructor() {
    this.root = el("div", { class: "tally", "aria-hidden": "true" }, this.#sum, this.#points);
    this.clear();
  }

  /**
   * @param {string} tile
   * @param {string} sum
   * @param {number} points
   */
  show(tile, sum, points) {
    const { root } = this;
    clearTimeout(this.#timer);
    this.#tile = tile;
    this.#sum.textContent = sum;
    this.#points.textContent = `+${points}`;
    root.classList.remove("gone");
    animate(root, [{ opacity: 0, scale: 0.7 }, { opacity: 1, scale: 1 }], GLIDE);
    this.#timer = setTimeout(() => this.clear(), STAYS);
  }

  /**
   * Beside its tile, where that lies now.
   *
   * @param {{tile: string, box: Box}[]} tiles
   * @param {{width: number, height: number}} field
   */
  place(tiles, field) {
    const about = tiles.find((one) => one.tile === this.#tile);
    if (!about || this.root.classList.contains("gone")) return;
    const size = { width: this.root.offsetWidth, height: this.root.offsetHeight };
    const { x, y } = beside(size, about.box, tiles.map((one) => one.box), field);
    this.root.style.transform = `translate(${x}px, ${y}px)`;
  }

  clear() {
    clearTimeout(this.#timer);
    this.root.classList.add("gone");
  }
}
