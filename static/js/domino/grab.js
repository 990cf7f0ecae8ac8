/**
 * Tiles taken out of the hand: dropped at a lit end they are played, among the others they change
 * their order, elsewhere they go back.
 *
 * @typedef {import("../types.js").Lay} Lay
 * @typedef {import("./hand.js").Hand} Hand
 * @typedef {import("./places.js").Places} Places
 * @typedef {{tile: string, ghost: HTMLElement, from: DOMRect, x: number, y: number}} Held
 */

import { draggable } from "../ui/drag.js";
import { el } from "../ui/dom.js";
import { GLIDE, animate } from "./flight.js";
import { halves, tileFace } from "./tile.js";

/** A tile dropped so near to a lit end is meant for it, in pixels. */
const REACH = 72;

export class Grab {
  /** @type {Held | null} */
  #held = null;

  /**
   * @param {HTMLElement} root
   * @param {Hand} hand
   * @param {Places} places
   * @param {object} does
   * @param {(tile: string) => boolean} does.take  light the tile's ends; false: there are none
   * @param {(lay: Lay) => void} does.play
   * @param {(tile: string) => void} does.whyNot  it was dropped on the field, where it fits nowhere
   * @param {() => void} does.back
   */
  constructor(root, hand, places, does) {
    this.root = root;
    this.hand = hand;
    this.places = places;
    this.does = does;
    this.stop = draggable(root, {
      lift: (target, x, y) => this.#lift(target, x, y),
      move: (held, x, y) => this.#move(held, x, y),
      drop: (held, x, y) => this.#drop(held, x, y),
      cancel: (held) => this.#back(held),
    });
  }

  /** The tile in the air. */
  get held() {
    return this.#held?.tile ?? null;
  }

  /**
   * Where the tile in the air is.
   *
   * @param {string} tile
   */
  place(tile) {
    return this.#held?.tile === tile ? this.#held.ghost.getBoundingClientRect() : null;
  }

  /**
   * @param {Element} target
   * @param {number} x
   * @param {number} y
   * @returns {Held | null}
   */
  #lift(target, x, y) {
    const tile = /** @type {HTMLElement | null} */ (target.closest(".hand .own"))?.dataset.tile;
    const from = tile ? this.hand.place(tile) : null;
    if (!tile || !from) return null;
    this.does.take(tile);
    const ghost = el("div", { class: "ghost", "aria-hidden": "true" }, tileFace(...halves(tile)));
    ghost.style.width = `${from.width}px`;
    ghost.style.height = `${from.height}px`;
    this.root.append(ghost);
    this.#held = { tile, ghost, from, x, y };
    this.#mark(tile, true);
    return this.#held;
  }

  /**
   * @param {Held} held
   * @param {number} x
   * @param {number} y
   */
  #move({ ghost, from, x: x0, y: y0 }, x, y) {
    ghost.style.transform = `translate(${from.x + x - x0}px, ${from.y + y - y0}px)`;
    this.#near(this.#target(x, y)?.element);
  }

  /**
   * @param {Held} held
   * @param {number} x
   * @param {number} y
   */
  #drop(held, x, y) {
    const target = this.#target(x, y);
    const over = document.elementsFromPoint(x, y);
    if (target) {
      this.does.play(target.lay);
      this.#end(held);
      return;
    }
    if (over.some((one) => one === this.hand.root)) {
      this.hand.put(held.tile, x, y);
      this.#back(held);
      return;
    }
    if (over.some((one) => one.classList.contains("field"))) this.does.whyNot(held.tile);
    this.#back(held);
  }

  /** @param {Held} held */
  async #back(held) {
    this.does.back();
    const { ghost, tile } = held;
    const to = this.hand.place(tile);
    this.#held = null;
    this.#near();
    if (to) {
      const end = `translate(${to.x}px, ${to.y}px)`;
      await animate(ghost, [{ transform: ghost.style.transform }, { transform: end }], GLIDE);
    }
    this.#end(held);
  }

  /** @param {Held} held */
  #end({ tile, ghost }) {
    ghost.remove();
    this.#near();
    this.#mark(tile, false);
    if (this.#held?.tile === tile) this.#held = null;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #target(x, y) {
    return this.places.nearest(x, y, REACH);
  }

  /** @param {HTMLElement} [end]  the one that the tile would go to */
  #near(end) {
    for (const one of this.places.root.children) one.classList.toggle("near", one === end);
  }

  /**
   * @param {string} tile
   * @param {boolean} lifted
   */
  #mark(tile, lifted) {
    this.hand.root.querySelector(`[data-tile="${tile}"]`)?.classList.toggle("lifted", lifted);
  }
}
