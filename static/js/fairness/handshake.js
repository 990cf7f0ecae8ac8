/**
 * Our part of the handshake before a match (fairness 2): what to send next, and what to store
 * before it is sent. The same answer for a page that was reloaded, and for every tab.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("./keep.js").Kept} Kept
 * @typedef {{type: "hash", match: string, hash: string}
 *   | {type: "reveal", match: string, number: string}} Said
 *
 * @typedef {object} Alarm  why nothing more is sent: `fairness.alarm.CODE` in the texts
 * @property {"commitment_changed" | "seat_changed" | "hash_changed" | "hash_missing"
 *   | "number_elsewhere" | "number_mismatch"} code
 * @property {number | null} seat  whose hash or number it is
 *
 * @typedef {object} Step
 * @property {Kept | null} keep  to be stored first
 * @property {Said | null} send
 * @property {Alarm | null} alarm
 */

import { hex, isHash, unhex } from "./bytes.js";
import { Keeper, newKept } from "./keep.js";
import { sha256 } from "./sha256.js";

/** @type {Step} */
const NOTHING = { keep: null, send: null, alarm: null };

/** 32 random bytes. */
export function freshNumber() {
  return crypto.getRandomValues(new Uint8Array(32));
}

/**
 * What is to be done about a table as it is now, done as far as this browser's store goes.
 *
 * @param {Table} table
 * @param {Keeper} keeper
 * @returns {{send: Said | null, alarm: Alarm | null}}
 */
export function shake(table, keeper) {
  const kept = table.match ? keeper.load(table.match) : null;
  const { keep, send, alarm } = nextStep(table, kept, freshNumber);
  if (keep) keeper.save(keep);
  return { send, alarm };
}

/**
 * @param {Table} table
 * @param {Kept | null} kept  what is kept of its match
 * @param {() => Uint8Array} fresh  32 random bytes, asked for at most once
 * @returns {Step}
 */
export function nextStep(table, kept, fresh) {
  const { you, match, handshake } = table;
  if (you === null || !match) return NOTHING;
  const alarm = kept && changed(table, you, kept);
  if (alarm) return { ...NOTHING, alarm };
  // A seat that has done its part waits, and so do the player's other tabs.
  if (!handshake || handshake.done[you]) return NOTHING;
  if (handshake.step === "hash") {
    const base = kept ?? newKept(match, table.game, you, handshake.commitment);
    const [known] = Object.keys(base.numbers);
    if (known) return { ...NOTHING, send: { type: "hash", match, hash: known } };
    const number = fresh();
    const hash = hex(sha256(number));
    const keep = { ...base, numbers: { [hash]: hex(number) } };
    return { keep, send: { type: "hash", match, hash }, alarm: null };
  }
  const hashes = handshake.hashes.filter(isHash);
  const missing = handshake.hashes.findIndex((hash) => !isHash(hash));
  if (missing >= 0) return { ...NOTHING, alarm: { code: "hash_missing", seat: missing } };
  const number = kept?.numbers[hashes[you]];
  // This browser gave no hash: another one of this player did, and that one gives the number.
  if (!kept || !number) return NOTHING;
  return { keep: { ...kept, hashes }, send: { type: "reveal", match, number }, alarm: null };
}

/**
 * Has the server changed what it may not change?
 *
 * @param {Table} table
 * @param {number} you
 * @param {Kept} kept
 * @returns {Alarm | null}
 */
function changed(table, you, kept) {
  const { handshake, fairness } = table;
  const told = handshake ?? fairness;
  if (!told) return null;
  if (you !== kept.seat) return { code: "seat_changed", seat: null };
  if (told.commitment !== kept.commitment) return { code: "commitment_changed", seat: null };
  const held = kept.hashes;
  const other = held
    ? told.hashes.findIndex((hash, seat) => hash !== null && hash !== held[seat])
    : -1;
  if (other >= 0) return { code: "hash_changed", seat: other };
  const own = told.hashes[you];
  const made = Object.keys(kept.numbers);
  // Ours was not taken: another browser of this player was first, or somebody pretends it was.
  if (own && made.length > 0 && !made.includes(own)) return { code: "number_elsewhere", seat: you };
  const hashes = held ?? told.hashes;
  const wrong = (fairness?.numbers ?? []).findIndex(
    (number, seat) => !isHash(number) || hex(sha256(unhex(number))) !== hashes[seat],
  );
  return wrong >= 0 ? { code: "number_mismatch", seat: wrong } : null;
}
