/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104) in plain JavaScript, at once and without promises.
 * Browsers have their own, but not on plain http away from localhost.
 */

const BLOCK = 64;
const K = new Uint32Array(64);
const START = new Uint32Array(8);

/** The first bits of the fractional parts of roots of the first primes, as the standard has it. */
function fillConstants() {
  /** @param {bigint} radicand  @param {bigint} power */
  const root = (radicand, power) => {
    let low = 0n;
    let high = radicand;
    while (low < high) {
      const middle = (low + high + 1n) / 2n;
      if (middle ** power <= radicand) low = middle;
      else high = middle - 1n;
    }
    return low;
  };
  let found = 0;
  for (let n = 2; found < 64; n += 1) {
    let prime = true;
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) prime = false;
    if (!prime) continue;
    K[found] = Number(root(BigInt(n) << 96n, 3n) & 0xffffffffn);
    if (found < 8) START[found] = Number(root(BigInt(n) << 64n, 2n) & 0xffffffffn);
    found += 1;
  }
}

fillConstants();

const words = new Uint32Array(64);

/** @param {number} x  @param {number} by */
const turned = (x, by) => (x >>> by) | (x << (32 - by));

/**
 * One block of 64 bytes into the state.
 *
 * @param {Uint32Array} state
 * @param {DataView} data
 * @param {number} at
 */
function compress(state, data, at) {
  for (let i = 0; i < 16; i += 1) words[i] = data.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const x = words[i - 15];
    const y = words[i - 2];
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words[i] = (words[i - 16] + s0 + words[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = state[i] + word));
}

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} 32 bytes
 */
export function sha256(bytes) {
  const length = bytes.length;
  const padded = new Uint8Array(Math.ceil((length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
  data.setUint32(padded.length - 4, length << 3);
  const state = START.slice();
  for (let at = 0; at < padded.length; at += BLOCK) compress(state, data, at);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  state.forEach((word, i) => out.setUint32(4 * i, word));
  return digest;
}

/**
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 * @returns {Uint8Array} 32 bytes
 */
export function hmac(key, message) {
  const short = key.length > BLOCK ? sha256(key) : key;
  const inner = new Uint8Array(BLOCK + message.length).fill(0x36, 0, BLOCK);
  const outer = new Uint8Array(BLOCK + 32).fill(0x5c, 0, BLOCK);
  short.forEach((byte, i) => {
    inner[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  });
  inner.set(message, BLOCK);
  outer.set(sha256(inner), BLOCK);
  return sha256(outer);
}
