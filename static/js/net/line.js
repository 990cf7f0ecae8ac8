/**
 * A line to the server that keeps itself alive: it answers the server's pings, takes nine seconds
 * of silence for its death, and comes back by itself with back-off and jitter, at once when the
 * page is looked at again or the network is back. What is said on it is its owner's affair.
 *
 * @typedef {"connecting" | "online" | "offline" | "refused"} LineState
 *
 * @typedef {object} Owner
 * @property {() => void} [opened]  there is a socket: now something can be said
 * @property {(message: any) => void} heard  anything but a ping
 * @property {() => void} [seen]  the page is looked at again, and the line was there all the time
 * @property {(state: LineState) => void} state
 */

const FIRST_WAIT = 400;
/** The server pings every four seconds: so long without a word, and the line is dead. */
export const SILENT = 9_000;
const RESTART = 1012;

export class Line {
  /** @type {WebSocket | null} */
  #socket = null;
  #failures = 0;
  #retry = 0;
  #silence = 0;
  #closed = false;
  /** @type {LineState | null} */
  #state = null;

  /**
   * @param {string} path
   * @param {number} longest  milliseconds to wait between two tries
   * @param {Owner} owner
   */
  constructor(path, longest, owner) {
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.longest = longest;
    this.owner = owner;
    addEventListener("online", () => this.#again(0));
    addEventListener("offline", () => this.lost());
    addEventListener("pagehide", () => this.close());
    // The back button, or a page that the browser had put to sleep as a whole.
    addEventListener("pageshow", ({ persisted }) => {
      if (!persisted || this.#state === "refused") return;
      this.#closed = false;
      this.open();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden || this.#closed) return;
      if (this.#state === "online") this.owner.seen?.();
      else if (this.#state === "offline") this.open();
    });
  }

  get state() {
    return this.#state;
  }

  open() {
    this.#drop();
    clearTimeout(this.#retry);
    this.#tell("connecting");
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    // A late word of an old socket must not touch the new one.
    const current = () => socket === this.#socket;
    socket.onopen = () => current() && this.owner.opened?.();
    socket.onmessage = (message) => current() && this.#hear(message.data);
    socket.onclose = (event) => current() && this.lost(event.code);
    this.#listen();
  }

  /** It stays closed until the page is shown again. */
  close() {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#drop();
    if (this.#state !== "refused") this.#tell("offline");
  }

  /** It stays closed for good: trying again would not help. */
  refuse() {
    this.close();
    this.#tell("refused");
  }

  /** It works: what is shown is the present. */
  thrive() {
    this.#failures = 0;
    this.#tell("online");
  }

  /** @param {object} message */
  say(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** @param {number} [code]  of the socket's close */
  lost(code) {
    this.#drop();
    if (this.#closed) return;
    this.#tell("offline");
    // A restart sends everybody away at once, so they come back spread over a second.
    const wait = Math.min(this.longest, FIRST_WAIT * 2 ** this.#failures);
    this.#failures += 1;
    this.#again(code === RESTART ? 200 + Math.random() * 800 : wait * (0.5 + Math.random()));
  }

  /** @param {number} wait  milliseconds */
  #again(wait) {
    if (this.#closed || this.#state === "online") return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.open(), wait);
  }

  #drop() {
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #listen() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.lost(), SILENT);
  }

  /** @param {string} text */
  #hear(text) {
    this.#listen();
    const message = JSON.parse(text);
    if (message.type === "ping") this.say({ type: "pong", n: message.n });
    else this.owner.heard(message);
  }

  /** @param {LineState} state */
  #tell(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.owner.state(state);
  }
}
