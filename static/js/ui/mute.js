/**
 * The button beside the menu that puts the sound off and on with one press.
 *
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./settings.js").Settings} Settings
 */

import { button, svg } from "./dom.js";

const HORN = "M4 9v6h4l5 4V5L8 9z";
const WAVES = "M16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11";
const CROSS = "M16 9.5l5 5M21 9.5l-5 5";

export class Mute {
  #mark = svg("path", { class: "stroke" });

  /**
   * @param {Translate} t
   * @param {Settings} settings
   */
  constructor(t, settings) {
    this.settings = settings;
    const picture = svg(
      "svg",
      { viewBox: "0 0 24 24", "aria-hidden": "true" },
      svg("path", { class: "solid", d: HORN }),
      this.#mark,
    );
    this.root = button("", () => settings.set("sound", !settings.get("sound")), "icon mute");
    this.root.append(picture);
    this.root.setAttribute("aria-label", t("settings.sound"));
    this.root.title = t("settings.sound");
    settings.listen((name) => name === "sound" && this.#show());
    this.#show();
  }

  #show() {
    const on = this.settings.get("sound");
    this.root.setAttribute("aria-pressed", String(on));
    this.#mark.setAttribute("d", on ? WAVES : CROSS);
  }
}
