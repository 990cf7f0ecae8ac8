/**
 * What happens at a table beside the game, in words.
 *
 * @typedef {import("../types.js").Notice} Notice
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../types.js").Translate} Translate
 */

import { outcomeTitle, seatName } from "./people.js";

/**
 * The events of one change as sentences, those of the table itself.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {TableEvent[]} events
 * @returns {string[]}
 */
export function saidBy(t, table, events) {
  return events.map((event) => sentence(t, table, event)).filter((text) => text !== "");
}

/**
 * @param {Translate} t
 * @param {Table} table
 * @param {any} event
 * @returns {string}
 */
function sentence(t, table, { event, seat, want }) {
  const mine = seat === table.you;
  const name = typeof seat === "number" ? seatName(t, table, seat) : "";
  if (event === "auto") return t(mine ? "table.said.auto_yours" : "table.said.auto", { name });
  if (mine) return "";
  switch (event) {
    case "absent":
      return t("table.said.absent", { name });
    case "present":
      return t("table.said.present", { name });
    case "left":
      return t("table.said.left", { name });
    case "ready":
      return t("table.said.ready", { name });
    case "rematch_wanted":
      return t(want ? "table.rematch_offered" : "table.said.no_rematch", { name });
    default:
      return "";
  }
}

/**
 * What is asked of whom while a match is shown, with the moment until when.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {(t: Translate, table: Table, view: any) => string} asked  in the game's own words
 * @param {number} now  site time
 * @returns {{text: string, yours: boolean, until: number | null}}
 */
export function askedOf(t, table, asked, now) {
  const { view, you, ended, pause } = table;
  if (ended) return { text: outcomeTitle(t, table, ended), yours: false, until: null };
  if (pause) return { text: t("table.pause"), yours: false, until: pause.until };
  const turn = /** @type {number | null} */ (view.turn);
  const sitter = turn === null ? null : table.seats[turn];
  if (turn !== null && turn !== you && sitter && !sitter.present) {
    const until = table.clocks?.[turn]?.absence_until ?? null;
    const name = seatName(t, table, turn);
    const counting = until !== null && until > now;
    const key = counting ? "table.awaiting" : "table.awaiting_clock";
    return { text: t(key, { name }), yours: false, until: counting ? until : null };
  }
  return { text: asked(t, table, view), yours: turn !== null && turn === you, until: null };
}

/**
 * Why the clocks stood still (T9).
 *
 * @param {Translate} t
 * @param {Notice} notice
 */
export function outageText(t, { outage_ms: ms }) {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const time =
    seconds < 90
      ? t("table.seconds", { seconds })
      : t("table.minutes", { minutes: Math.round(seconds / 60) });
  return t("table.outage", { time });
}
