/**
 * The nardi board as SVG: ground, checkers, marks of the last turn, places to put a checker.
 * Whatever a colour says a shape says too.
 *
 * @typedef {import("../types.js").Reach} Reach
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./geometry.js").Geometry} Geometry
 * @typedef {import("./geometry.js").Place} Place
 * @typedef {import("./geometry.js").Spot} Spot
 * @typedef {import("./moves.js").Mark} Mark
 * @typedef {import("./position.js").Position} Position
 *
 * @typedef {object} Shown
 * @property {Position} position
 * @property {boolean} light         are the own checkers the light ones
 * @property {boolean} watched       does the viewer play neither side
 * @property {boolean} asked         may the viewer press checkers now
 * @property {Record<string, Reach[]>} reach
 * @property {number | null} chosen  a point, 25 the bar
 * @property {Mark[]} marks
 * @property {{source: number, target: number} | null} pending  asked for, not saved yet
 * @property {boolean} [put]          was the pending one put there by hand
 * @property {number | null} [lifted]  whence a checker is in the hand
 */

import { svg } from "../ui/dom.js";
import { PILE, spot, triangle } from "./geometry.js";
import { BAR, OFF, keyOf } from "./position.js";

/**
 * @param {Shown} shown
 * @param {Geometry} where
 * @returns {Node[]}
 */
export function pictureOf(shown, where) {
  return [
    ...ground(where),
    ...checkers(shown, where),
    ...marks(shown, where),
    ...targets(shown, where),
  ];
}

/**
 * Where the chosen checker can be put.
 *
 * @param {Shown} shown
 * @returns {Reach[]}
 */
export function reachable({ chosen, reach }) {
  if (chosen === null) return [];
  return reach[keyOf(chosen)] ?? [];
}

/**
 * @param {Geometry} where
 * @param {number} point
 * @param {boolean} own
 * @returns {Place}
 */
export function placeOf({ points, bar, off }, point, own) {
  if (point === BAR) return own ? bar.own : bar.rival;
  if (point === OFF) return own ? off.own : off.rival;
  return /** @type {Place} */ (points[point]);
}

/**
 * A checker: light ones bear a ring, dark ones a cross.
 *
 * @param {Spot} at
 * @param {number} size
 * @param {boolean} light
 */
export function checkerAt({ x, y }, size, light) {
  const r = Math.max(0, size / 2 - 1); // a field of no height is not drawn for long
  const inner = r * 0.52;
  const cross = `M${x - inner} ${y}H${x + inner}M${x} ${y - inner}V${y + inner}`;
  return svg(
    "g",
    { class: light ? "checker light" : "checker dark" },
    svg("circle", { class: "disc", cx: x, cy: y, r }),
    light
      ? svg("circle", { class: "sign", cx: x, cy: y, r: inner })
      : svg("path", { class: "sign", d: cross }),
  );
}

/**
 * A dark ring under a bright one, to be seen on light and on dark.
 *
 * @param {Spot} at
 * @param {number} size
 */
function halo({ x, y }, size) {
  const ring = { cx: x, cy: y, r: size / 2 };
  return [svg("circle", { class: "halo under", ...ring }), svg("circle", { class: "halo", ...ring })];
}

/** @param {Geometry} where */
function ground({ board, points, bar, form }) {
  const triangles = points.slice(1).map((place, index) => {
    const corners = triangle(place).map(({ x, y }) => `${x},${y}`);
    const shade = index % 2 === 0 ? "point even" : "point odd";
    return svg("polygon", { class: shade, points: corners.join(" ") });
  });
  const strip =
    form === "wide"
      ? { x: bar.own.box.x, y: board.y, width: bar.own.box.width, height: board.height }
      : { x: board.x, y: bar.own.box.y, width: board.width, height: bar.own.box.height };
  return [
    svg("rect", { class: "wood", ...attributes(board), rx: 8 }),
    ...triangles,
    svg("rect", { class: "bar-strip", ...attributes(strip) }),
    ...numbers(board, points, form),
  ];
}

/**
 * The points' numbers as the viewer counts them, between the tips, where no checker comes.
 *
 * @param {Box} board
 * @param {Place[]} points
 * @param {Geometry["form"]} form
 */
function numbers(board, points, form) {
  const { box } = /** @type {Place} */ (points[1]);
  const gap = form === "wide" ? board.height - 2 * box.height : board.width - 2 * box.width;
  const off = form === "wide" ? gap / 4 : gap / 7;
  return points.slice(1).map(({ box: { x, y, width, height }, edge }, index) => {
    const middle = { x: x + width / 2, y: y + height / 2 };
    const at = {
      top: { x: middle.x, y: y + height + off },
      bottom: { x: middle.x, y: y - off },
      left: { x: x + width + off, y: middle.y },
      right: { x: x - off, y: middle.y },
    }[edge];
    const size = Math.min(13, gap * (form === "wide" ? 0.3 : 0.44));
    return svg("text", { class: "point-number", ...at, "font-size": size }, String(index + 1));
  });
}

/**
 * @param {Shown} shown
 * @param {Geometry} where
 */
function checkers(shown, where) {
  const { position, light } = shown;
  /** @type {Node[]} */
  const made = [];
  for (const own of [true, false]) {
    const counts = own ? position.own : position.rival;
    const bright = own === light;
    made.push(...tray(placeOf(where, OFF, own), counts[OFF] ?? 0, bright));
    for (let point = 1; point <= BAR; point += 1) {
      made.push(...pile(shown, where, point, own, counts[point] ?? 0, bright));
    }
  }
  return made;
}

/**
 * @param {Shown} shown
 * @param {Geometry} where
 * @param {number} point
 * @param {boolean} own
 * @param {number} count
 * @param {boolean} light
 */
function pile(shown, where, point, own, count, light) {
  const { asked, chosen, pending, reach, lifted } = shown;
  const movable = own && asked && chosen === null && (reach[keyOf(point)]?.length ?? 0) > 0;
  return Array.from({ length: count }, (_, n) => {
    const at = spot(placeOf(where, point, own), n, count, where.size);
    const checker = checkerAt(at, where.size, light);
    if (n < count - 1) return checker;
    if (movable || (own && chosen === point)) checker.prepend(...halo(at, where.size));
    if (movable) checker.classList.add("movable");
    if (own && chosen === point) checker.classList.add("chosen");
    if (own && lifted === point) checker.classList.add("lifted");
    if (own && pending?.source === point) checker.classList.add("pending");
    if (count > PILE) checker.append(label(at, String(count)));
    return checker;
  });
}

/**
 * Checkers borne off lie on edge, with their number.
 *
 * @param {Place} place
 * @param {number} count
 * @param {boolean} light
 */
function tray(place, count, light) {
  const { box, edge } = place;
  const level = edge === "left" || edge === "right";
  const thick = ((level ? box.width : box.height) - 32) / 15;
  const slices = Array.from({ length: count }, (_, n) => {
    const far = 28 + n * thick;
    const near = far + thick;
    const slice = level
      ? { x: edge === "left" ? box.x + far : box.x + box.width - near, y: box.y + 6 }
      : { x: box.x + 6, y: edge === "top" ? box.y + far : box.y + box.height - near };
    const width = level ? thick - 1 : box.width - 12;
    const height = level ? box.height - 12 : thick - 1;
    const shade = light ? "slice light" : "slice dark";
    return svg("rect", { class: shade, ...attributes({ ...slice, width, height }), rx: 1.5 });
  });
  const { x, y } = spot(place, 0, 1, 30);
  const frame = { x: box.x + 2, y: box.y + 2, width: box.width - 4, height: box.height - 4 };
  return [
    svg("rect", { class: "tray", ...attributes(frame), rx: 5 }),
    ...slices,
    svg("text", { class: "off-count", x, y, dy: "0.36em" }, String(count)),
  ];
}

/**
 * A diamond where a checker left, a broken ring round one that came.
 *
 * @param {Shown} shown
 * @param {Geometry} where
 */
function marks({ marks: left, position }, where) {
  const { size } = where;
  return left
    .filter(({ point }) => point !== OFF)
    .map(({ point, source, own }) => {
      const count = (own ? position.own : position.rival)[point] ?? 0;
      const place = placeOf(where, point, own);
      if (source) {
        const { x, y } = spot(place, Math.min(count, PILE - 0.35), PILE, size);
        const r = size * 0.14;
        const d = `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`;
        return svg("path", { class: "left", d });
      }
      const { x, y } = spot(place, Math.max(0, count - 1), Math.max(1, count), size);
      const ring = { cx: x, cy: y, r: size * 0.36 };
      return svg(
        "g",
        { class: "came" },
        svg("circle", { class: "under", ...ring }),
        svg("circle", { class: "over", ...ring }),
      );
    });
}

/**
 * Put it here: a square, or a star where it kills, with the number that leads there.
 *
 * @param {Shown} shown
 * @param {Geometry} where
 */
function targets(shown, where) {
  const { size } = where;
  /** @type {Node[]} */
  const made = reachable(shown).map((way) => {
    const at = landing(shown, where, way.to);
    const half = size * 0.38;
    const box = { x: at.x - half, y: at.y - half, width: 2 * half, height: 2 * half };
    const steps = way.dice.reduce((sum, die) => sum + die, 0);
    const number = label(at, String(steps));
    number.style.fontSize = `${size * 0.44}px`;
    return svg(
      "g",
      { class: way.kills.length > 0 ? "target kill" : "target" },
      ...["under", "slot"].map((kind) =>
        way.kills.length > 0
          ? svg("polygon", { class: kind, points: star(at, size * 0.52) })
          : svg("rect", { class: kind, ...box, rx: size * 0.1 }),
      ),
      number,
    );
  });
  if (shown.pending) {
    const { x, y } = landing(shown, where, shown.pending.target);
    const waiting = svg("g", { class: "awaited" });
    if (shown.put) waiting.append(checkerAt({ x, y }, size, shown.light));
    waiting.append(svg("circle", { class: "ring", cx: x, cy: y, r: size * 0.46 }));
    made.push(waiting);
  }
  return made;
}


/**
 * Where an own checker would come to lie.
 *
 * @param {Shown} shown
 * @param {Geometry} where
 * @param {number} point
 * @returns {Spot}
 */
function landing({ position }, where, point) {
  const place = placeOf(where, point, true);
  const { box } = place;
  if (point === OFF) return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const count = position.own[point] ?? 0;
  return spot(place, Math.min(count, PILE - 1), PILE, where.size);
}

/**
 * @param {Spot} at
 * @param {number} r  to its points
 */
function star({ x, y }, r) {
  return Array.from({ length: 20 }, (_, n) => {
    const far = n % 2 === 0 ? r : r * 0.78;
    const angle = (n * Math.PI) / 10;
    return `${x + far * Math.sin(angle)},${y - far * Math.cos(angle)}`;
  }).join(" ");
}

/** @param {Box} box */
function attributes({ x, y, width, height }) {
  return { x, y, width: Math.max(0, width), height: Math.max(0, height) };
}

/**
 * @param {Spot} at
 * @param {string} text
 */
function label({ x, y }, text) {
  return svg("text", { class: "number", x, y, dy: "0.36em" }, text);
}
