/**
 * What happens in a hand of nardi, in words.
 *
 * @typedef {import("../types.js").DeadDie} DeadDie
 * @typedef {import("../types.js").LastTurn} LastTurn
 * @typedef {import("../types.js").NardiHandEnd} NardiHandEnd
 * @typedef {import("../types.js").NardiView} NardiView
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../types.js").Translate} Translate
 */

import { askedText, seatName } from "../ui/people.js";
import { refusalText } from "../ui/texts.js";
import { rollName } from "./dice.js";
import { OFF } from "./position.js";

/**
 * What is asked of whom: to roll, to move, to confirm.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {NardiView} view
 */
export function askedIn(t, table, view) {
  if (view.turn === null || view.turn !== table.you) return askedText(t, table, view.turn);
  if (view.phase === "move" && view.reach && "bar" in view.reach) return t("nardi.asked.enter");
  const ways = view.phase === "move" ? Object.values(view.reach ?? {}).flat() : [];
  if (ways.some(({ to }) => to === OFF)) return t("nardi.asked.bear_off");
  return t(`nardi.asked.${view.phase}`);
}

/**
 * The events of one change as sentences, those that say something to a player.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {TableEvent[]} events
 * @returns {string[]}
 */
export function toldBy(t, table, events) {
  // A finished turn says all its moves: they need not be said one by one beside it.
  const ended = events.some(({ event }) => event === "turn_ended");
  const none = events.some(({ event }) => event === "no_move");
  return events
    .filter(({ event }) => !(ended && event === "moved") && !(none && event === "rolled"))
    .map((event) => sentence(t, table, event))
    .filter((text) => text !== "");
}

/**
 * @param {Translate} t
 * @param {Table} table
 * @param {any} event
 * @returns {string}
 */
function sentence(t, table, event) {
  const name = typeof event.seat === "number" ? seatName(t, table, event.seat) : "";
  const dice = event.dice?.join("-");
  switch (event.event) {
    case "opening_rolled":
      return openingText(t, table, event.dice);
    case "hand_started":
      return t("nardi.told.started", { name });
    case "rolled":
      return t("nardi.told.rolled", { name, dice, roll: rollName(t, event.dice) });
    case "moved": {
      const moved = t("nardi.told.moved", { name, move: moveText(t, event) });
      const yours = event.kill && table.you !== null && event.seat !== table.you;
      return yours ? `${moved} · ${t("nardi.told.killed_yours")}` : moved;
    }
    case "taken_back":
      return t("nardi.told.taken_back", { name, move: moveText(t, event) });
    case "turn_ended":
      return event.moves ? turnText(t, table, { ...event, text: event.moves }) : "";
    case "no_move":
      // Both dice are dead for one reason.
      return t(`nardi.told.no_move.${event.reasons[0].code}`, { name, dice });
    case "hand_ended":
      return handTitle(t, table, event);
    default:
      return "";
  }
}

/**
 * @param {Translate} t
 * @param {Table} table
 * @param {number[]} dice  by seat
 */
export function openingText(t, table, dice) {
  if (dice[0] === dice[1]) return t("nardi.told.opening_tie", { dice: dice.join("-") });
  const rolled = dice.map((die, seat) => `${seatName(t, table, seat)} – ${die}`).join(", ");
  return t("nardi.told.opening", { rolled });
}

/**
 * @param {Translate} t
 * @param {{source: number, target: number, kill: boolean}} step
 */
function moveText(t, { source, target, kill }) {
  const from = source === 25 ? t("nardi.bar") : String(source);
  const to = target === 0 ? t("nardi.off") : String(target);
  return `${from}/${to}${kill ? "*" : ""}`;
}

/**
 * The turn that was played last.
 *
 * @param {Translate} t
 * @param {Table} table
 * @param {LastTurn} turn
 */
export function turnText(t, table, { seat, dice, text }) {
  const values = { name: seatName(t, table, seat), dice: dice.join("-") };
  return text
    ? t("nardi.told.turn", { ...values, moves: inWords(t, text) })
    : t("nardi.told.passed", values);
}

/**
 * A turn's notation with the page's words for the bar and the tray.
 *
 * @param {Translate} t
 * @param {string} moves
 */
function inWords(t, moves) {
  return moves.replaceAll("bar", t("nardi.bar")).replaceAll("off", t("nardi.off"));
}

/**
 * Why a die cannot be played.
 *
 * @param {Translate} t
 * @param {DeadDie} dead
 */
export function deadText(t, dead) {
  // A die that is closed on every way has no point to name.
  const everywhere = dead.code === "closed" && !("point" in dead.values);
  const code = everywhere ? "closed_everywhere" : dead.code;
  return refusalText(t, { ...dead, code, values: { die: dead.die, ...dead.values } });
}

/**
 * @param {Translate} t
 * @param {Table} table
 * @param {NardiHandEnd} ended
 */
export function handTitle(t, table, ended) {
  const name = seatName(t, table, ended.winner);
  return t("nardi.hand_end", { kind: t(`nardi.end.${ended.end}`), name, points: ended.points });
}
