/**
 * The tiles that lie on the table. A new one travels to its end; those that make room for it glide.
 *
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./flight.js").Pose} Pose
 * @typedef {import("./layout.js").LaidTile} LaidTile
 * @typedef {{element: HTMLLIElement, pose: Pose}} Lying
 */

import { el } from "../ui/dom.js";
import { GLIDE, TRAVEL, poseIn, setPose, travel } from "./flight.js";
import { halves, tileFace } from "./tile.js";

/** More new ones than this: the viewer was away, so they just lie there. */
const MOST = 2;

export class LaidTiles {
  /** @type {Map<string, Lying>} */
  #lying = new Map();

  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    this.root = el("ol", { class: "chain", "aria-label": t("domino.chain") });
  }

  /**
   * @param {DominoView} view
   * @param {LaidTile[]} tiles
   * @param {((tile: string, seat: number) => Pose | null) | null} origin  where a new tile comes
   *   from; null: nothing moves
   * @param {(tile: string) => void} landed
   */
  update(view, tiles, origin, landed) {
    const here = new Set(tiles.map((one) => one.tile));
    for (const [name, { element }] of this.#lying) {
      if (here.has(name)) continue;
      element.remove();
      this.#lying.delete(name);
    }
    const fresh = tiles.filter((one) => !this.#lying.has(one.tile)).length;
    const come = fresh <= MOST ? origin : null;
    for (const one of [...tiles].sort((a, b) => a.index - b.index)) {
      const [low] = halves(one.tile);
      const pose = poseIn(one.box, one.halves[0] === low);
      const lying = this.#lying.get(one.tile);
      if (lying) this.#move(lying, pose, origin !== null);
      else {
        const seat = view.placed[one.index]?.seat ?? 0;
        const from = come?.(one.tile, seat) ?? null;
        this.#lay(one.tile, pose, from, () => come && landed(one.tile));
      }
      this.#mark(one, view);
    }
  }

  /**
   * @param {string} tile
   * @param {Pose} pose
   * @param {Pose | null} from
   * @param {() => void} landed
   */
  async #lay(tile, pose, from, landed) {
    const element = el("li", { class: "stone", "data-laid": tile }, tileFace(...halves(tile)));
    this.#lying.set(tile, { element, pose });
    this.root.append(element);
    setPose(element, pose);
    if (from) {
      element.classList.add("flying");
      await travel(element, from, pose, TRAVEL);
      element.classList.remove("flying");
    }
    landed();
  }

  /**
   * @param {Lying} lying
   * @param {Pose} pose
   * @param {boolean} glides
   */
  #move(lying, pose, glides) {
    const { element, pose: before } = lying;
    if (same(before, pose)) return;
    lying.pose = pose;
    setPose(element, pose);
    if (glides && !element.classList.contains("flying")) travel(element, before, pose, GLIDE);
  }

  /**
   * @param {LaidTile} tile
   * @param {DominoView} view
   */
  #mark({ tile, index }, view) {
    const element = this.#lying.get(tile)?.element;
    const stavka = tile === view.stavka;
    const last = index === view.placed.length - 1;
    element?.classList.toggle("stavka", stavka);
    element?.classList.toggle("last", last);
    const words = [tile];
    if (stavka) words.push(this.t("domino.stavka"));
    if (last) words.push(this.t("domino.last"));
    element?.setAttribute("aria-label", words.join(", "));
  }
}

/**
 * @param {Pose} a
 * @param {Pose} b
 */
function same(a, b) {
  return a.x === b.x && a.y === b.y && a.unit === b.unit && a.angle === b.angle;
}
