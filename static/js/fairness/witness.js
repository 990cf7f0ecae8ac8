/**
 * What this browser sees of chance while a match is played: its own tiles as dealt, and every
 * roll with its number (fairness 3).
 *
 * @typedef {import("./keep.js").Kept} Kept
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 */

import { Keeper } from "./keep.js";

const HAND_SIZE = 7;

export class Witness {
  /**
   * Nardi: which turn of which hand is being played, 0 the one of the opening roll; null when
   * something was missed and nobody can tell.
   *
   * @type {{hand: number, turn: number} | null}
   */
  #at = null;

  /** @param {Keeper} keeper */
  constructor(keeper) {
    this.keeper = keeper;
  }

  /** @param {Table} table  as a snapshot shows it */
  snapshot(table) {
    const kept = this.#kept(table);
    if (!kept) return;
    this.#at = null;
    if (table.game === "domino") this.#asDealt(kept, table);
    else this.#dice(kept, table);
    this.keeper.save(kept);
  }

  /**
   * @param {Table} table  after the change
   * @param {TableEvent[]} events
   */
  change(table, events) {
    const kept = this.#kept(table);
    if (!kept) return;
    const before = JSON.stringify(kept);
    if (table.game === "domino") dealt(kept, table, events);
    else this.#rolls(kept, table, events);
    if (JSON.stringify(kept) !== before) this.keeper.save(kept);
  }

  /** @param {Table} table */
  #kept(table) {
    if (table.you === null || !table.match || !table.view) return null;
    return this.keeper.load(table.match);
  }

  /**
   * Before the first tile of a hand nobody can have drawn one.
   *
   * @param {Kept} kept
   * @param {Table} table
   */
  #asDealt(kept, table) {
    const { hand, tiles, counts, placed } = table.view;
    const untouched = placed.length === 0 && counts.every((/** @type {number} */ n) => n === HAND_SIZE);
    if (untouched && tiles.length === HAND_SIZE) kept.tiles[hand] ??= tiles;
  }

  /**
   * The dice that lie there, and those of the turn before.
   *
   * @param {Kept} kept
   * @param {Table} table
   */
  #dice(kept, table) {
    const { hand, turn, phase, dice, last_turn: last } = table.view;
    opening(kept, table);
    if (last) loose(kept, hand, last.seat, last.dice);
    const rolled = phase === "move" || phase === "confirm";
    if (rolled && last) loose(kept, hand, turn, dice);
    if (rolled && !last) this.#at = { hand, turn: 0 };
  }

  /**
   * @param {Kept} kept
   * @param {Table} table
   * @param {TableEvent[]} events
   */
  #rolls(kept, table, events) {
    opening(kept, table);
    events.forEach((event, n) => {
      switch (event.event) {
        case "hand_started":
          this.#at = { hand: Number(event.hand), turn: 0 };
          break;
        case "turn_ended":
          if (this.#at) this.#at.turn += 1;
          break;
        case "hand_ended":
          this.#at = null;
          break;
        case "rolled": {
          const dice = /** @type {number[]} */ (event.dice);
          const end = events.slice(n).find((later) => later.event === "hand_ended");
          if (this.#at) (kept.rolls[this.#at.hand] ??= {})[this.#at.turn] ??= dice.join("");
          else loose(kept, Number(end?.hand ?? table.view.hand), Number(event.seat), dice);
          break;
        }
        default:
      }
    });
  }
}

/**
 * @param {Kept} kept
 * @param {Table} table
 * @param {TableEvent[]} events
 */
function dealt(kept, table, events) {
  let hand = 0;
  for (const event of events) {
    if (event.event === "dealt") hand = Number(event.hand);
    if (event.event === "tiles_dealt" && event.seat === table.you && hand > 0)
      kept.tiles[hand] ??= /** @type {string[]} */ (event.tiles);
  }
}

/**
 * @param {Kept} kept
 * @param {Table} table
 */
function opening(kept, table) {
  const { hand, opening: pairs } = table.view;
  if (pairs.length > 0)
    kept.openings[hand] ??= pairs.map((/** @type {number[]} */ pair) => pair.join(""));
}

/**
 * @param {Kept} kept
 * @param {number} hand
 * @param {number} seat
 * @param {number[]} dice
 */
function loose(kept, hand, seat, dice) {
  const seen = (kept.loose[hand] ??= []);
  const roll = `${seat} ${dice.join("")}`;
  if (!seen.includes(roll)) seen.push(roll);
}
