/**
 * The page of a finished match. One tap, and the browser works the whole match out again from its
 * record: the server is asked for nothing but the record. Another, and the match is played again
 * before the eyes: what that takes is fetched then.
 *
 * @typedef {import("../fairness/check.js").Checked} Checked
 * @typedef {import("../fairness/record.js").Read} Read
 */

import { check } from "../fairness/check.js";
import { Keeper } from "../fairness/keep.js";
import { readRecord } from "../fairness/record.js";
import { verdictText } from "../fairness/words.js";
import { el } from "../ui/dom.js";
import { share } from "../ui/share.js";
import { pageCatalogue, translator } from "../ui/texts.js";

const t = translator(pageCatalogue());
const press = /** @type {HTMLButtonElement} */ (document.getElementById("check"));
const verdict = /** @type {HTMLElement} */ (document.getElementById("verdict"));
const details = /** @type {HTMLElement} */ (document.getElementById("details"));
const { match = "", game = "", record = "", names: named = "[]" } = press.dataset;
/** @type {string[]} */
const names = JSON.parse(named);

async function run() {
  press.disabled = true;
  say(t("match.checking"), "");
  const fetched = await fetchRecord();
  if (fetched === null) {
    say(t("match.not_fetched"), "missing");
  } else {
    const checked = await check(fetched, { match, kept: new Keeper().load(match) });
    say(verdictText(t, checked, game, names), checked.sound ? "sound" : "differs");
    showDetails(fetched, checked);
  }
  press.disabled = false;
}

/** The record as it comes, null where it does not. */
async function fetchRecord() {
  try {
    const answer = await fetch(record);
    return answer.ok ? /** @type {unknown} */ (await answer.json()) : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} text
 * @param {string} kind
 */
function say(text, kind) {
  verdict.className = `verdict ${kind}`;
  verdict.textContent = text;
}

/**
 * What was committed to and revealed, hand by hand, with what became of it.
 *
 * @param {unknown} document
 * @param {Checked} checked
 */
function showDetails(document, checked) {
  /** @type {Read} */
  let read;
  try {
    read = readRecord(document);
  } catch {
    details.hidden = true;
    return;
  }
  const seen = /** @type {HTMLElement} */ (details.querySelector("#seen"));
  seen.hidden = !checked.kept;
  seen.textContent = t("match.seen", {
    seen: checked.seen,
    count: checked.shuffles + checked.rolls,
  });
  const rows = [
    ...row(t("match.commitment"), read.commitment),
    ...read.numbers.flatMap((number, seat) =>
      row(t("match.number", { name: names[seat] ?? String(seat + 1) }), number),
    ),
    ...read.secrets.flatMap((secret, n) =>
      row(t("match.hand", { hand: n + 1 }), secret, handState(checked, n + 1)),
    ),
  ];
  details.querySelector("#hands")?.replaceChildren(...rows);
  details.hidden = false;
}

/**
 * @param {Checked} checked
 * @param {number} hand
 * @returns {"sound" | "differs" | "unchecked"}
 */
function handState(checked, hand) {
  if (hand <= checked.hands) return "sound";
  return checked.difference?.hand === hand ? "differs" : "unchecked";
}

/**
 * @param {string} term
 * @param {string} value
 * @param {"sound" | "differs" | "unchecked"} [state]
 */
function row(term, value, state) {
  const marks = { sound: "✓ ", differs: "✕ ", unchecked: "" };
  const told = state && el("span", { class: state }, marks[state] + t(`match.hand_${state}`));
  return [el("dt", {}, el("span", {}, term), told), el("dd", {}, el("code", {}, value))];
}

/** The end in the reader's own time and words. */
function localTime() {
  const time = document.querySelector("time");
  if (!time) return;
  // Not every browser knows Georgian months, so there the date is in digits, as one writes it.
  const style =
    document.documentElement.lang === "ka"
      ? new Intl.DateTimeFormat("de", { dateStyle: "medium", timeStyle: "short" })
      : new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });
  time.textContent = style.format(new Date(time.dateTime));
}

/** The replay begins by itself as soon as its script is there. */
function openReplay() {
  const place = document.getElementById("replay");
  const watch = /** @type {HTMLButtonElement | null} */ (document.getElementById("watch"));
  if (!place || !watch || watch.disabled) return;
  watch.disabled = true;
  if (place.dataset.asked) return; // it tries again by itself
  place.dataset.asked = "yes";
  const script = el("script", { type: "module", src: place.dataset.script });
  const problem = document.getElementById("replay-problem");
  if (problem) problem.textContent = t("replay.loading");
  script.addEventListener("error", () => {
    script.remove();
    delete place.dataset.asked;
    watch.disabled = false;
    if (problem) problem.textContent = t("replay.not_fetched");
  });
  document.head.append(script);
}

/** A link to a moment, or to a hand in the list, opens the replay there. */
function openAtMoment() {
  if (/^#h\d/.test(location.hash)) openReplay();
}

const watch = /** @type {HTMLButtonElement | null} */ (document.getElementById("watch"));
if (watch) {
  watch.disabled = false;
  watch.addEventListener("click", openReplay);
  addEventListener("hashchange", openAtMoment);
  openAtMoment();
}
share(t);
press.disabled = false;
press.addEventListener("click", run);
localTime();
