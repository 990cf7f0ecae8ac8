/**
 * The lobby: the list of tables kept as it is, and the state of the line to it. The page is
 * complete without this script; with it the list is live.
 *
 * @typedef {import("../net/lobby.js").Listing} Listing
 */

import { LobbyLine } from "../net/lobby.js";
import { amount, stakeText } from "../ui/coins.js";
import { el, setText } from "../ui/dom.js";
import { pageCatalogue, translator } from "../ui/texts.js";

const t = translator(pageCatalogue());
const lobby = /** @type {HTMLElement} */ (document.getElementById("lobby"));
const state = /** @type {HTMLElement} */ (document.getElementById("lobby-line"));
const none = /** @type {HTMLElement} */ (document.getElementById("no-open"));
const lists = {
  open: /** @type {HTMLElement} */ (document.getElementById("open-tables")),
  running: /** @type {HTMLElement} */ (document.getElementById("running-tables")),
};
const own = new Set((lobby.dataset.own ?? "").split(" "));
const title = document.title;

/** What each row shows, so that one without news stays as it is.  @type {Map<string, string>} */
const shown = new Map();

/** @param {Listing[]} tables */
function show(tables) {
  for (const status of /** @type {const} */ (["open", "running"]))
    fill(lists[status], tables.filter((table) => table.status === status));
  none.hidden = lists.open.childElementCount > 0;
  /** @type {HTMLElement} */ (lists.running.closest("section")).hidden =
    lists.running.childElementCount === 0;
  const begun = tables.find((table) => table.status === "running" && own.has(table.id));
  if (begun) callBack(begun.id);
  document.title = begun ? `● ${t("lobby.begun")} – ${title}` : title;
}

/**
 * The rows of a list, in order. A row without news is not touched, and the focus stays.
 *
 * @param {HTMLElement} list
 * @param {Listing[]} tables
 */
function fill(list, tables) {
  /** @type {Map<string, Element>} */
  const rows = new Map();
  for (const old of list.children) rows.set(old.getAttribute("data-table") ?? "", old);
  const wanted = tables.map((table) => {
    const words = JSON.stringify(table);
    const old = rows.get(table.id);
    if (old && shown.get(table.id) === words) return old;
    shown.set(table.id, words);
    return row(table);
  });
  const focused = list.contains(document.activeElement)
    ? document.activeElement?.closest("li")?.dataset.table
    : undefined;
  for (const old of [...list.children]) if (!wanted.includes(old)) old.remove();
  wanted.forEach((made, n) => {
    if (list.children[n] !== made) list.insertBefore(made, list.children[n] ?? null);
  });
  if (focused && !list.contains(document.activeElement)) {
    const made = wanted.find((each) => each.getAttribute("data-table") === focused);
    /** @type {HTMLElement | null | undefined} */ (made?.querySelector("button, a"))?.focus();
  }
}

/** @param {Listing} table */
function row(table) {
  const what = t("lobby.what", { game: gameName(table), value: Object.values(table.options)[0] });
  const { move_ms: move, reserve_ms: reserve } = table.clock;
  const clock = t("lobby.clock", { move: move / 1000, reserve: reserve / 60_000 });
  const words = el(
    "div",
    { class: "row-words" },
    el("strong", {}, what),
    el("span", { class: "people" }, people(table)),
    el("span", { class: "clock" }, clock),
    table.stake > 0 && el("span", { class: "staked" }, stakeText(t, table)),
    why(table) && el("span", { class: "why" }, t(`lobby.cannot.${why(table)}`)),
  );
  return el("li", { class: "row", "data-table": table.id }, words, way(table, what));
}

/**
 * Who sits there, and how they stand.
 *
 * @param {Listing} table
 */
function people({ status, seats, score }) {
  const names = seats.filter((name) => name !== null);
  if (status === "open" || score === null || seats.length !== 2) return names.join(" – ");
  return `${seats[0]} ${score[0]} : ${score[1]} ${seats[1]}`;
}

/**
 * What can be done about it: go back, sit down or watch.
 *
 * @param {Listing} table
 * @param {string} what
 */
function way(table, what) {
  const names = table.seats.filter((name) => name !== null).join(", ");
  /** @param {string} word */
  const spoken = (word) => `${word}: ${what}, ${names}`;
  if (table.status === "open" && !own.has(table.id)) {
    const sit = t("lobby.sit");
    const press = el(
      "button",
      { class: "primary", "aria-label": spoken(sit), disabled: why(table) !== "" },
      sit,
    );
    return el("form", { method: "post", action: `/t/${table.id}/sit` }, press);
  }
  const word = t(own.has(table.id) ? "lobby.back" : "lobby.watch");
  return el("a", { class: "button", href: `/t/${table.id}`, "aria-label": spoken(word) }, word);
}

/**
 * Why the reader cannot sit down at a coin table; "" where they can.
 *
 * @param {Listing} table
 */
function why({ id, status, stake }) {
  if (!stake || status !== "open" || own.has(id)) return "";
  const has = lobby.dataset.coins ?? "guest";
  if (has === "guest" || has === "away") return has;
  return Number(has) < stake ? "few" : "";
}

/**
 * The pot of the stake that is chosen in a form, beside it.
 *
 * @param {Element} gets
 */
function showPot(gets) {
  const form = /** @type {HTMLFormElement} */ (gets.closest("form"));
  const says = gets.textContent ?? "";
  const seats = Number(gets.getAttribute("data-seats"));
  const show = () => {
    const stake = Number(new FormData(form).get("stake"));
    const pot = amount(stake * seats);
    setText(gets, stake ? `${t("lobby.winner_gets", { pot })}.` : says);
  };
  form.addEventListener("change", show);
  show();
}

/**
 * The game's name, as its card on this page has it.
 *
 * @param {Listing} table
 */
function gameName({ game, rules }) {
  const card = document.querySelector(`[data-game="${game}"][data-rules="${rules}"] h2 > span`);
  return card?.textContent?.trim() ?? game;
}

/**
 * Somebody sat down at the reader's own table while they looked around here.
 *
 * @param {string} id
 */
function callBack(id) {
  const link = document.querySelector(`.own a[href="/t/${id}"]`);
  if (!link || link.classList.contains("begun")) return;
  link.classList.add("begun");
  link.setAttribute("role", "alert");
  link.textContent = t("lobby.begun");
}

/**
 * Nobody plays the computer for coins: its buttons wait for a free table, and say so.
 *
 * @param {Element} group
 */
function showFree(group) {
  const form = /** @type {HTMLFormElement} */ (group.closest("form"));
  const says = /** @type {HTMLElement} */ (group.querySelector(".for-coins"));
  const show = () => {
    const staked = Number(new FormData(form).get("stake")) > 0;
    for (const press of group.querySelectorAll("button"))
      press.disabled = staked || press.hasAttribute("data-lacks");
    setText(says, staked ? t("refusal.no_coins_with_bots") : "");
  };
  form.addEventListener("change", show);
  show();
}

for (const gets of document.querySelectorAll(".gets")) showPot(gets);
for (const group of document.querySelectorAll(".computers")) showFree(group);

const line = new LobbyLine("/ws/lobby", show, (now) => {
  state.dataset.line = now;
  state.textContent = t(`table.line.${now}`);
  state.hidden = false;
  lobby.classList.toggle("cut-off", now === "offline");
});
line.open();
