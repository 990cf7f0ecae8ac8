/**
 * Is what chance gave in a finished match what was committed to before it (fairness 8)? Computed
 * from the record alone, and compared with what this browser kept of the match if it was there.
 *
 * @typedef {import("./hash.js").Hash} Hash
 * @typedef {import("./keep.js").Kept} Kept
 *
 * @typedef {object} Difference
 * @property {string} code     what differs: `fairness.differs.CODE` in the texts
 * @property {number | null} hand
 * @property {number | null} seat
 * @property {Record<string, string | number>} values
 *
 * @typedef {object} Checked
 * @property {boolean} sound
 * @property {boolean} kept    it was compared with what this browser kept, too
 * @property {number} hands    so many were found sound
 * @property {number} shuffles
 * @property {number} rolls    opening rolls included
 * @property {number} seen     of them, so many this browser had seen itself
 * @property {Difference | null} difference  the first one
 */

import { hex, unhex } from "./bytes.js";
import { follows, handKey, rolled, shuffled } from "./chance.js";
import { bestHash } from "./hash.js";
import { readRecord } from "./record.js";

/** @typedef {import("./record.js").Read} Read */

const HAND_SIZE = 7;

/** Thrown at the first difference: nothing after it means anything. */
class Differs extends Error {
  /**
   * @param {string} code
   * @param {{hand?: number, seat?: number} & Record<string, string | number>} [values]
   */
  constructor(code, { hand, seat, ...values } = {}) {
    super(code);
    /** @type {Difference} */
    this.difference = { code, hand: hand ?? null, seat: seat ?? null, values };
  }
}

/**
 * @param {unknown} document  the record as it came
 * @param {object} about
 * @param {string} about.match  the match that was asked for
 * @param {Kept | null} about.kept  what this browser kept of it
 * @param {Hash} [about.hash]
 * @returns {Promise<Checked>}
 */
export async function check(document, { match, kept, hash = bestHash() }) {
  /** @type {Checked} */
  const told = {
    sound: false,
    kept: kept !== null,
    hands: 0,
    shuffles: 0,
    rolls: 0,
    seen: 0,
    difference: null,
  };
  try {
    const record = read(document);
    if (record.match !== match) throw new Differs("match");
    if (kept) await compareHandshake(hash, record, kept);
    let before = unhex(record.commitment);
    for (const [n, given] of record.secrets.entries()) {
      const secret = unhex(given);
      const hand = n + 1;
      if (!(await follows(hash, secret, before))) throw new Differs("secret", { hand });
      before = secret;
      if (!record.hands[n]) continue;
      const key = await handKey(hash, secret, match, hand, record.numbers.map(unhex));
      if (record.game === "domino") await checkShuffle(hash, key, record, hand, kept, told);
      else await checkRolls(hash, key, record, hand, kept, told);
      told.hands += 1;
    }
    told.sound = true;
  } catch (error) {
    if (!(error instanceof Differs)) throw error;
    told.difference = error.difference;
  }
  return told;
}

/** @param {unknown} document */
function read(document) {
  /** @type {Read} */
  let record;
  try {
    record = readRecord(document);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Differs("unreadable", { what: error.message });
  }
  const { hands, secrets } = record;
  if (secrets.length < hands.length) throw new Differs("no_secret", { hand: secrets.length + 1 });
  return record;
}

/**
 * What was agreed on before the match.
 *
 * @param {Hash} hash
 * @param {Read} record
 * @param {Kept} kept
 */
async function compareHandshake(hash, record, kept) {
  if (kept.commitment !== record.commitment) throw new Differs("kept_commitment");
  for (const [seat, number] of record.numbers.entries()) {
    const hashed = hex(await hash.sha256(unhex(number)));
    if (kept.hashes && kept.hashes[seat] !== hashed) throw new Differs("kept_hash", { seat });
  }
  const own = Object.values(kept.numbers);
  if (own.length > 0 && !own.includes(record.numbers[kept.seat])) throw new Differs("kept_number");
  const seen = [kept.tiles, kept.openings, kept.rolls, kept.loose];
  const last = Math.max(0, ...seen.flatMap(Object.keys).map(Number));
  if (last > record.hands.length) throw new Differs("kept_hand", { hand: last });
}

/**
 * @param {Hash} hash
 * @param {Uint8Array} key
 * @param {Read} record
 * @param {number} hand
 * @param {Kept | null} kept
 * @param {Checked} told
 */
async function checkShuffle(hash, key, record, hand, kept, told) {
  const order = await shuffled(hash, key);
  const { tiles } = record.hands[hand - 1];
  const wrong = order.findIndex((tile, i) => tile !== tiles[i]);
  if (wrong >= 0 || tiles.length !== order.length) {
    const at = wrong < 0 ? order.length : wrong;
    throw new Differs("tiles", {
      hand,
      place: at + 1,
      recorded: tiles[at] ?? "–",
      drawn: order[at] ?? "–",
    });
  }
  told.shuffles += 1;
  const own = kept?.tiles[hand];
  if (!kept || !own) return;
  const dealt = order.slice(kept.seat * HAND_SIZE, (kept.seat + 1) * HAND_SIZE);
  if (!same(own, dealt))
    throw new Differs("kept_tiles", { hand, recorded: spell(dealt), seen: spell(own) });
  told.seen += 1;
}

/**
 * @param {Hash} hash
 * @param {Uint8Array} key
 * @param {Read} record
 * @param {number} hand
 * @param {Kept | null} kept
 * @param {Checked} told
 */
async function checkRolls(hash, key, record, hand, kept, told) {
  const { opening, turns } = record.hands[hand - 1];
  /** @param {number} number  @param {"opening" | "roll"} kind */
  const draw = async (number, kind) => rolled(hash, key, kind, number);

  for (const [n, [first, second]] of opening.entries()) {
    const drawn = await draw(n, "opening");
    // A tie is rolled again, and nothing else is (N3).
    const rightKind = (drawn[0] === drawn[1]) === n < opening.length - 1;
    if (drawn[0] !== first || drawn[1] !== second || !rightKind)
      throw new Differs("opening", {
        hand,
        number: n + 1,
        recorded: pair([first, second]),
        drawn: pair(drawn),
      });
    told.rolls += 1;
    const seen = kept?.openings[hand]?.[n];
    if (seen === undefined) continue;
    if (seen !== drawn.join(""))
      throw new Differs("kept_opening", { hand, number: n + 1, seen: pair(seen), drawn: pair(drawn) });
    told.seen += 1;
  }
  const decided = opening.at(-1) ?? [0, 0];
  /** @type {number[][]} */
  const drawn = [decided];
  // One roll more than there are turns: a match can end between a roll and its moves.
  for (let r = 1; r <= turns.length; r += 1) drawn.push(await draw(r, "roll"));
  for (const [r, dice] of turns.entries()) {
    if (!same(dice, drawn[r]))
      throw new Differs(r === 0 ? "first_roll" : "roll", {
        hand,
        number: r,
        recorded: pair(dice),
        drawn: pair(drawn[r]),
      });
    if (r > 0) told.rolls += 1;
  }
  if (!kept) return;
  for (const [r, seen] of Object.entries(kept.rolls[hand] ?? {})) {
    const rightly = drawn[Number(r)];
    if (!rightly || !same([...seen], rightly))
      throw new Differs("kept_roll", {
        hand,
        number: Number(r),
        seen: pair(seen),
        drawn: pair(rightly ?? "?"),
      });
    told.seen += 1;
  }
  const starter = decided[0] > decided[1] ? 0 : 1;
  for (const seen of kept.loose[hand] ?? []) {
    const [seat, dice] = seen.split(" ");
    const found = drawn.some((each, r) => Number(seat) === (starter + r) % 2 && same([...dice], each));
    if (!found) throw new Differs("kept_roll_missing", { hand, seen: pair(dice) });
  }
}

/**
 * The same things in any order.
 *
 * @param {readonly (string | number)[]} some
 * @param {readonly (string | number)[]} others
 */
function same(some, others) {
  return spell([...some].sort()) === spell([...others].sort());
}

/** @param {readonly (string | number)[]} things */
function spell(things) {
  return things.join(" ");
}

/**
 * Two dice as they are written: 5–3.
 *
 * @param {number[] | string} dice
 */
function pair(dice) {
  return [...dice].join("–");
}
