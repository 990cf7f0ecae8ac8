/**
 * The frames of a match, fetched hand by hand and kept.
 *
 * @typedef {import("../types.js").Frame} Frame
 * @typedef {import("./moment.js").From} From
 */

export class Frames {
  /** @type {Map<string, Promise<Frame[]>>} */
  #kept = new Map();

  /** @param {string} address */
  constructor(address) {
    this.address = address;
  }

  /**
   * Rejects where they cannot be had now; the next call tries again.
   *
   * @param {number} hand
   * @param {From} from
   * @returns {Promise<Frame[]>}
   */
  of(hand, from) {
    const query = `hand=${hand}&from=${from}`;
    const kept = this.#kept.get(query);
    if (kept) return kept;
    const coming = this.#fetch(query);
    this.#kept.set(query, coming);
    coming.catch(() => this.#kept.delete(query));
    return coming;
  }

  /** @param {string} query */
  async #fetch(query) {
    const answer = await fetch(`${this.address}?${query}`);
    if (!answer.ok) throw new Error(`no frames: ${answer.status}`);
    const { frames } = await answer.json();
    return frames;
  }
}
