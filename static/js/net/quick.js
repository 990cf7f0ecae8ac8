/**
 * The line of somebody who seeks an opponent: as long as it is open they wait. Whenever there is a
 * line it is said again what is sought; who comes back soon has their place again.
 *
 * @typedef {object} Seek  what is sought
 * @property {string} game
 * @property {string} rules
 * @property {Record<string, number>} options
 * @property {number} stake
 *
 * @typedef {object} Waits
 * @property {number} since  they wait since this site time
 * @property {number} now
 * @property {number} others  so many more wait for the same
 * @property {number | null} window  so far off a rating may be; null: however far
 *
 * @typedef {object} Turned
 * @property {string} code
 * @property {string} rule
 * @property {Record<string, string | number>} values
 *
 * @typedef {import("./line.js").LineState} LineState
 *
 * @typedef {object} Seeker
 * @property {(waits: Waits) => void} waiting
 * @property {(table: string) => void} matched
 * @property {(turned: Turned) => void} refused
 * @property {(state: LineState) => void} line
 */

import { Line } from "./line.js";

const LONGEST_WAIT = 4_000;

export class QuickLine {
  /**
   * @param {string} path
   * @param {Seek} seek
   * @param {Seeker} seeker
   */
  constructor(path, seek, seeker) {
    this.seeker = seeker;
    this.line = new Line(path, LONGEST_WAIT, {
      opened: () => this.line.say({ type: "seek", ...seek }),
      heard: (message) => this.#take(message),
      state: (state) => seeker.line(state),
    });
  }

  open() {
    this.line.open();
  }

  /** @param {any} message */
  #take(message) {
    switch (message.type) {
      case "waiting":
        this.line.thrive();
        this.seeker.waiting(message);
        break;
      case "matched":
        this.line.refuse();
        this.seeker.matched(message.table);
        break;
      case "refused":
        this.line.refuse();
        this.seeker.refused(message);
        break;
      case "error":
        this.line.lost();
        break;
      default: // a newer server may say more than this page knows
    }
  }
}
