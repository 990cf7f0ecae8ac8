/**
 * A player's plate with the dice: those of the last turn lie there until somebody rolls again.
 *
 * @typedef {import("../types.js").NardiView} NardiView
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./dice.js").Roll} Roll
 */

import { svg } from "../ui/dom.js";
import { Plate } from "../ui/plate.js";
import { Dice } from "./dice.js";
import { checkerAt } from "./picture.js";

export class Seat {
  /**
   * @param {Translate} t
   * @param {"own" | "rival"} place
   * @param {(() => void) | null} press  on the dice
   */
  constructor(t, place, press) {
    this.t = t;
    this.plate = new Plate(t, place);
    this.dice = new Dice(t, press);
    this.root = this.plate.root;
    this.root.append(this.dice.root);
    /** The colour that is played, as on the board. */
    this.side = svg("svg", { class: "side-of", viewBox: "0 0 24 24", "aria-hidden": "true" });
    this.root.querySelector(".who")?.before(this.side);
  }

  /**
   * @param {Table} table
   * @param {NardiView} view
   * @param {number} seat
   * @param {string} does  what a press on the dice does, in words; "" for nothing
   */
  update(table, view, seat, does) {
    const { t } = this;
    const shown = {
      score: t("table.score", { points: view.score[seat] ?? 0, target: view.target }),
      turn: view.turn === seat,
      // Between hands the view is of the next one already.
      under: table.pause ? "" : t("nardi.pips", { pips: view.sides[seat]?.pips ?? 0 }),
    };
    this.plate.update(table, seat, shown);
    this.side.replaceChildren(checkerAt({ x: 12, y: 12 }, 22, seat === 0));
    this.dice.update(rollOf(view, seat), does);
  }
}

/**
 * @param {NardiView} view
 * @param {number} seat
 * @returns {Roll | null}
 */
function rollOf({ turn, phase, dice, dice_left: left, dead, last_turn: last }, seat) {
  const rolled = turn !== null && dice.length === 2 && phase !== "roll";
  if (rolled && seat === turn)
    return { dice, left, dead: (dead ?? []).map(({ die }) => die), past: false };
  if (rolled || seat !== last?.seat) return null;
  // Of a turn without a move both dice were dead.
  const none = last.moves.length === 0 ? last.dice : [];
  return { dice: last.dice, left: none, dead: none, past: true };
}
