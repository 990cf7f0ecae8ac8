/**
 * The page of one table: the line to the server, what is pending, the handshake before a match,
 * and the game's screen.
 *
 * @typedef {import("../types.js").Json} Json
 * @typedef {import("../types.js").Notice} Notice
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("../types.js").Wish} Wish
 * @typedef {import("../ui/sounds.js").Felt} Felt
 *
 * @typedef {object} Context  what a game's screen gets of the page
 * @property {Translate} t
 * @property {Bar} bar
 * @property {(actions: Json[], byItself?: boolean) => void} act  ``byItself``: nobody pressed for it
 * @property {Between} between
 * @property {Ending} ending
 * @property {Settings} settings
 * @property {Hints} hints
 * @property {(what: Felt) => void} feel  let it be heard and felt, when it is seen to happen
 *
 * @typedef {object} Screen
 * @property {HTMLElement} root
 * @property {(table: Table, events: TableEvent[], pending: Json[]) => void} update
 * @property {(table: Table, now: number) => void} tick  draw the clocks as of a site time
 * @property {() => void} focus  give the focus to where something can be done
 */

import { shake } from "../fairness/handshake.js";
import { Keeper } from "../fairness/keep.js";
import { Witness } from "../fairness/witness.js";
import { Commands } from "../net/commands.js";
import { SiteTime } from "../net/sitetime.js";
import { TableLine } from "../net/socket.js";
import { AlarmBox } from "../ui/alarm.js";
import { Attention } from "../ui/attention.js";
import { Awake } from "../ui/awake.js";
import { Bar } from "../ui/bar.js";
import { Between } from "../ui/between.js";
import { timeLeft } from "../ui/clock.js";
import { refreshPurse, showStake } from "../ui/coins.js";
import { el, isLost } from "../ui/dom.js";
import { Ending } from "../ui/ending.js";
import { Hints } from "../ui/hints.js";
import { Menu } from "../ui/menu.js";
import { Mute } from "../ui/mute.js";
import { Rules } from "../ui/rules.js";
import { askedOf, outageText } from "../ui/said.js";
import { Settings } from "../ui/settings.js";
import { Sounds } from "../ui/sounds.js";
import { Switches } from "../ui/switches.js";
import { pageCatalogue, refusalText, translator } from "../ui/texts.js";
import { Waiting } from "../ui/waiting.js";
import { GAMES } from "./games.js";

/** Two tabs of one player say the same: that the other was first is no news. */
const QUIET = ["hash_known", "hash_taken", "number_known", "no_handshake", "not_paused"];
/** Events after which coins have been taken, given back or won. */
const COINS = ["handshake", "void", "settled"];
const TICK = 250;
/** Actions that the page has asked for by itself. @type {WeakSet<Json>} */
const byItself = new WeakSet();
/** So long the note about an outage stays when the clocks run again. */
const NOTED = 10_000;

const t = translator(pageCatalogue());
const place = /** @type {HTMLElement} */ (document.getElementById("play"));
const time = new SiteTime();
const keeper = new Keeper();
const witness = new Witness(keeper);

const settings = new Settings();
const sounds = new Sounds(settings);
/** @param {Felt} what */
const feel = (what) => sounds.feel(what);
const attention = new Attention(t("table.your_turn"), feel);
const awake = new Awake();
const switches = new Switches(t, settings, [place.dataset.game ?? ""]);
const mute = new Mute(t, settings);
const rules = new Rules(
  t,
  /** @type {HTMLAnchorElement | null} */ (document.getElementById("rules-link")),
  { back: () => shown?.screen.focus(), failed: () => bar.refuse(t("table.rules_away")) },
);
const hints = new Hints(
  t,
  settings,
  (anchor) => rules.open(anchor),
  () => shown?.screen.focus(),
);
const menu = new Menu(t, {
  rules: rules.link && { href: rules.link.href, open: () => rules.open() },
  settings: () => switches.open(),
  resign: () => wish("resign"),
  leave: () => wish("leave"),
});
const pot = el("p", { class: "staked", hidden: true });
const bar = new Bar(t, el("div", { class: "tools" }, rules.button, mute.root, menu.root), pot);
const alarm = new AlarmBox(t);
const watching = el("p", { class: "watching", hidden: true }, t("table.watching"));
const waiting = new Waiting(
  t,
  /** @type {HTMLElement} */ (document.getElementById("waiting")),
  () => wish("leave"),
);
const between = new Between(t, () => wish("ready"));
const ending = new Ending(t, {
  rematch: (want) => wish("rematch", want),
  leave() {
    if (table?.you != null && line.online) commands.ask({ type: "leave", match: table.match });
  },
});
place.append(bar.root, alarm.root, watching, menu.dialog, switches.root);

/** @type {Table | null} */
let table = null;
/** @type {import("./games.js").Game | null} */
let game = null;
/** @type {{match: string | null, screen: Screen} | null} */
let shown = null;
/** @type {{notice: Notice, until: number} | null} */
let outage = null;
/** Has what had the focus gone? */
let lost = false;

/** @type {Context} */
const context = { t, bar, act, between, ending, settings, hints, feel };

const commands = new Commands(
  (command) => line.send(command),
  () => {
    if (commands.count === 0) bar.relent("saving");
    show([]);
  },
);

const line = new TableLine(`/ws/t/${place.dataset.table}`, {
  snapshot(next, number, notice) {
    take(next, notice?.frozen_ms);
    if (notice) outage = { notice, until: performance.now() + notice.frozen_ms + NOTED };
    if (next.stake) refreshPurse();
    witness.snapshot(next);
    commands.resync(number);
    show([]);
    shakeHands(next);
  },
  change(next, events, number, back) {
    take(next);
    // What the ledger has done may have changed what the viewer has.
    if (next.stake && events.some(({ event }) => COINS.includes(event ?? ""))) refreshPurse();
    witness.change(next, events);
    show(events);
    if (back) commands.resync(number);
    else commands.seen(number);
    shakeHands(next);
  },
  accepted(id, number) {
    const command = commands.accepted(id, number);
    if (command?.type === "leave") location.assign("/");
  },
  refused(refused) {
    const command = commands.refused(refused.id);
    if (!command || QUIET.includes(refused.code)) return;
    // Another tab of the same player was first.
    if (command.type === "act" && refused.code === "stale" && byItself.has(command.action)) return;
    bar.refuse(refusalText(t, refused));
  },
  line(state) {
    bar.line(state);
    if (state === "online") bar.relent();
    place.classList.toggle("cut-off", state !== "online");
    show([]);
  },
});

/**
 * @param {Table} next
 * @param {number} [frozen]
 */
function take(next, frozen) {
  table = next;
  time.take(next.now, frozen);
}

/**
 * @param {Json[]} actions
 * @param {boolean} [itself]  nobody pressed for them
 */
function act(actions, itself = false) {
  if (!table?.match) return;
  if (itself) for (const action of actions) byItself.add(action);
  else hints.acted();
  if (!line.online) bar.refuse(t("table.no_line"));
  else if (alarm.forbids) bar.refuse(alarm.text);
  else if (!commands.act(actions, table.match, table.ply))
    bar.refuse(t("table.still_saving"), "saving");
}

/**
 * Something beside the game.
 *
 * @param {"resign" | "leave" | "ready" | "rematch"} type
 * @param {boolean} [want]
 * @returns {void}
 */
function wish(type, want = true) {
  if (!line.online) return bar.refuse(t("table.no_line"));
  const match = table?.match;
  if (type === "leave") commands.ask({ type, match: table?.match ?? null });
  else if (match) commands.ask(type === "rematch" ? { type, match, want } : { type, match });
}

/**
 * Our part of the handshake, and a look whether anything was changed that may not be.
 *
 * @param {Table} next
 */
function shakeHands(next) {
  const { send, alarm: found } = shake(next, keeper);
  const names = next.seats.map((sitter) =>
    sitter?.bot ? t(`bots.name.${sitter.bot}`) : sitter?.name ?? "",
  );
  alarm.show(found, next.match ?? "", names, next.view !== null);
  if (send) commands.ask(send);
}

/** @param {TableEvent[]} events  that led to the table as it is now */
function show(events) {
  const focused = document.activeElement;
  if (table) {
    waiting.update(table);
    showGame(table, events);
    menu.update(table);
    showStake(t, pot, table);
    awake.want(table.status === "running");
    between.update(table, asks(table, "ready"));
    ending.update(table, time.now - (table.ended?.at ?? 0));
    // What the page knows, for tests and for whoever looks with the browser's tools.
    place.dataset.ply = String(table.ply);
    place.dataset.status = table.status;
    place.dataset.match = table.match ?? "";
  }
  place.dataset.pending = String(commands.count);
  // Who stood on something that is gone now, the invite or "go on", goes on at the board.
  if (focused !== document.body) lost = isLost(focused);
  if (lost && shown) shown.screen.focus();
  tick();
}

/**
 * @param {Table} next
 * @param {"ready"} type
 */
function asks({ match }, type) {
  return match !== null && commands.asks({ type, match });
}

/**
 * @param {Table} next
 * @param {TableEvent[]} events
 */
function showGame(next, events) {
  if (shown && (next.view === null || shown.match !== next.match)) {
    shown.screen.root.remove();
    shown = null;
  }
  document.body.classList.toggle("playing", next.view !== null);
  watching.hidden = next.you !== null || next.status === "open" || next.status === "closed";
  if (!game || next.view === null) return;
  if (!shown) {
    bar.tell(""); // what was told of the match before is no news
    shown = { match: next.match, screen: new game.Screen(context) };
    place.append(shown.screen.root);
    // When the first board could be played, for who measures it.
    place.dataset.playable ??= String(Math.round(performance.now()));
  }
  shown.screen.update(next, events, commands.pending);
}

/** All that changes with time alone. */
function tick() {
  showAsked();
  showOutage();
  if (!table) return;
  waiting.tick(time.now);
  shown?.screen.tick(table, time.now);
  rules.tick(table, time.now);
}

function showAsked() {
  const { text, yours, until } = asked();
  const active = yours && line.online;
  attention.show(yours, yours && runsLow());
  bar.ask(line.online || !table ? text : lineText(), active);
  bar.count(until === null || !line.online ? null : until - time.now);
}

/** @returns {{text: string, yours: boolean, until: number | null}} */
function asked() {
  const calm = { yours: false, until: null };
  if (!table) {
    return { text: t(line.state === "refused" ? "table.outdated" : "table.connecting"), ...calm };
  }
  if (table.view !== null) return askedOf(t, table, game?.asked ?? (() => ""), time.now);
  if (table.status === "closed") return { text: t("table.over"), ...calm };
  if (table.status !== "open") return { text: t("table.starting"), ...calm };
  return { text: t(table.you === null ? "table.free_for_you" : "table.starts_soon"), ...calm };
}

/** Do the last ten seconds of the viewer run? */
function runsLow() {
  const own = table?.you == null ? null : table.clocks?.[table.you];
  return !!own && timeLeft(own, table?.clock.move_ms ?? 0, time.now).low;
}

function lineText() {
  if (line.state === "refused") return t("table.outdated");
  return t(commands.count > 0 ? "table.cut_off_pending" : "table.cut_off");
}

/** Why the clocks stood still, and how long they do yet (T9). */
function showOutage() {
  if (outage && performance.now() > outage.until) outage = null;
  const frozen = time.frozen;
  if (!outage || !table?.view || table.ended) return bar.note("");
  const told = outageText(t, outage.notice);
  if (frozen > 0) bar.note(`${told} ${t("table.frozen")}`, frozen);
  else bar.note(told);
}

show([]);
setInterval(tick, TICK);
line.open();
GAMES[place.dataset.game ?? ""]?.().then((loaded) => {
  game = loaded;
  show([]);
});
