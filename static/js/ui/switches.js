/**
 * The dialog in which a player sets what this browser keeps: sound, haptics and hints, and what
 * concerns the games that it is opened for.
 *
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./settings.js").Name} Name
 * @typedef {import("./settings.js").Settings} Settings
 */

import { button, el } from "./dom.js";

/** @type {Record<string, Name[]>} */
const OF_GAME = {
  domino: ["draw_until", "sort", "unseen"],
  nardi: ["confirm", "auto_roll", "auto_bear_off"],
};
/** Those that need a word more. @type {Name[]} */
const HINTED = ["hints", "draw_until", "unseen", "confirm", "auto_bear_off"];
let count = 0;

export class Switches {
  /** @type {Map<Name, HTMLInputElement>} */
  #inputs = new Map();

  /**
   * @param {Translate} t
   * @param {Settings} settings
   * @param {string[]} games
   */
  constructor(t, settings, games) {
    this.t = t;
    this.settings = settings;
    const title = el("h2", { id: `settings-${(count += 1)}` }, t("settings.title"));
    const shown = games.filter((game) => game in OF_GAME);
    this.root = el(
      "dialog",
      { class: "settings card", "aria-labelledby": title.id },
      title,
      ...this.#both().map((name) => this.#row(name)),
      ...shown.flatMap((game) => [
        el("h3", {}, t(`settings.of.${game}`)),
        ...(OF_GAME[game] ?? []).map((name) => this.#row(name)),
      ]),
      button(t("table.close"), () => this.root.close(), "primary close"),
    );
    settings.listen((name, value) => {
      const input = this.#inputs.get(name);
      if (input) input.checked = value;
    });
  }

  open() {
    this.root.showModal();
  }

  /** A device that cannot be felt is not asked. @returns {Name[]} */
  #both() {
    return "vibrate" in navigator ? ["sound", "haptics", "hints"] : ["sound", "hints"];
  }

  /** @param {Name} name */
  #row(name) {
    const { t, settings } = this;
    const id = `settings-${count}-${name}`;
    const hinted = HINTED.includes(name);
    const input = el("input", {
      type: "checkbox",
      role: "switch",
      name,
      "aria-labelledby": id,
      "aria-describedby": hinted ? `${id}-hint` : null,
    });
    input.checked = settings.get(name);
    input.addEventListener("change", () => settings.set(name, input.checked));
    this.#inputs.set(name, input);
    return el(
      "label",
      { class: "switch" },
      el(
        "span",
        { class: "words" },
        el("span", { id }, t(`settings.${name}`)),
        hinted && el("small", { id: `${id}-hint` }, t(`settings.${name}.hint`)),
      ),
      input,
    );
  }
}
