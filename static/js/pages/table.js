/**
 * The page of one table: the line to the server, what is pending, and the game's screen.
 *
 * @typedef {import("../types.js").Json} Json
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../types.js").Translate} Translate
 *
 * @typedef {object} Context  what a game's screen gets of the page
 * @property {Translate} t
 * @property {Bar} bar
 * @property {(actions: Json[]) => void} act
 *
 * @typedef {object} Screen
 * @property {HTMLElement} root
 * @property {(table: Table, events: TableEvent[], pending: Json[]) => void} update
 */

import { DominoScreen } from "../domino/screen.js";
import { Commands } from "../net/commands.js";
import { TableLine } from "../net/socket.js";
import { NardiScreen } from "../nardi/screen.js";
import { askedIn } from "../nardi/words.js";
import { Bar } from "../ui/bar.js";
import { el } from "../ui/dom.js";
import { enableCopying } from "../ui/invite.js";
import { askedText, outcomeTitle, seatName } from "../ui/people.js";
import { pageCatalogue, refusalText, translator } from "../ui/texts.js";

/** @type {Record<string, {screen: new (context: Context) => Screen, asked: typeof askedIn}>} */
const GAMES = {
  domino: { screen: DominoScreen, asked: (t, table, view) => askedText(t, table, view.turn) },
  nardi: { screen: NardiScreen, asked: askedIn },
};

const t = translator(pageCatalogue());
const place = /** @type {HTMLElement} */ (document.getElementById("play"));
const waiting = document.getElementById("waiting");
const title = document.title;
const bar = new Bar(t);
const watching = el("p", { class: "watching", hidden: true }, t("table.watching"));
place.append(bar.root, watching);

/** @type {Table | null} */
let table = null;
/** @type {Screen | null} */
let screen = null;

const commands = new Commands(
  (act) => line.send(act),
  () => show([]),
);

const scheme = location.protocol === "https:" ? "wss" : "ws";
const line = new TableLine(`${scheme}://${location.host}/ws/t/${place.dataset.table}`, {
  snapshot(next, number) {
    table = next;
    commands.resync(number);
    show([]);
  },
  change(next, events, number) {
    table = next;
    show(events);
    commands.seen(number);
  },
  accepted: (id, number) => commands.accepted(id, number),
  refused(refused) {
    if (commands.refused(refused.id)) bar.refuse(refusalText(t, refused));
  },
  line(state) {
    bar.line(state);
    place.classList.toggle("cut-off", state !== "online");
    if (!table) bar.ask(state === "refused" ? t("table.outdated") : t("table.connecting"), false);
    show([]);
  },
});

/** @param {Json[]} actions */
function act(actions) {
  if (!table?.match) return;
  if (!line.online) bar.refuse(t("table.no_line"));
  else if (!commands.ask(actions, table.match, table.ply)) bar.refuse(t("table.still_saving"));
}

/** @param {TableEvent[]} events  that led to the table as it is now */
function show(events) {
  if (!table) return;
  const open = table.view === null;
  if (waiting) waiting.hidden = !open;
  if (open) showSeats(table);
  else showGame(table, events);
  showAsked(table);
  // What the page knows, for tests and for whoever looks with the browser's tools.
  place.dataset.ply = String(table.ply);
  place.dataset.pending = String(commands.pending.length);
}

/** @param {Table} shown */
function showSeats(shown) {
  shown.seats.forEach((_, seat) => {
    const name = document.querySelector(`[data-seat="${seat}"]`);
    if (name) name.textContent = seatName(t, shown, seat);
  });
}

/**
 * @param {Table} shown
 * @param {TableEvent[]} events
 */
function showGame(shown, events) {
  const game = GAMES[shown.game];
  if (!game) return;
  if (!screen) {
    screen = new game.screen({ t, bar, act });
    document.body.classList.add("playing");
    place.append(screen.root);
  }
  watching.hidden = shown.you !== null;
  screen.update(shown, events, commands.pending);
}

/** @param {Table} shown */
function showAsked(shown) {
  const { view, you } = shown;
  const yours = view !== null && you !== null && view.turn === you;
  document.title = yours ? `● ${t("table.your_turn")} – ${title}` : title;
  if (!line.online) return bar.ask(lineText(), false);
  if (view === null) {
    return bar.ask(t(you === null ? "table.free_for_you" : "table.starts_soon"), false);
  }
  if (view.outcome) return bar.ask(outcomeTitle(t, shown, view.outcome), false);
  bar.ask(GAMES[shown.game]?.asked(t, shown, view) ?? "", yours);
}

function lineText() {
  if (line.state === "refused") return t("table.outdated");
  return t(commands.pending.length > 0 ? "table.cut_off_pending" : "table.cut_off");
}

bar.ask(t("table.connecting"), false);
enableCopying(t);
line.open();
