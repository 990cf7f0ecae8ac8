/**
 * The line to a table. It says hello, keeps the number of the last event, answers the server's
 * pings, and comes back by itself with back-off and jitter. A line on which nothing is heard for
 * nine seconds, or a question not answered, is dead. Nothing is sent on it before it has caught up: by the changes it missed,
 * or by a snapshot.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../types.js").Refused} Refused
 * @typedef {import("../types.js").Command} Command
 * @typedef {import("../types.js").Notice} Notice
 * @typedef {"connecting" | "online" | "offline" | "refused"} LineState
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

const PROTOCOL = 2;
const FIRST_WAIT = 300;
const LONGEST_WAIT = 8_000;
/** The server pings every four seconds: so long without a word, and the line is dead. */
const SILENT = 9_000;
const RESTART = 1012;

export class TableLine {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {number | null} */
  #seen = null;
  /** Hello was said and is not answered yet: what is shown may be old. */
  #awaiting = true;
  #failures = 0;
  #retry = 0;
  #silence = 0;
  #unanswered = 0;
  #closed = false;
  /** @type {LineState} */
  #state = "connecting";

  /**
   * @param {string} url
   * @param {Listener} listener
   */
  constructor(url, listener) {
    this.url = url;
    this.listener = listener;
    addEventListener("online", () => this.#again(0));
    addEventListener("offline", () => this.#lost());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.#reopen();
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#check();
    });
  }

  open() {
    this.#connect();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#drop();
    this.#tell("offline");
  }

  get state() {
    return this.#state;
  }

  /** Is the line there, and what is shown the present? */
  get online() {
    return this.#state === "online" && !this.#awaiting;
  }

  /** @param {Command} command  not sent before the line has caught up; it comes again then */
  send(command) {
    if (!this.online) return;
    this.#question(command);
  }

  /** A page that slept may have missed something, or that its line died. */
  #check() {
    if (this.#state === "online") this.#hello();
    else if (this.#state === "offline") this.#again(0);
  }

  #reopen() {
    this.#closed = false;
    this.#again(0);
  }

  #connect() {
    this.#drop();
    clearTimeout(this.#retry);
    this.#tell("connecting");
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    // A late word of an old socket must not touch the new one.
    const current = () => socket === this.#socket;
    socket.onopen = () => current() && this.#hello();
    socket.onmessage = (message) => current() && this.#take(message.data);
    socket.onclose = (event) => current() && this.#lost(event.code);
    this.#listen();
  }

  #drop() {
    clearTimeout(this.#silence);
    clearTimeout(this.#unanswered);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #listen() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lost(), SILENT);
  }

  /** @param {number} [code]  of the socket's close */
  #lost(code) {
    this.#drop();
    if (this.#closed) return;
    this.#tell("offline");
    // A restart sends everybody away at once, so they come back spread over a second.
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures);
    this.#failures += 1;
    this.#again(code === RESTART ? 200 + Math.random() * 800 : wait * (0.5 + Math.random()));
  }

  /** @param {number} wait  milliseconds */
  #again(wait) {
    if (this.#closed || this.#state === "refused" || this.#state === "online") return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), wait);
  }

  #hello() {
    this.#awaiting = true;
    this.#question({ type: "hello", protocol: PROTOCOL, seen: this.#seen });
  }

  /** @param {object} message  to be answered soon */
  #question(message) {
    this.#say(message);
    clearTimeout(this.#unanswered);
    this.#unanswered = setTimeout(() => this.#lost(), SILENT);
  }

  /** @param {object} message */
  #say(message) {
    this.#socket?.send(JSON.stringify(message));
  }

  /** @param {string} text */
  #take(text) {
    this.#listen();
    const message = JSON.parse(text);
    switch (message.type) {
      case "ping":
        this.#say({ type: "pong", n: message.n });
        break;
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
        this.#error(message.code);
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
    this.#failures = 0;
    this.#tell("online");
  }

  /** @param {string} code */
  #error(code) {
    // An old page, or a table that is gone: trying again would not help.
    if (code === "protocol" || code === "unknown_table") {
      this.close();
      this.#tell("refused");
    } else {
      this.#lost();
    }
  }

  /** @param {LineState} state */
  #tell(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.listener.line(state);
  }
}
