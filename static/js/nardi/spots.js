/**
 * A place to press for every point, the bar and the tray: a real button where something can be
 * done, with its name in words.
 *
 * @typedef {import("../types.js").Reach} Reach
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./geometry.js").Geometry} Geometry
 * @typedef {import("./picture.js").Shown} Shown
 */

import { button, el } from "../ui/dom.js";
import { placeOf, reachable } from "./picture.js";
import { BAR, OFF, keyOf } from "./position.js";

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Spots {
  /** @type {Map<number, HTMLElement>} */
  #spots = new Map();

  /**
   * @param {Translate} t
   * @param {(point: number) => void} press  a point, 25 the bar, 0 the tray
   */
  constructor(t, press) {
    this.t = t;
    this.press = press;
    this.root = el("div", {
      class: "points",
      role: "group",
      tabindex: -1,
      "aria-label": t("nardi.board"),
    });
    this.root.addEventListener("keydown", (event) => this.#arrow(event));
  }

  /**
   * @param {Shown} shown
   * @param {Geometry} where
   */
  update(shown, where) {
    for (let point = BAR; point >= OFF; point -= 1) this.#draw(point, shown, where);
  }

  /** To what can be pressed, for who plays by keyboard. */
  focus() {
    /** @type {HTMLElement} */
    (this.root.querySelector("button.movable") ?? this.root).focus();
  }

  /** @param {number} point */
  boxOf(point) {
    return /** @type {HTMLElement} */ (this.#spots.get(point)).getBoundingClientRect();
  }

  /**
   * @param {number} point
   * @param {Shown} shown
   * @param {Geometry} where
   */
  #draw(point, shown, where) {
    const way = reachable(shown).find((one) => one.to === point);
    const key = keyOf(point);
    const mine = (shown.position.own[point] ?? 0) > 0 && point !== OFF;
    const made = this.#spotOf(point, shown.asked && (way !== undefined || mine));
    const choice = made instanceof HTMLButtonElement && way === undefined;
    const movable = choice && (shown.reach[key]?.length ?? 0) > 0;
    made.setAttribute("aria-label", this.#spoken(shown, point, way));
    made.classList.toggle("movable", movable && shown.chosen === null);
    made.classList.toggle("to", way !== undefined);
    if (choice) made.setAttribute("aria-pressed", String(shown.chosen === point));
    else made.removeAttribute("aria-pressed");
    if (choice && !movable) made.setAttribute("aria-disabled", "true");
    else made.removeAttribute("aria-disabled");
    const { box } = placeOf(where, point, true);
    made.style.width = `${box.width}px`;
    made.style.height = `${box.height}px`;
    made.style.transform = `translate(${box.x}px, ${box.y}px)`;
  }

  /**
   * A point's own element: a button while it can be pressed. A change of it keeps the focus.
   *
   * @param {number} point
   * @param {boolean} pressed
   */
  #spotOf(point, pressed) {
    const old = this.#spots.get(point);
    if (old && old instanceof HTMLButtonElement === pressed) return old;
    const made = pressed
      ? button("", () => this.press(point), "spot")
      : el("div", { class: "spot", role: "img", tabindex: -1 });
    made.dataset.point = keyOf(point);
    const focused = old !== undefined && old === document.activeElement;
    if (old) old.replaceWith(made);
    else this.root.append(made);
    this.#spots.set(point, made);
    if (focused) made.focus();
    return made;
  }

  /** @param {KeyboardEvent} event */
  #arrow(event) {
    const way = ARROWS[event.key];
    const from = document.activeElement?.getBoundingClientRect();
    if (!way || !from) return;
    event.preventDefault();
    const [dx, dy] = way;
    const ranked = [...this.root.querySelectorAll("button")]
      .filter((one) => one !== document.activeElement)
      .map((one) => {
        const box = one.getBoundingClientRect();
        const x = box.x + box.width / 2 - from.x - from.width / 2;
        const y = box.y + box.height / 2 - from.y - from.height / 2;
        const along = x * dx + y * dy;
        return { one, along, far: along + 2 * Math.abs(x * dy + y * dx) };
      })
      .filter(({ along }) => along > 1)
      .sort((a, b) => a.far - b.far);
    ranked[0]?.one.focus();
  }

  /**
   * @param {Shown} shown
   * @param {number} point
   * @param {Reach | undefined} way
   */
  #spoken(shown, point, way) {
    const { position, watched, light } = shown;
    const own = position.own[point] ?? 0;
    const rival = position.rival[point] ?? 0;
    const colours = ["nardi.light_checkers", "nardi.dark_checkers"];
    const whose = ["nardi.own_checkers", "nardi.rival_checkers"];
    const [ours = "", theirs = ""] = !watched ? whose : light ? colours : colours.reverse();
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
