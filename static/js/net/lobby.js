/**
 * The line to the lobby: the list of tables, at once and after every change. It answers the
 * server's pings, takes silence for a dead line, and comes back by itself with back-off and
 * jitter.
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
 * @typedef {"connecting" | "online" | "offline"} LineState
 */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
/** The server pings every four seconds: so long without a word, and the line is dead. */
const SILENT = 9_000;
const RESTART = 1012;

export class LobbyLine {
  /** @type {WebSocket | null} */
  #socket = null;
  #failures = 0;
  #retry = 0;
  #silence = 0;
  #closed = false;
  /** @type {LineState | null} */
  #state = null;

  /**
   * @param {string} url
   * @param {(tables: Listing[]) => void} tables
   * @param {(state: LineState) => void} state
   */
  constructor(url, tables, state) {
    this.url = url;
    this.tables = tables;
    this.state = state;
    addEventListener("online", () => this.#again(0));
    addEventListener("offline", () => this.#lost());
    addEventListener("pagehide", () => this.#close());
    addEventListener("pageshow", (event) => {
      if (!event.persisted) return;
      this.#closed = false;
      this.open();
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#again(0);
    });
  }

  open() {
    this.#drop();
    clearTimeout(this.#retry);
    this.#tell("connecting");
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    // A late word of an old socket must not touch the new one.
    const current = () => socket === this.#socket;
    socket.onmessage = (message) => current() && this.#take(message.data);
    socket.onclose = (event) => current() && this.#lost(event.code);
    this.#listen();
  }

  #close() {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#drop();
  }

  #drop() {
    clearTimeout(this.#silence);
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
    if (this.#closed || this.#state !== "offline") return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.open(), wait);
  }

  /** @param {string} text */
  #take(text) {
    this.#listen();
    const message = JSON.parse(text);
    if (message.type === "ping") {
      this.#socket?.send(JSON.stringify({ type: "pong", n: message.n }));
    } else if (message.type === "lobby") {
      this.#failures = 0;
      this.#tell("online");
      this.tables(message.tables);
    }
  }

  /** @param {LineState} state */
  #tell(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.state(state);
  }
}
