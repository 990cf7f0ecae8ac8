/**
 * The line to a table. It says hello, keeps the number of the last event, asks for a snapshot
 * when a number is missing, and comes back by itself with back-off and jitter. It judges the
 * line by the server's messages and the socket's close; it never pings by timer, because timers
 * of background tabs are throttled.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../types.js").Refused} Refused
 * @typedef {import("../types.js").Act} Act
 * @typedef {"connecting" | "online" | "offline" | "refused"} LineState
 *
 * @typedef {object} Listener
 * @property {(table: Table, number: number) => void} snapshot  start afresh from this table
 * @property {(table: Table, events: TableEvent[], number: number) => void} change
 *   the next saved change; number is that of its last event
 * @property {(id: string, number: number) => void} accepted
 * @property {(refused: Refused) => void} refused
 * @property {(state: LineState) => void} line
 */

const PROTOCOL = 1;
const FIRST_WAIT = 300;
const LONGEST_WAIT = 8_000;
/** How long a question may stay unanswered before the line counts as dead. */
const ANSWER_WITHIN = 8_000;

export class TableLine {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {number | null} */
  #seen = null;
  /** Hello was said and its snapshot has not come: changes before it are of no use. */
  #awaiting = true;
  #failures = 0;
  #retry = 0;
  #deadline = 0;
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
      if (!document.hidden) this.check();
    });
  }

  open() {
    this.#connect();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#deadline);
    this.#drop();
    this.#tell("offline");
  }

  get state() {
    return this.#state;
  }

  get online() {
    return this.#state === "online";
  }

  /** Ask for the present: a page that slept may have missed that its line died. */
  check() {
    if (this.#state === "online") this.#hello();
    else if (!this.#closed && this.#state === "offline") this.#again(0);
  }

  /** @param {Act} act */
  send(act) {
    if (!this.online) return;
    this.#socket?.send(JSON.stringify({ type: "act", ...act }));
    this.#expectAnswer();
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
    this.#expectAnswer();
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** @param {number} [code]  of the socket's close */
  #lost(code) {
    this.#drop();
    clearTimeout(this.#deadline);
    if (this.#closed) return;
    this.#tell("offline");
    // 1012: the server restarts; everybody comes back, so spread over a second.
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures);
    this.#failures += 1;
    this.#again(code === 1012 ? 200 + Math.random() * 800 : wait * (0.5 + Math.random()));
  }

  /** @param {number} wait  milliseconds */
  #again(wait) {
    if (this.#closed || this.#state === "refused" || this.online) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), wait);
  }

  #hello() {
    this.#awaiting = true;
    this.#socket?.send(JSON.stringify({ type: "hello", protocol: PROTOCOL, seen: this.#seen }));
    this.#expectAnswer();
  }

  #expectAnswer() {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#lost(), ANSWER_WITHIN);
  }

  /** @param {string} text */
  #take(text) {
    clearTimeout(this.#deadline);
    const message = JSON.parse(text);
    switch (message.type) {
      case "snapshot":
        this.#seen = message.number;
        this.#awaiting = false;
        this.#failures = 0;
        this.#tell("online");
        this.listener.snapshot(message.table, message.number);
        break;
      case "change":
        this.#change(message);
        break;
      case "accepted":
        this.listener.accepted(message.id, message.number);
        break;
      case "refused":
        this.listener.refused(message);
        break;
      case "error":
        this.#error(message.code);
        break;
      default: // a newer server may say more than this page knows
    }
  }

  /** @param {{number: number, events: TableEvent[], table: Table}} message */
  #change(message) {
    if (this.#awaiting || this.#seen === null) return this.#expectAnswer();
    if (message.number <= this.#seen) return;
    const first = message.events[0]?.number ?? message.number;
    if (first !== this.#seen + 1) return this.#hello();
    this.#seen = message.number;
    this.listener.change(message.table, message.events, message.number);
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
