/**
 * The parts of a table on the style guide: made by their own modules, with what makes them widest.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { BOARDS } from "../rules/boards.js";
import { Figure } from "../rules/figure.js";
import { Bar } from "../ui/bar.js";
import { el } from "../ui/dom.js";
import { Hints } from "../ui/hints.js";
import { Menu } from "../ui/menu.js";
import { Mute } from "../ui/mute.js";
import { Panel } from "../ui/panel.js";
import { Plate } from "../ui/plate.js";
import { outageText } from "../ui/said.js";
import { Settings } from "../ui/settings.js";
import { Switches } from "../ui/switches.js";
import { translator } from "../ui/texts.js";

const NAMES = ["WWWWWWWWWWWWWWWWWWWW", "ჰჰჰჰჰჰჰჰჰჰჰჰჰჰჰჰჰჰჰჰ", "محمد عبد الرحمن", "👨‍👩‍👧‍👦🀄🎲 ნინო"];
const MOVE = 30_000;
const RESERVE = 120_000;
const settings = new Settings();
let panels = 0;
const holder = document.getElementById("catalogues");
/** @type {Record<string, Record<string, string>>} */
const catalogues = JSON.parse(holder?.textContent ?? "{}");

for (const place of document.querySelectorAll(".parts")) {
  const texts = catalogues[place.getAttribute("data-language") ?? ""] ?? {};
  const t = translator(texts);
  place.append(...bars(t, texts), ...plates(t), panel(t), menu(t), switches(t));
  place.append(hint(t, texts));
  void figures(t, texts).then((made) => place.append(...made));
}

/**
 * What is asked, and the longest refusal, and a note about the site.
 *
 * @param {Translate} t
 * @param {Record<string, string>} texts
 */
function bars(t, texts) {
  const refusals = Object.entries(texts).filter(([key]) => key.startsWith("refusal."));
  const longest = refusals.sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? "";
  const calm = bar(t);
  calm.line("online");
  calm.ask(t("table.your_turn"), true);
  calm.tell(t("table.said.auto_yours"));
  const refused = bar(t);
  refused.line("online");
  refused.ask(t("table.awaiting", { name: NAMES[0] ?? "" }), false);
  refused.count(59_000);
  refused.refuse(t(longest, { larger: 6, least: 100, most: 50_000 }));
  const cut = bar(t);
  cut.line("offline");
  cut.ask(t("table.cut_off_pending"), false);
  const told = outageText(t, { outage_ms: 182_000, ended_at: 0, frozen_ms: 0 });
  cut.note(`${told} ${t("table.frozen")}`, 9_000);
  return [calm, refused, cut].map((one) => el("div", { class: "wide" }, one.root));
}

/** @param {Translate} t */
function bar(t) {
  const does = { settings() {}, resign() {}, leave() {} };
  const tools = el("div", { class: "tools" }, new Mute(t, settings).root, new Menu(t, does).root);
  return new Bar(t, tools, el("p", { class: "staked" }, "20 000"));
}

/**
 * A clock that rests, one that runs, one in its last ten seconds, one on its reserve.
 *
 * @param {Translate} t
 */
function plates(t) {
  const ends = [null, 25_000, 7_000, -60_000];
  return NAMES.map((_, seat) => {
    const plate = new Plate(t, seat === 0 ? "own" : "rival");
    const until = ends[seat] ?? null;
    const table = /** @type {Table} */ (
      /** @type {unknown} */ ({
        seats: NAMES.map((each) => ({ name: each, present: seat !== 3, absent_at: null })),
        you: null,
        pause: null,
        clock: { move_ms: MOVE },
        clocks: NAMES.map(() => ({
          reserve_ms: RESERVE,
          move_until: until,
          until: until === null ? null : until + RESERVE,
        })),
      })
    );
    const under = t("domino.held", { count: 20 });
    plate.update(table, seat, { score: "355 / 355", turn: seat === 1, under });
    plate.tick(table, seat, 0);
    return plate.root;
  });
}

/** @param {Translate} t */
function panel(t) {
  const made = new Panel(t);
  const scores = NAMES.slice(0, 2).map((name) =>
    t("table.score_of", { name, points: 355, target: 355 }),
  );
  // No two regions of a page have one name.
  made.show(`${t("table.you_won")} ${(panels += 1)}`, [el("p", { class: "running" }, scores.join(" · "))], true);
  return made.root;
}

/** @param {Translate} t */
function menu(t) {
  const made = new Menu(t, { settings() {}, resign() {}, leave() {} });
  const table = { status: "running", you: 0, seats: [] };
  made.update(/** @type {Table} */ (/** @type {unknown} */ (table)));
  made.root.open = true;
  return el("div", {}, made.root);
}

/** @param {Translate} t */
function switches(t) {
  const made = new Switches(t, settings, ["domino", "nardi"]);
  made.root.setAttribute("open", "");
  return made.root;
}

/**
 * The longest hint.
 *
 * @param {Translate} t
 * @param {Record<string, string>} texts
 */
function hint(t, texts) {
  const all = Object.entries(texts).filter(([key]) => /^\w+\.hint\./.test(key));
  const text = all.sort(([, a], [, b]) => b.length - a.length)[0]?.[1] ?? "";
  const made = new Hints(t, settings, () => {}, () => {});
  made.show({ name: "", text, anchor: "" });
  return el("div", {}, made.root);
}

/**
 * A figure of each game.
 *
 * @param {Translate} t
 * @param {Record<string, string>} texts
 */
async function figures(t, texts) {
  /** @type {["domino" | "nardi", string, string][]} */
  const shown = [["domino", "georgian", "worked"], ["nardi", "short", "kill"]];
  const made = [];
  for (const [game, rules, name] of shown) {
    const Board = await BOARDS[game]?.();
    const answer = await fetch(`/rules/${game}/${rules}/figures.json`);
    if (!Board || !answer.ok) continue;
    const { options, figures: all } = await answer.json();
    const names = (texts["rules.players"] ?? "").split(", ").slice(0, 2);
    const steps = all[name].map(() => el("li", {}, texts["match.how.numbers"] ?? ""));
    const root = el(
      "figure",
      { class: `figure of-${game}` },
      el("figcaption", {}, texts["table.starts_soon"] ?? ""),
      el("div", { class: "figure-place" }),
      el("ol", { class: "figure-steps" }, ...steps),
    );
    new Figure(
      t,
      {
        ...{ replay: "", game, rules, options: options[name], names, you: null, winners: [] },
        ...{ reason: "points", score: [], frames: [steps.length] },
      },
      root,
      all[name],
      Board,
    );
    made.push(el("div", { class: "rules" }, root));
  }
  return made;
}
