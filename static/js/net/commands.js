/**
 * What this page asked for and the server has not answered yet.
 *
 * One command is under way at a time. It keeps its id until it is answered, however often it is
 * sent again, so it counts once. What waits behind it dies when the table starts afresh.
 *
 * @typedef {import("../types.js").Act} Act
 * @typedef {import("../types.js").Json} Json
 * @typedef {import("../types.js").Refused} Refused
 */

export class Commands {
  /** @type {Act | null} */
  #underway = null;
  /** @type {Act[]} */
  #waiting = [];
  /** The number of the change that carries what is under way, once it was accepted. */
  #saved = Infinity;
  #seen = 0;

  /**
   * @param {(act: Act) => void} send
   * @param {() => void} changed  called when what is pending has changed
   */
  constructor(send, changed) {
    this.send = send;
    this.changed = changed;
  }

  /** The actions that are not saved yet, in order. */
  get pending() {
    return [...(this.#underway ? [this.#underway] : []), ...this.#waiting].map((act) => act.action);
  }

  /**
   * Ask for actions that follow one another. Refused (false) while others are pending.
   *
   * @param {Json[]} actions
   * @param {string} match
   * @param {number} ply
   */
  ask(actions, match, ply) {
    if (this.#underway || actions.length === 0) return false;
    this.#waiting = actions.map((action, n) => ({ id: newId(), match, ply: ply + n, action }));
    this.#next();
    return true;
  }

  /**
   * It was saved. It stays pending until its change has come, so that nothing flickers.
   *
   * @param {string} id
   * @param {number} number
   */
  accepted(id, number) {
    if (id !== this.#underway?.id) return;
    this.#saved = number;
    this.#settle();
  }

  /** @param {number} number  of the last event that this page has seen */
  seen(number) {
    this.#seen = number;
    this.#settle();
  }

  /**
   * @param {string} id
   * @returns {boolean} was it this page's command
   */
  refused(id) {
    if (id !== this.#underway?.id) return false;
    this.#waiting = [];
    this.#next();
    return true;
  }

  /**
   * The table started afresh: only the unanswered command lives on, and goes again.
   *
   * @param {number} number  of the last event that the snapshot holds
   */
  resync(number) {
    this.#waiting = [];
    this.seen(number);
    if (this.#underway) this.send(this.#underway);
  }

  #settle() {
    if (this.#underway && this.#seen >= this.#saved) this.#next();
  }

  #next() {
    this.#saved = Infinity;
    this.#underway = this.#waiting.shift() ?? null;
    if (this.#underway) this.send(this.#underway);
    this.changed();
  }
}

/** 128 random bits, as 32 of the letters allowed. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
