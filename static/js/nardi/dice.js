/**
 * Dice as pictures, with marks of the moves left and the roll's name (N25). A player's own can be
 * pressed: to roll (N9), and to end the turn (N23).
 *
 * @typedef {import("../types.js").Translate} Translate
 *
 * @typedef {object} Roll
 * @property {number[]} dice  two, larger first; of an opening roll, one
 * @property {number[]} left  not played yet; a double has up to four
 * @property {number[]} dead  left, and not to be played any more
 * @property {boolean} past   of the turn before
 *
 * @typedef {"live" | "used" | "dead"} State
 */

import { button, el, setText, still, svg } from "../ui/dom.js";

const PIPS = [
  [],
  [[20, 20]],
  [[11, 11], [29, 29]],
  [[11, 11], [20, 20], [29, 29]],
  [[11, 11], [29, 11], [11, 29], [29, 29]],
  [[11, 11], [29, 11], [20, 20], [11, 29], [29, 29]],
  [[11, 10], [29, 10], [11, 20], [29, 20], [11, 30], [29, 30]],
];
const TUMBLE = 340;

export class Dice {
  #faces = el("span", { class: "dice" });
  #name = el("span", { class: "roll-name" });
  /** What is shown, so that dice which have not changed stay the same ones. */
  #drawn = "";

  /**
   * @param {Translate} t
   * @param {(() => void) | null} press  null: they are not the viewer's
   */
  constructor(t, press) {
    this.t = t;
    this.root = press ? button("", press, "cup") : el("span", { class: "cup", role: "img" });
    this.root.append(this.#faces, this.#name);
  }

  /**
   * @param {Roll | null} roll
   * @param {string} does  what a press does, in words; "" for nothing
   */
  update(roll, does = "") {
    const { t, root } = this;
    const name = roll ? rollName(t, roll.dice) : "";
    root.classList.toggle("empty", !roll && !does);
    root.classList.toggle("past", roll?.past ?? false);
    root.classList.toggle("lit", does !== "");
    if (root instanceof HTMLButtonElement) root.disabled = does === "";
    const told = [roll && `${spoken(t, roll)}, ${name}`, does].filter(Boolean);
    root.setAttribute("aria-label", told.join(". "));
    setText(this.#name, name);
    const drawn = JSON.stringify(roll);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#faces.replaceChildren(...(roll ? rolled(roll) : [face(0, "live"), face(0, "live")]));
  }

  /** They have just been thrown. */
  tumble() {
    if (still()) return;
    this.#faces.querySelectorAll(".die").forEach((die, n) => {
      const [x, turn] = n ? [14, 200] : [-14, -160];
      die.animate(
        [
          { transform: `translate(${x}px, -18px) rotate(${turn}deg) scale(0.7)` },
          { transform: "none" },
        ],
        { duration: TUMBLE - 60 * n, easing: "cubic-bezier(0.2, 0.8, 0.4, 1.15)" },
      );
    });
  }
}

/**
 * The roll as players call it.
 *
 * @param {Translate} t
 * @param {number[]} dice
 */
export function rollName(t, dice) {
  const [first = 0, second] = dice;
  if (first === second) return t(`nardi.double.${first}`);
  return dice.map((die) => t(`nardi.number.${die}`)).join("-");
}

/**
 * @param {Roll} roll
 * @returns {Node[]}
 */
function rolled({ dice, left, dead, past }) {
  const double = dice.length === 2 && dice[0] === dice[1];
  let rest = [...left];
  const faces = dice.map((die, n) => {
    // A double's two dice are four moves: each die stands for two of them.
    const live = double ? left.length > 2 * n : rest.includes(die);
    if (!double) rest = without(rest, die);
    return face(die, live && dead.includes(die) ? "dead" : live ? "live" : "used");
  });
  if (!double || past) return faces;
  const marks = Array.from({ length: 4 }, (_, n) =>
    el("span", { class: n < left.length ? "mark live" : "mark" }),
  );
  return [...faces, el("span", { class: "marks" }, ...marks)];
}

/**
 * @param {Translate} t
 * @param {Roll} roll
 */
function spoken(t, { dice, left, past }) {
  const values = { dice: dice.join("-"), left: left.join(", ") || "–" };
  return t(past ? "nardi.dice_past" : "nardi.dice_spoken", values);
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
 * One that is played is an outline, a dead one is grey and struck through.
 *
 * @param {number} die  0: not thrown yet
 * @param {State} state
 */
function face(die, state) {
  const pips = (PIPS[die] ?? []).map(([x = 0, y = 0]) =>
    svg("circle", { class: "pip", cx: x, cy: y, r: 4.2 }),
  );
  return svg(
    "svg",
    { class: `die ${state}`, viewBox: "0 0 40 40", "aria-hidden": "true" },
    svg("rect", { class: "body", x: 1.5, y: 1.5, width: 37, height: 37, rx: 7 }),
    ...pips,
    state === "dead" && svg("line", { class: "strike", x1: 4, y1: 36, x2: 36, y2: 4 }),
  );
}
