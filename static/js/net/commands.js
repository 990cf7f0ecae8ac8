/**
 * What this page asked for and the server has not answered yet.
 *
 * One command is under way at a time. It keeps its id until it is answered, however often it is
 * sent again, so it counts once. What waits behind it dies when the table starts afresh.
 *
 * @typedef {import("../types.js").Command} Command
 * @typedef {import("../types.js").Json} Json
 * @typedef {import("../types.js").Wish} Wish
 */

export class Commands {
  /** @type {Command | null} */
  #underway = null;
  /** @type {Command[]} */
  #waiting = [];
  /** The number of the change that carries what is under way, once it was accepted. */
  #saved = Infinity;
  #seen = 0;

  /**
   * @param {(command: Command) => void} send
   * @param {() => void} changed  called when what is pending has changed
   */
  constructor(send, changed) {
    this.send = send;
    this.changed = changed;
  }

  get #all() {
    return [...(this.#underway ? [this.#underway] : []), ...this.#waiting];
  }

  /** How many commands are not saved yet. */
  get count() {
    return this.#all.length;
  }

  /** The game's actions that are not saved yet, in order. */
  get pending() {
    return this.#all.flatMap((one) => (one.type === "act" ? [one.action] : []));
  }

  /**
   * Ask for actions that follow one another. Refused (false) while others are pending.
   *
   * @param {Json[]} actions
   * @param {string} match
   * @param {number} ply
   */
  act(actions, match, ply) {
    if (this.#underway || actions.length === 0) return false;
    this.#waiting = actions.map((action, n) => ({
      type: "act",
      id: newId(),
      match,
      ply: ply + n,
      action,
    }));
    this.#next();
    return true;
  }

  /**
   * Ask for something beside the game. The same wish is not asked twice at a time.
   *
   * @param {Wish} wish
   */
  ask(wish) {
    if (this.asks(wish)) return;
    this.#waiting.push(/** @type {Command} */ ({ ...wish, id: newId() }));
    if (this.#underway) this.changed();
    else this.#next();
  }

  /** @param {Wish} wish  is it asked already, and not answered */
  asks(wish) {
    return this.#all.some((one) => {
      const { id: _, ...same } = one;
      return JSON.stringify(same) === JSON.stringify(wish);
    });
  }

  /**
   * It was saved. It stays pending until its change has come, so that nothing flickers.
   *
   * @param {string} id
   * @param {number} number
   * @returns {Command | null} this page's command, if it was one
   */
  accepted(id, number) {
    const command = this.#underway;
    if (!command || id !== command.id) return null;
    this.#saved = number;
    this.#settle();
    return command;
  }

  /** @param {number} number  of the last event that this page has seen */
  seen(number) {
    this.#seen = number;
    this.#settle();
  }

  /**
   * @param {string} id
   * @returns {Command | null} this page's command, if it was one
   */
  refused(id) {
    const command = this.#underway;
    if (!command || id !== command.id) return null;
    if (command.type === "act") this.#waiting = this.#waiting.filter((one) => one.type !== "act");
    this.#next();
    return command;
  }

  /**
   * The table started afresh: only the unanswered command lives on, and goes again.
   *
   * @param {number} number  of the last event that the page has seen then
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
