/**
 * The nardi board: a picture of points and checkers, and over it a real button for every point
 * that can be pressed. A checker can be dragged as well.
 *
 * @typedef {import("../types.js").Reach} Reach
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./geometry.js").Geometry} Geometry
 * @typedef {import("./geometry.js").Spot} Spot
 * @typedef {import("./picture.js").Shown} Shown
 * @typedef {import("./position.js").Step} Step
 *
 * @typedef {object} Does
 * @property {(point: number) => void} press   a point, 25 the bar, 0 the tray
 * @property {(point: number) => void} choose  a checker is taken up
 * @property {(point: number, way: Reach) => void} put  and put down where it can go
 * @property {() => void} cancel
 * @property {(point: number) => void} miss  a point was pressed where nothing can be done
 */

import { el, still, svg } from "../ui/dom.js";
import { draggable } from "../ui/drag.js";
import { geometry, spot } from "./geometry.js";
import { checkerAt, pictureOf, placeOf, reachable } from "./picture.js";
import { BAR, onScreen, rowOf, stepped } from "./position.js";
import { Spots } from "./spots.js";

const SLIDE = 240;
/** A dragged checker may be let go so far from the place that is meant. */
const NEAR = 24;

export class NardiBoard {
  /** @type {Shown | null} */
  #shown = null;
  /** @type {Geometry | null} */
  #geometry = null;
  #picture = svg("svg", { class: "picture", "aria-hidden": "true" });
  /** @type {{point: number, checker: SVGElement, at: Spot} | null} the checker in the hand */
  #held = null;

  /**
   * @param {Translate} t
   * @param {Does} does
   */
  constructor(t, does) {
    this.does = does;
    this.spots = new Spots(t, (point) => does.press(point));
    this.root = el("div", { class: "field nardi-field" }, this.spots.root);
    this.root.prepend(this.#picture);
    this.root.addEventListener("click", (event) => {
      if (event.target instanceof HTMLButtonElement || !(event.target instanceof HTMLElement)) return;
      const { point } = event.target.dataset;
      if (point === undefined) does.cancel();
      else does.miss(point === "bar" ? BAR : Number(point));
    });
    this.letGo = draggable(this.root, {
      lift: (target) => this.#lift(target),
      move: (_, x, y) => this.#carry(x, y),
      drop: (point, x, y) => this.#drop(point, x, y),
      cancel: () => this.#putBack(),
    });
    new ResizeObserver(() => this.#draw()).observe(this.root);
  }

  /** @param {Shown} shown */
  update(shown) {
    this.#shown = shown;
    if (this.#held && shown.chosen !== this.#held.point) this.letGo();
    this.#draw();
  }

  /**
   * One checker goes its way before the eyes, and a killed one after it to the bar; the position
   * shown is the one after it.
   *
   * @param {boolean} own
   * @param {Step} step
   * @param {boolean} back  is it taken back
   * @param {() => void} landed
   */
  async slide(own, { source, target, kill }, back, landed) {
    const shown = this.#shown;
    if (!shown) return landed();
    const calm = { ...shown, marks: [], chosen: null, reach: {}, pending: null };
    const from = onScreen(source, own);
    const to = onScreen(target, own);
    const sign = back ? -1 : 1;
    await (back ? this.#travel(calm, own, to, from) : this.#travel(calm, own, from, to));
    landed();
    if (kill) {
      const met = { ...calm, position: stepped(shown.position, own, source, target, false, sign) };
      await (back ? this.#travel(met, !own, BAR, to) : this.#travel(met, !own, to, BAR));
    }
    this.update({ ...calm, position: stepped(shown.position, own, source, target, kill, sign) });
  }

  /**
   * @param {Shown} shown
   * @param {boolean} own
   * @param {number} from
   * @param {number} to
   */
  async #travel(shown, own, from, to) {
    const where = this.#geometry;
    const row = rowOf(shown.position, own);
    const count = row[from] ?? 0;
    if (!where || count === 0) return;
    const start = spot(placeOf(where, from, own), count - 1, count, where.size);
    const landed = (row[to] ?? 0) + 1;
    const end = spot(placeOf(where, to, own), landed - 1, landed, where.size);
    const lifted = row.map((n, point) => (point === from ? n - 1 : n));
    this.update({ ...shown, position: { ...shown.position, [own ? "own" : "rival"]: lifted } });
    const checker = checkerAt(start, where.size, own === shown.light);
    await this.#glide(checker, { x: 0, y: 0 }, { x: end.x - start.x, y: end.y - start.y });
  }

  /**
   * @param {SVGElement} checker
   * @param {Spot} from  off the place where it is drawn
   * @param {Spot} to
   */
  async #glide(checker, from, to) {
    this.#picture.append(checker);
    const motion = checker.animate(
      [
        { transform: `translate(${from.x}px, ${from.y}px)` },
        { transform: `translate(${to.x}px, ${to.y}px)` },
      ],
      { duration: SLIDE, easing: "ease-in-out" },
    );
    await motion.finished.catch(() => undefined);
    checker.remove();
  }

  /**
   * @param {Element} target
   * @returns {number | null}
   */
  #lift(target) {
    const shown = this.#shown;
    const where = this.#geometry;
    const key = /** @type {HTMLElement | null} */ (target.closest("button.spot"))?.dataset.point;
    if (!shown?.asked || !where || !key || !shown.reach[key]?.length) return null;
    const point = key === "bar" ? BAR : Number(key);
    const count = shown.position.own[point] ?? 0;
    const at = spot(placeOf(where, point, true), count - 1, count, where.size);
    const checker = checkerAt(at, where.size, shown.light);
    checker.classList.add("held");
    this.does.choose(point);
    this.#held = { point, checker, at };
    this.#draw();
    return point;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #carry(x, y) {
    if (!this.#held) return;
    const { checker, at } = this.#held;
    const field = this.root.getBoundingClientRect();
    checker.style.transform = `translate(${x - field.x - at.x}px, ${y - field.y - at.y}px)`;
  }

  /**
   * @param {number} point
   * @param {number} x
   * @param {number} y
   */
  #drop(point, x, y) {
    const way = this.#meant(x, y);
    if (!way) return this.#putBack();
    this.#held = null;
    this.does.put(point, way);
  }

  /**
   * The lit place that a checker let go here is meant for.
   *
   * @param {number} x
   * @param {number} y
   */
  #meant(x, y) {
    const shown = this.#shown;
    if (!shown) return null;
    const near = reachable(shown).map((way) => {
      const box = this.spots.boxOf(way.to);
      const far = Math.hypot(
        Math.max(box.left - x, 0, x - box.right),
        Math.max(box.top - y, 0, y - box.bottom),
      );
      const off = Math.hypot(x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2);
      return { way, far, off };
    });
    near.sort((a, b) => a.far - b.far || a.off - b.off);
    return near.find(({ far }) => far <= NEAR)?.way ?? null;
  }

  #putBack() {
    const held = this.#held;
    this.#held = null;
    this.does.cancel();
    if (!held || still()) return;
    const { checker, at } = held;
    const { x, y } = new DOMMatrix(checker.style.transform || "none").transformPoint(at);
    checker.style.transform = "";
    void this.#glide(checker, { x: x - at.x, y: y - at.y }, { x: 0, y: 0 });
  }

  #draw() {
    const shown = this.#shown;
    const width = this.root.clientWidth;
    const height = this.root.clientHeight;
    if (!shown || width === 0 || height === 0) return;
    this.#geometry = geometry(width, height);
    this.#picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const lifted = this.#held?.point ?? null;
    this.#picture.replaceChildren(...pictureOf({ ...shown, lifted }, this.#geometry));
    if (this.#held) this.#picture.append(this.#held.checker);
    this.spots.update(shown, this.#geometry);
  }
}
