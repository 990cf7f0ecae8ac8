/**
 * The page that waits for an opponent: how long, how wide it looks, and other ways after a while.
 *
 * @typedef {import("../net/quick.js").Seek} Seek
 * @typedef {import("../net/quick.js").Waits} Waits
 */

import { QuickLine } from "../net/quick.js";
import { SiteTime } from "../net/sitetime.js";
import { setText } from "../ui/dom.js";
import { pageCatalogue, refusalText, translator } from "../ui/texts.js";

/** After so long other ways are offered. */
const OFFER = 15_000;
const TICK = 250;

const t = translator(pageCatalogue());
/** @param {string} id */
const place = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const card = place("seeking");
const ways = place("ways");
const again = place("again");
/** Not there where no computer plays. */
const computer = document.getElementById("computer");
const state = place("quick-line");
const time = new SiteTime();

/** @type {Waits | null} */
let waits = null;
let over = false;

/** @param {Waits} told */
function waiting(told) {
  waits = told;
  time.take(told.now);
  const { others, window: wide } = told;
  setText(place("wide"), wide === null ? t("quick.wide.all") : t("quick.wide.near", { wide }));
  setText(place("others"), others ? t("quick.others.some", { others }) : t("quick.others.none"));
  tick();
}

/** It is over; the words say how. @param {string} words */
function end(words) {
  over = true;
  card.classList.add("over");
  setText(place("seeking-now"), words);
}

function tick() {
  if (over || !waits) return;
  const waited = Math.max(0, time.now - waits.since);
  setText(place("waited"), waitedText(Math.floor(waited / 1_000)));
  if (waited < OFFER || !ways.hidden) return;
  setText(place("offer"), t("quick.offer"));
  ways.hidden = false;
  if (computer) computer.hidden = false;
}

/** @param {number} seconds */
function waitedText(seconds) {
  if (seconds < 2) return t("quick.waited.begun");
  if (seconds < 60) return t("quick.waited.seconds", { seconds });
  return t("quick.waited.minutes", { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}

const line = new QuickLine("/ws/quick", JSON.parse(card.dataset.seek ?? "{}"), {
  waiting,
  matched(table) {
    end(t("quick.matched"));
    // Back from there is not back into the queue.
    location.replace(`/t/${table}`);
  },
  refused(turned) {
    end(refusalText(t, turned));
    again.hidden = turned.code === "bad_options";
    ways.hidden = true;
    if (computer) computer.hidden = true;
    setText(place("offer"), "");
    setText(place("cancel"), t("quick.home"));
  },
  line(now) {
    state.hidden = over || now === "online";
    setText(state, state.hidden ? "" : t(`table.line.${now}`));
  },
});

setInterval(tick, TICK);
line.open();
