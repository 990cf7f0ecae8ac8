/**
 * The line to the lobby: the list of tables, at once and after every change.
 *
 * @typedef {object} Listing  a table in the lobby
 * @property {string} id
 * @property {string} game
 * @property {string} rules
 * @property {Record<string, number>} options
 * @property {number} stake
 * @property {number} pot
 * @property {{move_ms: number, reserve_ms: number}} clock
 * @property {"open" | "running"} status
 * @property {(string | null)[]} seats
 * @property {number[] | null} score
 * @property {number} made_at
 *
 * @typedef {import("./line.js").LineState} LineState
 */

import { Line } from "./line.js";

const LONGEST_WAIT = 15_000;

export class LobbyLine {
  /**
   * @param {string} path
   * @param {(tables: Listing[]) => void} tables
   * @param {(state: LineState) => void} state
   */
  constructor(path, tables, state) {
    this.line = new Line(path, LONGEST_WAIT, {
      heard: (message) => {
        if (message.type !== "lobby") return;
        this.line.thrive();
        tables(message.tables);
      },
      state,
    });
  }

  open() {
    this.line.open();
  }
}
