/**
 * What this browser keeps of its matches, to compare the record with afterwards (fairness 3).
 *
 * One entry a match, and one a number of ours: tabs of one player may each make a number at the
 * same moment, and only the server says whose hash came first, so none is ever overwritten.
 *
 * @typedef {object} Kept
 * @property {string} match
 * @property {string} game
 * @property {number} seat           our own
 * @property {string} commitment
 * @property {string[] | null} hashes  by seat, once they were handed on
 * @property {Record<string, string>} numbers  numbers of ours, by their hashes
 * @property {Record<string, string[]>} tiles  own tiles as dealt, by hand
 * @property {Record<string, string[]>} openings  opening rolls by hand, "35": seat 0's die first
 * @property {Record<string, Record<string, string>>} rolls  by hand and number of the roll, "53"
 * @property {Record<string, string[]>} loose  by hand, rolls whose number we missed, "0 53"
 * @property {number} at             when it was begun, for the order of forgetting
 */

import { isHash } from "./bytes.js";

const MATCH = "ezo.match.";
const NUMBER = "ezo.number.";
/** So many matches are kept. */
export const LAST = 20;

/**
 * A match of which nothing but the commitment is known.
 *
 * @param {string} match
 * @param {string} game
 * @param {number} seat
 * @param {string} commitment
 * @returns {Kept}
 */
export function newKept(match, game, seat, commitment) {
  const seen = { tiles: {}, openings: {}, rolls: {}, loose: {} };
  return { match, game, seat, commitment, hashes: null, numbers: {}, ...seen, at: Date.now() };
}

export class Keeper {
  /** @param {Storage} [storage] */
  constructor(storage = browserStorage()) {
    this.storage = storage;
  }

  /**
   * What is kept of a match.
   *
   * @param {string} match
   * @returns {Kept | null}
   */
  load(match) {
    const kept = this.#read(match);
    if (!kept) return null;
    const prefix = `${NUMBER}${match}.`;
    const found = this.#keys(prefix).map((key) => [
      key.slice(prefix.length),
      this.storage.getItem(key) ?? "",
    ]);
    return { ...kept, numbers: Object.fromEntries(found) };
  }

  /**
   * Keep it, and forget what is older than the last matches.
   *
   * @param {Kept} kept
   */
  save({ numbers, ...kept }) {
    const known = this.storage.getItem(MATCH + kept.match) !== null;
    if (!known) this.#forget(LAST - 1);
    for (const [hash, number] of Object.entries(numbers))
      this.#write(`${NUMBER}${kept.match}.${hash}`, number);
    this.#write(MATCH + kept.match, JSON.stringify(kept));
  }

  /** @param {string} match */
  #read(match) {
    try {
      const kept = JSON.parse(this.storage.getItem(MATCH + match) ?? "null");
      return kept?.match === match && isHash(kept.commitment) ? /** @type {Kept} */ (kept) : null;
    } catch {
      return null;
    }
  }

  /** @param {string} prefix */
  #keys(prefix) {
    const all = Array.from({ length: this.storage.length }, (_, n) => this.storage.key(n) ?? "");
    return all.filter((key) => key.startsWith(prefix));
  }

  /**
   * What does not fit makes room by forgetting older matches.
   *
   * @param {string} key
   * @param {string} value
   */
  #write(key, value) {
    for (let room = LAST - 1; ; room = Math.floor(room / 2)) {
      try {
        this.storage.setItem(key, value);
        return;
      } catch {
        if (room === 0) break;
        this.#forget(room);
      }
    }
    // No room at all: it lives as long as this page does.
    const memory = new Memory();
    for (const old of this.#keys("ezo.")) memory.setItem(old, this.storage.getItem(old) ?? "");
    memory.setItem(key, value);
    this.storage = memory;
  }

  /**
   * Leave the last `count` matches. Handshakes that came to nothing go before matches.
   *
   * @param {number} count
   */
  #forget(count) {
    const matches = this.#keys(MATCH).map((key) => key.slice(MATCH.length));
    /** @param {string} match @returns {[boolean, number]} */
    const age = (match) => [this.#read(match)?.hashes != null, this.#read(match)?.at ?? 0];
    const aged = matches.map((match) => ({ match, age: age(match) }));
    aged.sort((a, b) => Number(b.age[0]) - Number(a.age[0]) || b.age[1] - a.age[1]);
    for (const { match } of aged.slice(count)) {
      for (const key of this.#keys(`${NUMBER}${match}.`)) this.storage.removeItem(key);
      this.storage.removeItem(MATCH + match);
    }
  }
}

/** Where the browser keeps nothing (private windows, a full disk): for as long as the page lives. */
class Memory {
  /** @type {Map<string, string>} */
  #all = new Map();

  get length() {
    return this.#all.size;
  }

  /** @param {number} n */
  key(n) {
    return [...this.#all.keys()][n] ?? null;
  }

  /** @param {string} key */
  getItem(key) {
    return this.#all.get(key) ?? null;
  }

  /** @param {string} key @param {string} value */
  setItem(key, value) {
    this.#all.set(key, value);
  }

  /** @param {string} key */
  removeItem(key) {
    this.#all.delete(key);
  }

  clear() {
    this.#all.clear();
  }
}

/** @returns {Storage} */
function browserStorage() {
  try {
    const probe = `ezo.probe.${Math.random()}`;
    localStorage.setItem(probe, "");
    localStorage.removeItem(probe);
    return localStorage;
  } catch {
    return new Memory();
  }
}
