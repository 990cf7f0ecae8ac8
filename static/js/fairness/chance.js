/**
 * Shuffles and rolls from what was committed to, to the letter of the site's fairness rules;
 * numbers in brackets are their points.
 *
 * @typedef {import("./hash.js").Hash} Hash
 */

import { ascii, hex } from "./bytes.js";

const SPAN = 2 ** 32;

/** The 28 tiles in their order before the shuffle: 0-0, 0-1, … 0-6, 1-1, … 6-6 (6). */
export const TILES = Array.from({ length: 7 }, (_, low) =>
  Array.from({ length: 7 - low }, (_, n) => `${low}-${low + n}`),
).flat();

/**
 * Is `secret` the next link after `before`, which is `s[n-1]` (or the commitment, for n = 1) (1)?
 * With every link before it sound, it is then the one committed to (8).
 *
 * @param {Hash} hash
 * @param {Uint8Array} secret
 * @param {Uint8Array} before
 */
export async function follows(hash, secret, before) {
  return hex(await hash.sha256(secret)) === hex(before);
}

/**
 * Does `secret` as `s[n]` lead to the commitment (8)?
 *
 * @param {Hash} hash
 * @param {Uint8Array} secret
 * @param {number} n
 * @param {Uint8Array} commitment
 */
export async function leadsTo(hash, secret, n, commitment) {
  let value = secret;
  for (let i = 0; i < n; i += 1) value = await hash.sha256(value);
  return hex(value) === hex(commitment);
}

/**
 * The key of hand n from its secret, the match and the players' numbers by seat (4).
 *
 * @param {Hash} hash
 * @param {Uint8Array} secret
 * @param {string} match
 * @param {number} n
 * @param {Uint8Array[]} numbers
 */
export function handKey(hash, secret, match, n, numbers) {
  const message = ["match/1", match, n, ...numbers.map(hex)].join("|");
  return hash.hmac(secret, ascii(message));
}

/** The stream `label` under a hand's key (5). */
export class Stream {
  #block = 0;
  #at = 0;
  /** @type {DataView} */
  #buffer = new DataView(new ArrayBuffer(0));

  /**
   * @param {Hash} hash
   * @param {Uint8Array} key
   * @param {string} label
   */
  constructor(hash, key, label) {
    this.hash = hash;
    this.key = key;
    this.label = label;
  }

  /**
   * A number 0 … m − 1, every one equally likely.
   *
   * @param {number} m
   */
  async below(m) {
    const limit = m * Math.floor(SPAN / m);
    let x = await this.#word();
    while (x >= limit) x = await this.#word();
    return x % m;
  }

  async #word() {
    if (this.#at === this.#buffer.byteLength) {
      const block = await this.hash.hmac(this.key, ascii(`${this.label}|${this.#block}`));
      this.#buffer = new DataView(block.buffer, block.byteOffset, block.byteLength);
      this.#block += 1;
      this.#at = 0;
    }
    const word = this.#buffer.getUint32(this.#at);
    this.#at += 4;
    return word;
  }
}

/**
 * The order of the tiles of a hand (6).
 *
 * @param {Hash} hash
 * @param {Uint8Array} key
 */
export async function shuffled(hash, key) {
  const stream = new Stream(hash, key, "tiles");
  const order = [...TILES];
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = await stream.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/**
 * A pair of dice: the opening roll or a later roll of that number (7).
 *
 * @param {Hash} hash
 * @param {Uint8Array} key
 * @param {"opening" | "roll"} kind
 * @param {number} number
 * @returns {Promise<[number, number]>}
 */
export async function rolled(hash, key, kind, number) {
  const stream = new Stream(hash, key, `${kind}|${number}`);
  const first = (await stream.below(6)) + 1;
  return [first, (await stream.below(6)) + 1];
}
