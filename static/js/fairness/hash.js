/**
 * The two functions that all of the check rests on: the browser's own where it has them, ours
 * where it has not.
 *
 * @typedef {object} Hash
 * @property {string} name
 * @property {(bytes: Uint8Array) => Promise<Uint8Array>} sha256
 * @property {(key: Uint8Array, message: Uint8Array) => Promise<Uint8Array>} hmac
 */

import * as own from "./sha256.js";

/** @type {Hash} */
export const ownHash = {
  name: "own",
  sha256: async (bytes) => own.sha256(bytes),
  hmac: async (key, message) => own.hmac(key, message),
};

/** @type {Hash} */
export const webHash = {
  name: "web",
  async sha256(bytes) {
    return new Uint8Array(await crypto.subtle.digest("SHA-256", copy(bytes)));
  },
  async hmac(key, message) {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const made = await crypto.subtle.importKey("raw", copy(key), algorithm, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", made, copy(message)));
  },
};

/** Web Crypto is there on https and on this computer only. */
export function bestHash() {
  return globalThis.crypto?.subtle ? webHash : ownHash;
}

/**
 * Web Crypto wants bytes that lie in a buffer of their own.
 *
 * @param {Uint8Array} bytes
 */
function copy(bytes) {
  return Uint8Array.from(bytes);
}
