/**
 * Dice as pictures, with marks of the moves left and the roll's name (N25).
 *
 * @typedef {import("../types.js").Translate} Translate
 */

import { el, svg } from "../ui/dom.js";

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
 * @param {Translate} t
 * @param {number[]} dice  two, larger first
 * @param {number[]} left  not played yet; a double has up to four
 * @returns {HTMLElement}
 */
export function diceRow(t, dice, left) {
  const double = dice.length === 2 && dice[0] === dice[1];
  let rest = [...left];
  const faces = dice.map((die, n) => {
    // A double's two dice are four moves: each die stands for two of them.
    const live = double ? left.length > 2 * n : rest.includes(die);
    if (!double) rest = without(rest, die);
    return face(die, !live);
  });
  const row = el("span", { class: "dice", role: "img", "aria-label": spoken(t, dice, left) });
  row.append(...faces);
  if (double) {
    const marks = el("span", { class: "marks" });
    for (let n = 0; n < 4; n += 1) {
      marks.append(el("span", { class: n < left.length ? "mark live" : "mark" }));
    }
    row.append(marks);
  }
  return row;
}

/**
 * The roll as players call it.
 *
 * @param {Translate} t
 * @param {number[]} dice
 */
export function rollName(t, dice) {
  const [first = 0, second = 0] = dice;
  if (first === second) return t(`nardi.double.${first}`);
  return `${t(`nardi.number.${first}`)}-${t(`nardi.number.${second}`)}`;
}

/**
 * @param {Translate} t
 * @param {number[]} dice
 * @param {number[]} left
 */
function spoken(t, dice, left) {
  return t("nardi.dice_spoken", { dice: dice.join("-"), left: left.join(", ") || "–" });
}

/**
 * @param {number[]} all
 * @param {number} one
 */
function without(all, one) {
  const at = all.indexOf(one);
  return at < 0 ? all : all.filter((_, n) => n !== at);
}

/**
 * @param {number} die
 * @param {boolean} used
 */
function face(die, used) {
  const pips = (PIPS[die] ?? []).map(([x = 0, y = 0]) =>
    svg("circle", { class: "pip", cx: x, cy: y, r: 4.2 }),
  );
  return svg(
    "svg",
    { class: used ? "die used" : "die", viewBox: "0 0 40 40", "aria-hidden": "true" },
    svg("rect", { class: "body", x: 1.5, y: 1.5, width: 37, height: 37, rx: 7 }),
    ...pips,
    used && svg("line", { class: "strike", x1: 4, y1: 36, x2: 36, y2: 4 }),
  );
}
