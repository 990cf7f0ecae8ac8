/** Bytes and their names in hex and ASCII. */

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The bytes of lower-case hex digits.
 *
 * @param {string} digits
 */
export function unhex(digits) {
  if (!/^(?:[0-9a-f]{2})*$/.test(digits)) throw new TypeError("not hex digits");
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {string} text */
export function ascii(text) {
  return new TextEncoder().encode(text);
}

/**
 * Is it 32 bytes in lower-case hex?
 *
 * @param {unknown} value
 * @returns {value is string}
 */
export function isHash(value) {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
