/**
 * The end of a hand, as a receipt: the tiles left, their sum, the rounding, the running score.
 *
 * @typedef {import("../types.js").DominoHandEnd} DominoHandEnd
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { el } from "../ui/dom.js";
import { seatName } from "../ui/people.js";
import { animate } from "./flight.js";
import { halves, tileFace } from "./tile.js";

/** More tiles than this are not added up one by one. */
const FEW = 5;

/**
 * @param {Translate} t
 * @param {Table} table
 * @param {DominoHandEnd} ended
 * @param {number} target
 * @param {number[]} score  the running score
 * @returns {Node[]}
 */
export function handSummary(t, table, ended, target, score) {
  return [
    ...ended.hands.map((_, seat) => leftOver(t, table, ended, seat)),
    ...settlement(t, table, ended),
    el("div", { class: "scores" }, ...score.map((points, seat) => {
      const gained = seat === ended.winner ? ended.points : 0;
      return scoreLine(seatName(t, table, seat), points, gained, target);
    })),
  ];
}

/**
 * @param {Translate} t
 * @param {Table} table
 * @param {DominoHandEnd} ended
 * @param {number} seat
 */
function leftOver(t, table, { hands, pips }, seat) {
  const tiles = hands[seat] ?? [];
  const sums = tiles.map((tile) => halves(tile)[0] + halves(tile)[1]);
  const total = pips[seat] ?? 0;
  const sum =
    tiles.length > 1 && tiles.length <= FEW ? `${sums.join(" + ")} = ${total}` : String(total);
  const faces = tiles.map((tile, n) => {
    const face = el("li", { "aria-label": tile }, tileFace(...halves(tile)));
    // Turned face up, one after the other.
    animate(face, [{ transform: "rotateY(90deg)" }, {}], 200, Math.min(n * 30, 150));
    return face;
  });
  return el(
    "div",
    { class: "left-over" },
    el("span", { class: "name" }, seatName(t, table, seat)),
    tiles.length > 0 && el("ul", { class: "open-hand" }, ...faces),
    el("span", { class: "amount" }, tiles.length > 0 ? sum : t("domino.went_out")),
  );
}

/**
 * How the points came about; nothing where nobody gets any.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {DominoHandEnd} ended
 */
function settlement(t, table, { end, winner, hands, pips, points }) {
  if (winner === null) return [];
  const loser = hands.findIndex((_, seat) => seat !== winner);
  const left = pips[loser] ?? 0;
  const only = hands[loser] ?? [];
  const lone = only.length === 1 && only[0] === "0-0" && end === "domino";
  const exact = left === points ? "domino.receipt.left" : "domino.receipt.rounded";
  const label = lone ? "domino.receipt.lone" : exact;
  return [
    el(
      "div",
      { class: "receipt" },
      end === "riba" &&
        line(
          t("domino.receipt.fewer", { name: seatName(t, table, winner) }),
          `${pips[winner]} < ${left}`,
        ),
      line(t(label), left === points ? String(left) : `${left} → ${points}`),
      line(t("domino.receipt.gets", { name: seatName(t, table, winner) }), `+${points}`, "gets"),
    ),
  ];
}

/**
 * @param {string} name
 * @param {number} points
 * @param {number} gained
 * @param {number} target
 */
function scoreLine(name, points, gained, target) {
  const fill = el("span", { class: "fill" });
  fill.style.width = `${Math.min(100, (100 * points) / target)}%`;
  const sum = gained > 0 ? `${points - gained} + ${gained} = ` : "";
  return el(
    "div",
    { class: "running" },
    line(name, `${sum}${points} / ${target}`, "", "name"),
    el("span", { class: "track", "aria-hidden": "true" }, fill),
  );
}

/**
 * @param {string} label
 * @param {string} value
 * @param {string} [kind]
 * @param {string} [says]  what the label is
 */
function line(label, value, kind = "", says = "") {
  const amount = el("span", { class: "amount" }, value);
  return el("p", { class: `line-of ${kind}` }, el("span", { class: says }, label), " ", amount);
}
