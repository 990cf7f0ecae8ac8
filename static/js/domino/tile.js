/** A tile's face and back as SVG. */

import { el, svg } from "../ui/dom.js";

/** A small back's width, in rem. */
const WIDE = 0.75;
/** Where the pips of a number stand in a half of 40 by 40. */
const PIPS = [
  [],
  [[20, 20]],
  [[11, 11], [29, 29]],
  [[11, 11], [20, 20], [29, 29]],
  [[11, 11], [29, 11], [11, 29], [29, 29]],
  [[11, 11], [29, 11], [20, 20], [11, 29], [29, 29]],
  [[11, 10], [29, 10], [11, 20], [29, 20], [11, 30], [29, 30]],
];

/**
 * @param {number} first   the upper half, or the left one
 * @param {number} second
 * @param {boolean} level  does the tile lie from left to right
 */
export function tileFace(first, second, level = false) {
  const group = svg(
    "g",
    { transform: level ? "translate(0 40) rotate(-90)" : null },
    svg("rect", { class: "body", x: 1.5, y: 1.5, width: 37, height: 77, rx: 6 }),
    svg("line", { class: "groove", x1: 7, x2: 33, y1: 40, y2: 40 }),
    svg("circle", { class: "pin", cx: 20, cy: 40, r: 2.6 }),
    ...half(first, 0),
    ...half(second, 40),
  );
  return svg(
    "svg",
    { class: "tile", viewBox: level ? "0 0 80 40" : "0 0 40 80", "aria-hidden": "true" },
    group,
  );
}

/**
 * A hand seen from behind. Many tiles overlap, so that they never push the score away.
 *
 * @param {number} count
 */
export function tileBacks(count) {
  const backs = el("span", { class: "backs" });
  for (let n = 0; n < count; n += 1) backs.append(tileBack());
  const step = Math.min(WIDE + 0.05, (7 * WIDE) / Math.max(1, count));
  backs.style.setProperty("--overlap", `${step - WIDE}rem`);
  return backs;
}

export function tileBack() {
  return svg(
    "svg",
    { class: "tile back", viewBox: "0 0 40 80", "aria-hidden": "true" },
    svg("rect", { class: "body", x: 1.5, y: 1.5, width: 37, height: 77, rx: 6 }),
    svg("rect", { class: "mark", x: 10, y: 14, width: 20, height: 52, rx: 4 }),
  );
}

/**
 * The halves of a tile's name, low first.
 *
 * @param {string} name  "4-6"
 * @returns {[number, number]}
 */
export function halves(name) {
  const [low, high] = name.split("-").map(Number);
  return [low ?? 0, high ?? 0];
}

/**
 * @param {number} number
 * @param {number} down
 */
function half(number, down) {
  return (PIPS[number] ?? []).map(([x = 0, y = 0]) =>
    svg("circle", { class: "pip", cx: x, cy: y + down, r: 4 }),
  );
}
