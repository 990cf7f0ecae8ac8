/**
 * The end of a hand: both hands open, their sums and the rounding.
 *
 * @typedef {import("../types.js").DominoHandEnd} DominoHandEnd
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { el } from "../ui/dom.js";
import { seatName } from "../ui/people.js";
import { halves, tileFace } from "./tile.js";
import { rounding } from "./words.js";

/**
 * @param {Translate} t
 * @param {Table} table
 * @param {DominoHandEnd} ended
 * @returns {Node[]}
 */
export function handSummary(t, table, ended) {
  const rows = ended.hands.map((tiles, seat) => {
    const faces = tiles.map((tile) =>
      el("li", { "aria-label": tile }, tileFace(...halves(tile))),
    );
    const left = tiles.length > 0 ? t("domino.pips_left", { pips: ended.pips[seat] ?? 0 }) : "";
    return el(
      "div",
      { class: "left-over" },
      el("p", {}, el("strong", {}, seatName(t, table, seat)), " ", left || t("domino.went_out")),
      tiles.length > 0 && el("ul", { class: "open-hand" }, ...faces),
    );
  });
  const sum = rounding(t, table, ended);
  return sum ? [...rows, el("p", { class: "rounding" }, sum)] : rows;
}
