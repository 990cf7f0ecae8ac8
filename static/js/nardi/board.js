/**
 * The nardi board: a picture of points and checkers, and over it a real button for every point
 * that can be pressed.
 *
 * @typedef {import("../types.js").Reach} Reach
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./geometry.js").Geometry} Geometry
 * @typedef {import("./picture.js").Shown} Shown
 */

import { button, el, svg } from "../ui/dom.js";
import { geometry, spot } from "./geometry.js";
import { checkerAt, pictureOf, placeOf, reachable } from "./picture.js";
import { BAR, OFF, keyOf, onScreen, stepped } from "./position.js";

const SLIDE = 240;

export class NardiBoard {
  /** @type {Shown | null} */
  #shown = null;
  /** @type {Geometry | null} */
  #geometry = null;
  #picture = svg("svg", { class: "picture", "aria-hidden": "true" });
  #buttons = el("div", { class: "points" });

  /**
   * @param {Translate} t
   * @param {(point: number) => void} press  a point, 25 the bar, 0 the tray
   * @param {() => void} cancel
   */
  constructor(t, press, cancel) {
    this.t = t;
    this.press = press;
    this.#buttons.setAttribute("role", "group");
    this.#buttons.setAttribute("aria-label", t("nardi.board"));
    this.root = el("div", { class: "field nardi-field" }, this.#buttons);
    this.root.prepend(this.#picture);
    this.root.addEventListener("click", (event) => {
      if (!(event.target instanceof HTMLButtonElement)) cancel();
    });
    new ResizeObserver(() => this.#draw()).observe(this.root);
  }

  /** @param {Shown} shown */
  update(shown) {
    this.#shown = shown;
    this.#draw();
  }

  /**
   * One checker goes its way before the eyes; the position shown is the one after it.
   *
   * @param {boolean} own
   * @param {number} source  in the mover's numbering
   * @param {number} target
   * @param {boolean} kill
   */
  async slide(own, source, target, kill) {
    const shown = this.#shown;
    const where = this.#geometry;
    if (!shown || !where) return;
    const before = own ? shown.position.own : shown.position.rival;
    const from = onScreen(source, own);
    const to = onScreen(target, own);
    const count = before[from] ?? 0;
    if (count === 0) return;
    const start = spot(placeOf(where, from, own), count - 1, count, where.size);
    const position = stepped(shown.position, own, source, target, kill);
    const landed = (own ? position.own : position.rival)[to] ?? 1;
    const end = spot(placeOf(where, to, own), landed - 1, landed, where.size);
    const checker = checkerAt(start, where.size, own === shown.light);
    const lifted = { ...shown.position, [own ? "own" : "rival"]: less(before, from) };
    this.update({ ...shown, position: lifted, marks: [], chosen: null, reach: {} });
    this.#picture.append(checker);
    const motion = checker.animate(
      [
        { transform: "translate(0, 0)" },
        { transform: `translate(${end.x - start.x}px, ${end.y - start.y}px)` },
      ],
      { duration: SLIDE, easing: "ease-in-out" },
    );
    await motion.finished.catch(() => undefined);
    checker.remove();
    this.update({ ...shown, position, marks: [], chosen: null, reach: {} });
  }

  #draw() {
    const shown = this.#shown;
    const width = this.root.clientWidth;
    const height = this.root.clientHeight;
    if (!shown || width === 0 || height === 0) return;
    this.#geometry = geometry(width, height);
    this.#picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#picture.replaceChildren(...pictureOf(shown, this.#geometry));
    this.#drawButtons();
  }

  #drawButtons() {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.point;
    const made = [];
    for (let point = BAR; point >= OFF; point -= 1) made.push(this.#button(point));
    this.#buttons.replaceChildren(...made);
    if (focused) {
      /** @type {HTMLElement | null} */
      (this.#buttons.querySelector(`[data-point="${focused}"]`))?.focus();
    }
  }

  /**
   * @param {number} point
   * @returns {HTMLElement}
   */
  #button(point) {
    const shown = /** @type {Shown} */ (this.#shown);
    const where = /** @type {Geometry} */ (this.#geometry);
    const way = reachable(shown).find((one) => one.to === point);
    const key = keyOf(point);
    const mine = (shown.position.own[point] ?? 0) > 0;
    const pressed = shown.asked && (way !== undefined || (mine && point !== OFF));
    const spoken = this.#spoken(point, way);
    const made = pressed ? button("", () => this.press(point)) : el("div", { role: "img" });
    made.setAttribute("aria-label", spoken);
    made.className = "spot";
    made.dataset.point = key;
    const movable = mine && (shown.reach[key]?.length ?? 0) > 0;
    if (pressed) {
      made.classList.toggle("movable", movable && shown.chosen === null);
      made.classList.toggle("to", way !== undefined);
      if (way === undefined) made.setAttribute("aria-pressed", String(shown.chosen === point));
      if (way === undefined && !movable) made.setAttribute("aria-disabled", "true");
    }
    const { box, edge } = placeOf(where, point, true);
    made.dataset.edge = edge;
    made.style.width = `${box.width}px`;
    made.style.height = `${box.height}px`;
    made.style.transform = `translate(${box.x}px, ${box.y}px)`;
    return made;
  }

  /**
   * @param {number} point
   * @param {Reach | undefined} way
   */
  #spoken(point, way) {
    const { position, watched } = /** @type {Shown} */ (this.#shown);
    const own = position.own[point] ?? 0;
    const rival = position.rival[point] ?? 0;
    const [ours, theirs] = watched
      ? ["nardi.light_checkers", "nardi.dark_checkers"]
      : ["nardi.own_checkers", "nardi.rival_checkers"];
    const words = [
      point === BAR ? this.t("nardi.bar") : point === OFF ? this.t("nardi.tray") : String(point),
    ];
    if (own > 0) words.push(this.t(ours, { count: own }));
    if (rival > 0) words.push(this.t(theirs, { count: rival }));
    if (way) {
      words.push(this.t("nardi.put_here", { dice: way.dice.join(" + ") }));
      if (way.kills.length > 0) words.push(this.t("nardi.kills"));
    }
    return words.join(", ");
  }
}

/**
 * @param {number[]} counts
 * @param {number} point
 */
function less(counts, point) {
  return counts.map((count, n) => (n === point ? count - 1 : count));
}
