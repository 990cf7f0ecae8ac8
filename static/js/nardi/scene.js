/**
 * What happened, before the eyes and ears: dice fall, checkers go one at a time.
 *
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../pages/table.js").Context} Context
 * @typedef {import("./board.js").NardiBoard} NardiBoard
 * @typedef {import("./seat.js").Seat} Seat
 */

import { still } from "../ui/dom.js";

/** So long a roll that is played at once, and one that leads to nothing, are looked at. */
const LOOK = 500;
const LONG_LOOK = 1000;

export class Scene {
  /** Own moves that the hand has made already, by dragging. */
  put = 0;
  /** Whoever asks for something has seen enough. */
  skip = () => {};

  /**
   * @param {NardiBoard} board
   * @param {{own: Seat, rival: Seat}} seats
   * @param {Context["feel"]} feel
   */
  constructor(board, seats, feel) {
    this.board = board;
    this.seats = seats;
    this.feel = feel;
  }

  /**
   * @param {TableEvent[]} events
   * @param {number} own      the seat at the lower edge
   * @param {boolean} moving  was there a board before, on which to move
   */
  async play(events, own, moving) {
    for (const event of /** @type {any[]} */ (events)) {
      const mine = event.seat === own;
      if (event.event === "opening_rolled") {
        for (const seat of event.dice.keys()) this.#throw(seat === own, [event.dice[seat]]);
        if (!still()) await this.look(LONG_LOOK);
      } else if (event.event === "rolled") {
        this.#throw(mine, event.dice);
        if (!still() && events.some((one) => one.event === "moved")) await this.look(LOOK);
      } else if (event.event === "moved" || event.event === "taken_back") {
        await this.#move(event, mine, moving);
      }
    }
  }

  /** @param {number} [ms] */
  async look(ms = LONG_LOOK) {
    await new Promise((resolve) => {
      this.skip = () => resolve(undefined);
      setTimeout(resolve, ms);
    });
  }

  /**
   * @param {boolean} mine
   * @param {number[]} dice
   */
  #throw(mine, dice) {
    const { dice: shown } = mine ? this.seats.own : this.seats.rival;
    const left = dice.length === 2 && dice[0] === dice[1] ? [...dice, ...dice] : dice;
    shown.update({ dice, left, dead: [], past: false });
    shown.tumble();
    this.feel("dice");
  }

  /**
   * @param {any} event
   * @param {boolean} mine
   * @param {boolean} moving
   */
  async #move(event, mine, moving) {
    const back = event.event === "taken_back";
    const landed = () => this.feel(event.kill && !back ? "kill" : "checker");
    const put = mine && !back && this.put > 0;
    if (put) this.put -= 1;
    if (put || still() || !moving) landed();
    else await this.board.slide(mine, event, back, landed);
  }
}
