/**
 * What a player has set in this browser. It is kept in localStorage, and works without it, too.
 *
 * @typedef {typeof DEFAULTS} Values
 * @typedef {keyof Values} Name
 */

const KEY = "ezo.settings";

const DEFAULTS = {
  sound: true,
  haptics: true,
  /** What happens for the first time is explained. */
  hints: true,
  /** Domino: one press draws until a tile fits. */
  draw_until: false,
  /** Domino: the grid of tiles not yet seen, at free tables. */
  unseen: false,
  /** Domino: the hand is sorted. */
  sort: false,
  /** Nardi: a turn is confirmed by hand. */
  confirm: true,
  auto_roll: false,
  auto_bear_off: false,
};

export class Settings {
  /** @type {Values} */
  #values = { ...DEFAULTS, ...kept() };
  /** @type {Set<(name: Name, value: boolean) => void>} */
  #listeners = new Set();

  constructor() {
    // Another tab of the same player.
    addEventListener("storage", ({ key }) => {
      if (key === KEY || key === null) this.#take({ ...DEFAULTS, ...kept() });
    });
  }

  /** @param {Name} name */
  get(name) {
    return this.#values[name];
  }

  /**
   * @param {Name} name
   * @param {boolean} value
   */
  set(name, value) {
    this.#take({ ...this.#values, [name]: value });
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#values));
    } catch {
      // It holds for as long as the page is open.
    }
  }

  /**
   * @param {(name: Name, value: boolean) => void} fn  called after a setting has changed
   * @returns {() => void}  stop listening
   */
  listen(fn) {
    this.#listeners.add(fn);
    return () => this.#listeners.delete(fn);
  }

  /** @param {Values} values */
  #take(values) {
    const before = this.#values;
    this.#values = values;
    for (const name of /** @type {Name[]} */ (Object.keys(DEFAULTS)))
      if (values[name] !== before[name])
        for (const fn of this.#listeners) fn(name, values[name]);
  }
}

/**
 * What is kept, as far as it can be one of ours.
 *
 * @returns {Partial<Values>}
 */
function kept() {
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const known = Object.entries(read).filter(
      ([name, value]) => name in DEFAULTS && typeof value === "boolean",
    );
    return Object.fromEntries(known);
  } catch {
    return {};
  }
}
