/**
 * The line to a table. It says hello, keeps the number of the last event, and takes a question
 * that is not answered for its death. Nothing is sent on it before it has caught up: by the
 * changes it missed, or by a snapshot.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../types.js").Refused} Refused
 * @typedef {import("../types.js").Command} Command
 * @typedef {import("../types.js").Notice} Notice
 * @typedef {import("./line.js").LineState} LineState
 *
 * @typedef {object} Listener
 * @property {(table: Table, number: number, notice: Notice | null) => void} snapshot
 *   start afresh from this table
 * @property {(table: Table, events: TableEvent[], number: number, back: boolean) => void} change
 *   what was saved next; number is that of its last event; back: it is what was missed
 * @property {(id: string, number: number) => void} accepted
 * @property {(refused: Refused) => void} refused
 * @property {(state: LineState) => void} line
 */

import { Line, SILENT } from "./line.js";

const PROTOCOL = 2;
const LONGEST_WAIT = 8_000;

export class TableLine {
  /** @type {number | null} */
  #seen = null;
  /** Hello was said and is not answered yet: what is shown may be old. */
  #awaiting = true;
  #unanswered = 0;

  /**
   * @param {string} path
   * @param {Listener} listener
   */
  constructor(path, listener) {
    this.listener = listener;
    this.line = new Line(path, LONGEST_WAIT, {
      opened: () => this.#hello(),
      heard: (message) => this.#take(message),
      // A page that slept may have missed something, or that its line died.
      seen: () => this.#hello(),
      state: (state) => {
        if (state !== "online") clearTimeout(this.#unanswered);
        listener.line(state);
      },
    });
  }

  open() {
    this.line.open();
  }

  get state() {
    return this.line.state ?? "connecting";
  }

  /** Is the line there, and what is shown the present? */
  get online() {
    return this.state === "online" && !this.#awaiting;
  }

  /** @param {Command} command  not sent before the line has caught up; it comes again then */
  send(command) {
    if (this.online) this.#question(command);
  }

  #hello() {
    this.#awaiting = true;
    this.#question({ type: "hello", protocol: PROTOCOL, seen: this.#seen });
  }

  /** @param {object} message  to be answered soon */
  #question(message) {
    this.line.say(message);
    clearTimeout(this.#unanswered);
    this.#unanswered = setTimeout(() => this.line.lost(), SILENT);
  }

  /** @param {any} message */
  #take(message) {
    switch (message.type) {
      case "snapshot":
        this.#seen = message.number;
        this.#caughtUp();
        this.listener.snapshot(message.table, message.number, message.notice);
        break;
      case "change":
        this.#change(message);
        break;
      case "accepted":
        clearTimeout(this.#unanswered);
        this.listener.accepted(message.id, message.number);
        break;
      case "refused":
        clearTimeout(this.#unanswered);
        this.listener.refused(message);
        break;
      case "error":
        // An old page, or a table that is gone: trying again would not help.
        if (message.code === "protocol" || message.code === "unknown_table") this.line.refuse();
        else this.line.lost();
        break;
      default: // a newer server may say more than this page knows
    }
  }

  /** @param {{number: number, events: TableEvent[], table: Table}} message */
  #change({ number, events, table }) {
    const seen = this.#seen;
    if (seen === null || number <= seen) return;
    const news = events.filter((event) => (event.number ?? 0) > seen);
    if (news[0]?.number !== seen + 1) {
      if (!this.#awaiting) this.#hello();
      return;
    }
    const back = this.#awaiting;
    this.#seen = number;
    if (back) this.#caughtUp();
    this.listener.change(table, news, number, back);
  }

  #caughtUp() {
    clearTimeout(this.#unanswered);
    this.#awaiting = false;
    this.line.thrive();
  }
}
