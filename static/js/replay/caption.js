/**
 * What happened in a frame, in words.
 *
 * @typedef {import("../types.js").Frame} Frame
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./moment.js").About} About
 *
 * @typedef {(t: Translate, table: Table, events: TableEvent[]) => string[]} Told  by a game's words
 */

import { outcomeReason, outcomeTitle, seatName } from "../ui/people.js";

/**
 * @param {Translate} t
 * @param {About} about
 * @param {Table} table  of the frame
 * @param {Frame} frame
 * @param {boolean} last  is it the match's last
 * @param {Told} told
 */
export function caption(t, about, table, frame, last, told) {
  const said = told(t, table, frame.events);
  for (const event of /** @type {any[]} */ (frame.events)) {
    if (event.event !== "dealt" || event.opener === null) continue;
    const name = seatName(t, table, event.opener);
    said.unshift(t("replay.dealt", { hand: frame.hand, name }));
  }
  if (frame.auto && said.length > 0) said.push(t("replay.auto"));
  if (last) {
    const target = Object.values(about.options)[0] ?? 0;
    said.push(outcomeTitle(t, table, about));
    if (about.reason !== "points") said.push(outcomeReason(t, table, about, target));
  }
  return [...new Set(said)].join(" · ");
}
