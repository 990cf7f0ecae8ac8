/**
 * The open ends: what fits each and counts there, where the chosen tile can go and what it would give there, and
 * the tile that is on its way to the server.
 *
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").End} End
 * @typedef {import("../types.js").Lay} Lay
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./flight.js").Pose} Pose
 * @typedef {import("./layout.js").Box} Box
 * @typedef {import("./layout.js").Drop} Drop
 * @typedef {import("./layout.js").LaidTile} LaidTile
 */

import { button, el } from "../ui/dom.js";
import { TRAVEL, poseIn, setPose, travel } from "./flight.js";
import { halves, tileFace } from "./tile.js";
import { fitsText } from "./words.js";

export class Places {
  /** @type {Map<string, HTMLElement>} by end and kind, so that what has focus stays */
  #made = new Map();
  /** @type {Map<string, Lay>} what a press at an end plays */
  #lays = new Map();
  /** @type {Map<string, string>} where each end lies, in words */
  #sides = new Map();
  /** @type {{tile: string, pose: Pose} | null} */
  #pending = null;

  /**
   * @param {Translate} t
   * @param {(lay: Lay) => void} play
   */
  constructor(t, play) {
    this.t = t;
    this.play = play;
    this.root = el("div", { class: "places" });
  }

  /**
   * Where an end lies, as a word: "to the left".
   *
   * @param {End | null} end
   */
  sideName(end) {
    return this.#sides.get(keyOf(end)) ?? "";
  }

  /**
   * Where a tile that is not saved yet lies meanwhile.
   *
   * @param {string} tile
   */
  pendingPose(tile) {
    return this.#pending?.tile === tile ? this.#pending.pose : null;
  }

  /**
   * The lit end nearest to a point of the window, within reach.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} reach
   * @returns {{lay: Lay, element: HTMLElement} | null}
   */
  nearest(x, y, reach) {
    let best = null;
    let least = reach;
    for (const [end, lay] of this.#lays) {
      const element = this.#made.get(`${end} open`);
      if (!element) continue;
      const box = element.getBoundingClientRect();
      const aside = Math.max(box.left - x, 0, x - box.right);
      const above = Math.max(box.top - y, 0, y - box.bottom);
      const far = Math.hypot(aside, above);
      if (far > least) continue;
      least = far;
      best = { lay, element };
    }
    return best;
  }

  /** The first lit end takes the focus. */
  focus() {
    /** @type {HTMLElement | null} */ (this.root.querySelector("button"))?.focus();
  }

  /**
   * @param {DominoView} view
   * @param {Drop[]} drops
   * @param {LaidTile[]} tiles
   * @param {object} shown
   * @param {Lay[]} shown.offered  the ends that the chosen tile can go to
   * @param {Lay | null} shown.pending  a tile laid but not saved yet
   * @param {(tile: string) => Pose | null} origin  where a tile of the hand is
   */
  update(view, drops, tiles, { offered, pending }, origin) {
    const old = this.#made;
    this.#made = new Map();
    this.#lays.clear();
    this.#sides.clear();
    for (const drop of drops) {
      const end = keyOf(drop.end);
      const side = drop.side ? `domino.side.${drop.side}` : "domino.side.middle";
      this.#sides.set(end, this.t(side));
      const lay = offered.find((one) => one.end === drop.end);
      if (pending && pending.end === drop.end) this.#lay(old, pending, drop, view, tiles, origin);
      else if (lay) this.#offer(old, lay, drop);
      else this.#value(old, drop, view);
    }
    if (!pending) this.#pending = null;
    for (const [key, element] of old) if (!this.#made.has(key)) element.remove();
  }

  /**
   * @param {Map<string, HTMLElement>} old
   * @param {string} key
   * @param {() => HTMLElement} make
   */
  #keep(old, key, make) {
    const found = old.get(key);
    const element = found ?? make();
    this.#made.set(key, element);
    if (!found) this.root.append(element);
    return element;
  }

  /**
   * @param {Map<string, HTMLElement>} old
   * @param {Lay} lay
   * @param {Drop} drop
   */
  #offer(old, lay, drop) {
    const end = keyOf(lay.end);
    this.#lays.set(end, lay);
    const made = this.#keep(old, `${end} open`, () =>
      button("", () => {
        const now = this.#lays.get(end);
        if (now) this.play(now);
      }, "place open"),
    );
    const side = this.sideName(lay.end);
    made.textContent = `+${lay.points}`;
    made.dataset.end = end;
    made.classList.toggle("scores", lay.points > 0);
    made.setAttribute(
      "aria-label",
      this.t("domino.play_here", { tile: lay.tile, side, points: lay.points }),
    );
    setBox(made, drop.box);
  }

  /**
   * @param {Map<string, HTMLElement>} old
   * @param {Drop} drop
   * @param {DominoView} view
   */
  #value(old, drop, view) {
    const open = view.ends.find((one) => one.end === drop.end);
    const key = `${keyOf(drop.end)} value`;
    const made = this.#keep(old, key, () => el("div", { class: "place", "aria-hidden": "true" }));
    made.replaceChildren(open ? el("span", { class: "value" }, fitsText(view, open)) : "");
    setBox(made, drop.box);
  }

  /**
   * @param {Map<string, HTMLElement>} old
   * @param {Lay} lay
   * @param {Drop} drop
   * @param {DominoView} view
   * @param {LaidTile[]} tiles
   * @param {(tile: string) => Pose | null} origin
   */
  #lay(old, lay, drop, view, tiles, origin) {
    const pose = poseIn(drop.box, lowFirst(lay, drop.box, view, tiles));
    const key = `${keyOf(lay.end)} ${lay.tile}`;
    const from = old.has(key) ? null : origin(lay.tile);
    const made = this.#keep(old, key, () =>
      el("div", { class: "place pending" }, tileFace(...halves(lay.tile))),
    );
    setPose(made, pose);
    this.#pending = { tile: lay.tile, pose };
    if (from) travel(made, from, pose, TRAVEL);
  }
}

/** @param {End | null} end */
function keyOf(end) {
  return end ?? "open";
}

/**
 * Which half goes first, so that the one that fits lies towards the chain.
 *
 * @param {Lay} lay
 * @param {Box} box  where the tile is to lie
 * @param {DominoView} view
 * @param {LaidTile[]} tiles
 */
function lowFirst(lay, box, view, tiles) {
  const [low] = halves(lay.tile);
  const open = view.ends.find((one) => one.end === lay.end);
  if (!open) return true;
  const on = view.placed.filter((one) => one.end === lay.end).at(-1);
  const root = open.end === "U" || open.end === "D" ? view.stavka : view.placed[0]?.tile;
  const name = on ? on.tile : root;
  const before = tiles.find((one) => one.tile === name)?.box;
  if (!before) return true;
  const level = box.width > box.height;
  const firstTouches = level
    ? before.x + before.width / 2 < box.x + box.width / 2
    : before.y + before.height / 2 < box.y + box.height / 2;
  return (open.asks === low) === firstTouches;
}

/**
 * @param {HTMLElement} element
 * @param {Box} box
 */
function setBox(element, box) {
  element.style.width = `${box.width}px`;
  element.style.height = `${box.height}px`;
  element.style.transform = `translate(${box.x}px, ${box.y}px)`;
}
