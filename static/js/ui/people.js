/**
 * Who sits where, in words.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("../types.js").Outcome} Outcome
 */

/** Letters that would turn the rest of a sentence round, were the name not set apart. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A seat's name; the viewer's own is "you".
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {number} seat
 */
export function seatName(t, table, seat) {
  if (seat === table.you) return t("table.you");
  // Who has deleted their account has no name any more.
  const sitter = table.seats[seat];
  // Its level stands on its plate; a name is cut off where there is little room.
  if (sitter?.bot) return t("bots.computer");
  const name = (sitter?.name ?? t("table.free_seat")) || t("site.deleted");
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * The seat at the lower edge of the screen: the viewer's own, a watcher's is seat 0.
 *
 * @param {Table} table
 */
export function ownSeat(table) {
  return table.you ?? 0;
}

/**
 * What is asked of whom.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {number | null} turn
 */
export function askedText(t, table, turn) {
  if (turn === null) return t("table.nobodys_turn");
  if (turn === table.you) return t("table.your_turn");
  if (table.you === null) return t("table.turn_of", { name: seatName(t, table, turn) });
  return t("table.rivals_turn");
}

/**
 * Who won the match.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {Outcome} outcome
 */
export function outcomeTitle(t, table, outcome) {
  const [winner] = outcome.winners;
  if (winner === undefined) return t("table.no_winner");
  if (table.you === null) return t("table.won_by", { name: seatName(t, table, winner) });
  return t(outcome.winners.includes(table.you) ? "table.you_won" : "table.you_lost");
}

/**
 * Why it ended.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {Outcome} outcome
 * @param {number} target
 */
export function outcomeReason(t, table, outcome, target) {
  const loser = table.seats.findIndex((_, seat) => !outcome.winners.includes(seat));
  return t(`table.reason.${outcome.reason}`, {
    target,
    name: loser < 0 ? "" : seatName(t, table, loser),
  });
}

/**
 * The running score to the target.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {number[]} score
 * @param {number} target
 */
export function scoreText(t, table, score, target) {
  return score
    .map((points, seat) => t("table.score_of", { name: seatName(t, table, seat), points, target }))
    .join(" · ");
}
