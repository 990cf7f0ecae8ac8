/**
 * What the check needs of a match-record/1, read strictly: the server is not taken at its word.
 *
 * @typedef {object} ReadHand
 * @property {string[]} tiles      domino: the shuffled order
 * @property {number[][]} opening  nardi: the opening rolls, seat 0's die first
 * @property {number[][]} turns    nardi: the dice of each turn
 *
 * @typedef {object} Read
 * @property {"domino" | "nardi"} game
 * @property {string} match
 * @property {string} commitment
 * @property {string[]} numbers
 * @property {string[]} secrets
 * @property {ReadHand[]} hands
 */

import { isHash } from "./bytes.js";

/** The longest chain there is: no match has more hands. */
const HANDS = 1000;

/**
 * @param {unknown} document
 * @returns {Read}  Throws a TypeError that says what is wrong.
 */
export function readRecord(document) {
  const record = fields(document, "record");
  demand(record.format === "match-record/1", "format");
  const { game } = record;
  if (game !== "domino" && game !== "nardi") throw new TypeError("game");
  const fairness = fields(record.fairness, "fairness");
  demand(fairness.version === "match/1", "fairness: version");
  const { match, commitment } = fairness;
  if (typeof match !== "string" || !/^[\x20-\x7e]+$/.test(match)) throw new TypeError("match");
  demand(record.match === undefined || record.match === match, "match");
  if (!isHash(commitment)) throw new TypeError("fairness: commitment");
  const numbers = hashes(fairness.numbers, "fairness: numbers");
  demand(numbers.length >= 2, "fairness: numbers");
  const secrets = hashes(fairness.secrets, "fairness: secrets");
  const hands = list(record.hands, "hands").map(game === "domino" ? dominoHand : nardiHand);
  demand(hands.length > 0 && hands.length <= HANDS && secrets.length <= HANDS, "hands");
  return { game, match, commitment, numbers, secrets, hands };
}

/**
 * @param {unknown} value
 * @returns {ReadHand}
 */
function dominoHand(value) {
  const tiles = list(fields(value, "hand").tiles, "tiles").map((tile) => {
    if (typeof tile !== "string") throw new TypeError("tiles");
    return tile;
  });
  return { tiles, opening: [], turns: [] };
}

/**
 * @param {unknown} value
 * @returns {ReadHand}
 */
function nardiHand(value) {
  const hand = fields(value, "hand");
  const opening = list(hand.opening, "opening").map((pair) => {
    const dice = list(pair, "opening").map(Number);
    demand(dice.length === 2 && dice.every((die) => die >= 1 && die <= 6), "opening");
    return dice;
  });
  demand(opening.length > 0, "opening");
  const turns = list(hand.turns, "turns").map((turn) => {
    const dice = /^[01] ([1-6])([1-6]):/.exec(String(turn));
    if (!dice) throw new TypeError("turns");
    return [Number(dice[1]), Number(dice[2])];
  });
  return { tiles: [], opening, turns };
}

/**
 * @param {unknown} value
 * @param {string} what
 */
function fields(value, what) {
  demand(typeof value === "object" && value !== null && !Array.isArray(value), what);
  return /** @type {Record<string, unknown>} */ (value);
}

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {unknown[]}
 */
function list(value, what) {
  if (!Array.isArray(value)) throw new TypeError(what);
  return value;
}

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {string[]}
 */
function hashes(value, what) {
  return list(value, what).map((each) => {
    if (!isHash(each)) throw new TypeError(what);
    return each;
  });
}

/**
 * @param {boolean} holds
 * @param {string} what
 */
function demand(holds, what) {
  if (!holds) throw new TypeError(what);
}
