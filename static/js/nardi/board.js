/**
 * The nardi board: a picture of points and checkers, and over it a real button for every point
 * that can be pressed.
 *
 * @typedef {import("../types.js").Reach} Reach
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./geometry.js").Geometry} Geometry
 * @typedef {import("./geometry.js").Place} Place
 * @typedef {import("./position.js").Position} Position
 *
 * @typedef {object} Shown
 * @property {Position} position
 * @property {boolean} light         are the own checkers the light ones
 * @property {boolean} watched       does the viewer play neither side
 * @property {boolean} asked         may the viewer press checkers now
 * @property {Record<string, Reach[]>} reach
 * @property {number | null} chosen  a point, 25 the bar
 * @property {{point: number, source: boolean, own: boolean}[]} marks  of the last turn
 * @property {{source: number, target: number} | null} pending  asked for, not saved yet
 */

import { button, el, svg } from "../ui/dom.js";
import { PILE, geometry, spot, triangle } from "./geometry.js";
import { BAR, OFF, onScreen, stepped } from "./position.js";

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
    const start = spot(this.#place(from, own), count - 1, count, where.size);
    const position = stepped(shown.position, own, source, target, kill);
    const landed = (own ? position.own : position.rival)[to] ?? 1;
    const end = spot(this.#place(to, own), landed - 1, landed, where.size);
    const checker = this.#checker(start.x, start.y, own === shown.light);
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
    this.#picture.replaceChildren(
      ...this.#ground(),
      ...this.#checkers(),
      ...this.#marks(),
      ...this.#targets(),
    );
    this.#drawButtons();
  }

  /** @returns {Node[]} */
  #ground() {
    const { board, points, bar, form } = /** @type {Geometry} */ (this.#geometry);
    const frame = svg("rect", { class: "wood", ...attributes(board), rx: 8 });
    const triangles = points.slice(1).map((place, index) =>
      svg("polygon", {
        class: index % 2 === 0 ? "point even" : "point odd",
        points: triangle(place)
          .map(({ x, y }) => `${x},${y}`)
          .join(" "),
      }),
    );
    const strip =
      form === "wide"
        ? { x: bar.own.box.x, y: board.y, width: bar.own.box.width, height: board.height }
        : { x: board.x, y: bar.own.box.y, width: board.width, height: bar.own.box.height };
    return [frame, ...triangles, svg("rect", { class: "bar-strip", ...attributes(strip) })];
  }

  /** @returns {Node[]} */
  #checkers() {
    const { position, light } = /** @type {Shown} */ (this.#shown);
    /** @type {Node[]} */
    const made = [];
    for (let point = 0; point <= BAR; point += 1) {
      made.push(...this.#pile(point, true, position.own[point] ?? 0, light));
      made.push(...this.#pile(point, false, position.rival[point] ?? 0, !light));
    }
    return made;
  }

  /**
   * @param {number} point
   * @param {boolean} own
   * @param {number} count
   * @param {boolean} light
   * @returns {Node[]}
   */
  #pile(point, own, count, light) {
    const { size } = /** @type {Geometry} */ (this.#geometry);
    const shown = /** @type {Shown} */ (this.#shown);
    const place = this.#place(point, own);
    if (point === OFF) return this.#tray(place, count, light);
    const pile = [];
    for (let n = 0; n < count; n += 1) {
      const { x, y } = spot(place, n, count, size);
      const checker = this.#checker(x, y, light);
      const top = n === count - 1;
      if (own && top && shown.chosen === point) checker.classList.add("chosen");
      if (own && top && shown.pending?.source === point) checker.classList.add("pending");
      if (top && count > PILE) checker.append(label(x, y, String(count)));
      pile.push(checker);
    }
    return pile;
  }

  /**
   * Checkers borne off lie on edge, with their number.
   *
   * @param {Place} place
   * @param {number} count
   * @param {boolean} light
   * @returns {Node[]}
   */
  #tray(place, count, light) {
    const { box } = place;
    const along = box.width > box.height;
    const length = along ? box.width : box.height;
    const thick = (length - 30) / 15;
    const made = [svg("rect", { class: "tray", ...attributes(inset(box, 2)), rx: 5 })];
    for (let n = 0; n < count; n += 1) {
      const far = 28 + n * thick;
      const slice = along
        ? { x: place.edge === "left" ? box.x + far : box.x + box.width - far - thick, y: box.y + 6, width: thick - 1, height: box.height - 12 }
        : { x: box.x + 6, y: place.edge === "top" ? box.y + far : box.y + box.height - far - thick, width: box.width - 12, height: thick - 1 };
      made.push(svg("rect", { class: light ? "slice light" : "slice dark", ...attributes(slice), rx: 1.5 }));
    }
    const { x, y } = spot(place, 0, 1, 30);
    return [...made, svg("text", { class: "off-count", x, y, dy: "0.36em" }, String(count))];
  }

  /**
   * Light and dark differ in more than colour: a ring in the one, a cross in the other.
   *
   * @param {number} x
   * @param {number} y
   * @param {boolean} light
   */
  #checker(x, y, light) {
    const r = /** @type {Geometry} */ (this.#geometry).size / 2 - 1;
    const inner = r * 0.52;
    return svg(
      "g",
      { class: light ? "checker light" : "checker dark" },
      svg("circle", { class: "disc", cx: x, cy: y, r }),
      light
        ? svg("circle", { class: "sign", cx: x, cy: y, r: inner })
        : svg("path", {
            class: "sign",
            d: `M${x - inner} ${y}H${x + inner}M${x} ${y - inner}V${y + inner}`,
          }),
    );
  }

  /** Where checkers of the last turn left from (diamond) and came to (ring). @returns {Node[]} */
  #marks() {
    const { marks, position } = /** @type {Shown} */ (this.#shown);
    const { size } = /** @type {Geometry} */ (this.#geometry);
    return marks
      .filter(({ point }) => point !== OFF)
      .map(({ point, source, own }) => {
        const count = (own ? position.own : position.rival)[point] ?? 0;
        const place = this.#place(point, own);
        if (source) {
          const { x, y } = spot(place, count, Math.min(count + 1, PILE), size);
          const r = size * 0.13;
          return svg("path", { class: "left", d: `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z` });
        }
        const { x, y } = spot(place, Math.max(0, count - 1), Math.max(1, count), size);
        return svg("circle", { class: "came", cx: x, cy: y, r: size * 0.36 });
      });
  }

  /** Where the chosen checker can be put: rings; a cross where it kills. @returns {Node[]} */
  #targets() {
    const shown = /** @type {Shown} */ (this.#shown);
    const { size } = /** @type {Geometry} */ (this.#geometry);
    const made = this.#reachable().map((way) => {
      const { x, y } = this.#landing(way.to);
      const kills = way.kills.length > 0;
      const several = way.dice.length > 1;
      return svg(
        "g",
        { class: several ? "target several" : "target" },
        svg("circle", { class: "ring", cx: x, cy: y, r: size * 0.42 }),
        several
          ? svg("circle", { class: "dot hollow", cx: x, cy: y, r: size * 0.16 })
          : svg("circle", { class: "dot", cx: x, cy: y, r: size * 0.16 }),
        kills && label(x, y - size * 0.02, "×"),
      );
    });
    if (shown.pending) {
      const { x, y } = this.#landing(shown.pending.target);
      made.push(svg("g", { class: "awaited" }, svg("circle", { class: "ring", cx: x, cy: y, r: size * 0.42 })));
    }
    return made;
  }

  /** @param {number} point */
  #landing(point) {
    const { size } = /** @type {Geometry} */ (this.#geometry);
    const { position } = /** @type {Shown} */ (this.#shown);
    const place = this.#place(point, true);
    if (point === OFF) return { x: place.box.x + place.box.width / 2, y: place.box.y + place.box.height / 2 };
    const count = position.own[point] ?? 0;
    return spot(place, Math.min(count, PILE - 1), Math.min(count + 1, PILE), size);
  }

  /** @returns {Reach[]} */
  #reachable() {
    const { chosen, reach } = /** @type {Shown} */ (this.#shown);
    if (chosen === null) return [];
    return reach[chosen === BAR ? "bar" : String(chosen)] ?? [];
  }

  /**
   * @param {number} point
   * @param {boolean} own
   * @returns {Place}
   */
  #place(point, own) {
    const { points, bar, off } = /** @type {Geometry} */ (this.#geometry);
    if (point === BAR) return own ? bar.own : bar.rival;
    if (point === OFF) return own ? off.own : off.rival;
    return /** @type {Place} */ (points[point]);
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
    const way = this.#reachable().find((one) => one.to === point);
    const key = point === BAR ? "bar" : String(point);
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
    const { box, edge } = this.#place(point, true);
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

/** @param {import("./geometry.js").Box} box */
function attributes(box) {
  return { x: box.x, y: box.y, width: Math.max(0, box.width), height: Math.max(0, box.height) };
}

/**
 * @param {import("./geometry.js").Box} box
 * @param {number} by
 */
function inset(box, by) {
  return { x: box.x + by, y: box.y + by, width: box.width - 2 * by, height: box.height - 2 * by };
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 */
function label(x, y, text) {
  return svg("text", { class: "number", x, y, dy: "0.36em" }, text);
}
