/**
 * A moment of a finished match, and the table as it stood then. Pure.
 *
 * @typedef {import("../types.js").Frame} Frame
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Outcome} Outcome
 *
 * @typedef {object} About  what the page says of the match
 * @property {string} replay  where its frames are
 * @property {"domino" | "nardi"} game
 * @property {string} rules
 * @property {Record<string, number>} options
 * @property {string[]} names   by seat
 * @property {number | null} you  the reader's own seat
 * @property {number[]} winners
 * @property {Outcome["reason"]} reason
 * @property {number[]} score
 * @property {number[]} frames  how many each hand has
 *
 * @typedef {number | "above"} From  whose side is the lower one
 *
 * @typedef {object} Moment
 * @property {number} hand  from 1
 * @property {number} step  from 0
 * @property {From} from
 */

/**
 * The table of a frame, as its words are made of: nobody is "you", and no clock runs.
 *
 * @param {About} about
 * @param {Frame} frame
 * @returns {Table}
 */
export function tableOf(about, { events, view }) {
  const seats = about.names.map((name) => ({ name, bot: null, present: true, absent_at: null }));
  const ended = events.some(({ event }) => event === "hand_ended");
  return {
    id: "",
    game: about.game,
    rules: about.rules,
    options: about.options,
    now: 0,
    public: true,
    stake: 0,
    pot: 0,
    clock: { move_ms: 0, reserve_ms: 0, absence_ms: 0 },
    status: "running",
    seats,
    you: null,
    host: null,
    match: null,
    ply: 0,
    handshake: null,
    fairness: null,
    clocks: null,
    pause: ended ? { until: 0, ready: seats.map(() => false) } : null,
    ended: null,
    rematch: { wants: [], wins: [], possible: false },
    void: null,
    closed: null,
    view,
  };
}

/**
 * The seat at the lower edge.
 *
 * @param {From} from
 */
export function lower(from) {
  return from === "above" ? 0 : from;
}

/**
 * The moment as the end of an address: `h2.14.s1`, `h2.14.above`.
 *
 * @param {Moment} moment
 */
export function written({ hand, step, from }) {
  return `h${hand}.${step}.${from === "above" ? from : `s${from + 1}`}`;
}

/**
 * The moment that an address names, as near as the match has one; null: it names none.
 *
 * @param {string} hash  with its #
 * @param {About} about
 * @returns {Moment | null}
 */
export function readMoment(hash, { frames, names, you }) {
  const found = /^#h(\d{1,4})\.(\d{1,5})(?:\.(above|s\d{1,2}))?$/.exec(hash);
  if (!found) return null;
  const hand = Math.min(frames.length, Math.max(1, Number(found[1])));
  const step = Math.min((frames[hand - 1] ?? 1) - 1, Number(found[2]));
  const seat = found[3]?.startsWith("s") ? Number(found[3].slice(1)) - 1 : -1;
  const own = found[3] === undefined ? (you ?? "above") : "above";
  return { hand, step, from: seat >= 0 && seat < names.length ? seat : own };
}
