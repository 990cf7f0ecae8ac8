/**
 * The field with the chain in it: the tiles that lie there, the places at the open ends, the sum of
 * a score beside the tile that made it.
 *
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").End} End
 * @typedef {import("../types.js").Lay} Lay
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./flight.js").Pose} Pose
 * @typedef {import("./layout.js").Layout} Layout
 *
 * @typedef {object} Shown
 * @property {Lay[]} offered  the ends that the chosen tile can go to
 * @property {Lay | null} pending  a tile laid but not saved yet
 * @property {boolean} [calm]  nothing is seen to move: this does not follow on what was shown
 *
 * @typedef {object} Does
 * @property {(lay: Lay) => void} play
 * @property {() => void} cancel  the field itself was pressed
 * @property {(tile: string, seat: number | null) => DOMRect | null} origin  where a tile that is
 *   laid comes from: of a seat, or of the viewer's own hand
 * @property {(tile: string) => void} landed
 */

import { el } from "../ui/dom.js";
import { LaidTiles } from "./laid.js";
import { layout } from "./layout.js";
import { Places } from "./places.js";
import { Tally } from "./tally.js";
import { Zoom } from "./zoom.js";

export class ChainBoard {
  /** @type {DominoView | null} */
  #view = null;
  /** @type {Shown} */
  #shown = { offered: [], pending: null };
  /** @type {Layout | null} */
  #layout = null;
  /** What the layout was made of, so that nothing is searched twice. */
  #made = "";
  /** Nothing moves when the page shows the table for the first time. */
  #drawn = false;

  /**
   * @param {Translate} t
   * @param {Does} does
   */
  constructor(t, does) {
    this.does = does;
    this.laid = new LaidTiles(t);
    this.places = new Places(t, does.play);
    this.tally = new Tally();
    this.inner = el("div", { class: "inner" }, this.laid.root, this.places.root, this.tally.root);
    this.root = el("div", { class: "field" }, this.inner);
    this.zoom = new Zoom(t, this.root, this.inner);
    this.root.append(this.zoom.back);
    this.root.addEventListener("click", (event) => {
      if (!(event.target instanceof Element && event.target.closest("button"))) does.cancel();
    });
    new ResizeObserver(() => this.#draw()).observe(this.root);
  }

  /**
   * @param {DominoView} view
   * @param {Shown} shown
   */
  update(view, shown) {
    if (this.#view && this.#view.hand !== view.hand) {
      this.#layout = null;
      this.tally.clear();
    }
    this.#view = view;
    this.#shown = shown;
    this.#draw();
  }

  /**
   * The arithmetic of a score, beside its tile.
   *
   * @param {string} tile
   * @param {string} sum
   * @param {number} points
   */
  score(tile, sum, points) {
    this.tally.show(tile, sum, points);
    this.#placeTally();
  }

  /** The places for the next tile are left free, too. */
  #placeTally() {
    const drops = (this.#layout?.drops ?? []).map(({ box }) => ({ tile: "", box }));
    this.tally.place([...(this.#layout?.tiles ?? []), ...drops], this.#size);
  }

  /**
   * Where an end lies, as a word: "to the left".
   *
   * @param {End | null} end
   */
  sideName(end) {
    return this.places.sideName(end);
  }

  get #size() {
    return { width: this.root.clientWidth, height: this.root.clientHeight };
  }

  #draw() {
    const view = this.#view;
    const { width, height } = this.#size;
    if (!view || width === 0 || height === 0) return;
    const made = [width, height, view.hand, view.placed.length, view.stavka].join(" ");
    if (made !== this.#made || !this.#layout) {
      const ends = view.ends.map((one) => one.end);
      const chain = { placed: view.placed, stavka: view.stavka, ends };
      this.#layout = layout(chain, width, height, this.#layout?.shape ?? null);
      this.#made = made;
    }
    const { tiles, drops, unit } = this.#layout;
    this.root.style.setProperty("--unit", `${unit}px`);
    this.zoom.allow(unit);
    const origin = (/** @type {string} */ tile, /** @type {number | null} */ seat) =>
      this.places.pendingPose(tile) ?? this.#poseOf(this.does.origin(tile, seat));
    const moves = this.#drawn && !this.#shown.calm;
    this.laid.update(view, tiles, moves ? origin : null, this.does.landed);
    this.places.update(view, drops, tiles, this.#shown, (tile) => origin(tile, null));
    this.#placeTally();
    this.#drawn = true;
  }

  /**
   * A place of the window as one of the inner layer.
   *
   * @param {DOMRect | null} box
   * @returns {Pose | null}
   */
  #poseOf(box) {
    if (!box || box.width === 0) return null;
    const { left, top } = this.inner.getBoundingClientRect();
    const { scale } = this.zoom;
    return {
      x: (box.x + box.width / 2 - left) / scale,
      y: (box.y + box.height / 2 - top) / scale,
      unit: Math.min(box.width, box.height) / scale,
      angle: 0,
    };
  }
}
