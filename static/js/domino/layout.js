/**
 * Where every tile of the chain lies in a field of a given size: always inside it, never over
 * another, as large as the search finds. Pure: no DOM, no clock, no chance.
 *
 * @typedef {import("../types.js").End} End
 * @typedef {import("../types.js").Placed} Placed
 * @typedef {import("./arms.js").Chain} Chain
 * @typedef {import("./search.js").Plan} Plan
 * @typedef {import("./stones.js").Stone} Stone
 * @typedef {"right" | "down" | "left" | "up"} Side
 *
 * @typedef {{x: number, y: number, width: number, height: number}} Box  in pixels
 *
 * @typedef {object} LaidTile
 * @property {number} index  in the order laid
 * @property {string} tile
 * @property {[number, number]} halves  from left to right, or from top to bottom
 * @property {Box} box
 *
 * @typedef {{end: End | null, side: Side | null, box: Box}} Drop
 *
 * @typedef {object} Layout
 * @property {number} unit  a tile's width in pixels
 * @property {LaidTile[]} tiles
 * @property {Drop[]} drops
 * @property {Shape | null} shape  hand it to the next call, so that tiles stay where they are
 *
 * @typedef {object} Shape
 * @property {import("./keep.js").Spots} spots
 * @property {number} half  a spot's measure in pixels
 * @property {number} dx    where its 0, 0 stands
 * @property {number} dy
 */

import { chainOf } from "./arms.js";
import { ENDS, keep, middle, realize } from "./keep.js";
import { search } from "./search.js";

const SIDES = /** @type {const} */ (["right", "down", "left", "up"]);
/** Widest tile, air at the field's edge, and the narrowest place for the next tile, in pixels. */
const WIDEST = 84;
const AIR = 3;
const FINGER = 24;

/**
 * @param {{placed: Placed[], stavka: string | null, ends: End[]}} chain  ends: where a tile may
 *   come to lie next, so where a place for it is kept
 * @param {number} width   of the field, in pixels
 * @param {number} height
 * @param {Shape | null} [previous]
 * @returns {Layout}
 */
export function layout({ placed, stavka, ends }, width, height, previous = null) {
  const chain = chainOf(placed, stavka);
  if (!chain) return emptyField(width, height);
  const kept = previous && keep(chain, previous.spots);
  const plan = search({
    arms: ENDS.map((end, arm) => {
      const links = chain.arms[end];
      const place = ends.includes(end) ? [false] : [];
      return {
        tiles: links.length,
        size: links.length + place.length,
        doubles: [...links.map((link) => link.double), ...place],
        kept: kept?.steps[arm] ?? [],
        next: kept?.next[arm] ?? null,
      };
    }),
    double: chain.root.double,
    facing: kept?.facing ?? null,
    width: Math.max(1, width - 2 * AIR),
    height: Math.max(1, height - 2 * AIR),
    widest: WIDEST,
  });
  return drawn(chain, ends, plan, width, height, previous);
}

/**
 * @param {number} width
 * @param {number} height
 * @returns {Layout}
 */
function emptyField(width, height) {
  const unit = Math.min(WIDEST, width / 3, height / 3);
  const box = { x: width / 2 - unit / 2, y: height / 2 - unit, width: unit, height: 2 * unit };
  return { unit, tiles: [], drops: [{ end: null, side: null, box }], shape: null };
}

/**
 * What was found, in pixels: near the middle of the field, and no farther from where it
 * stood than that asks for.
 *
 * @param {Chain} chain
 * @param {End[]} ends
 * @param {Plan} plan
 * @param {number} width
 * @param {number} height
 * @param {Shape | null} previous
 * @returns {Layout}
 */
function drawn(chain, ends, plan, width, height, previous) {
  const { unit } = plan;
  const { root, stones, spots } = realize(chain, plan);
  const all = [root, ...stones.flat()];
  const left = Math.min(...all.map((one) => one.x));
  const top = Math.min(...all.map((one) => one.y));
  const right = Math.max(...all.map((one) => one.x + one.w));
  const bottom = Math.max(...all.map((one) => one.y + one.h));
  const half = unit / 2;
  const known = [chain.root, chain.arms.L[0], chain.arms.R[0]].find(
    (link) => link && previous?.spots[link.tile],
  );
  /** @type {{x?: number, y?: number}} */
  const before = {};
  if (known && previous) {
    const now = middle(spots[known.tile], known.double);
    const then = middle(previous.spots[known.tile], known.double);
    before.x = previous.dx + then.x * previous.half - now.x * half;
    before.y = previous.dy + then.y * previous.half - now.y * half;
  }
  const dx = shift(width, left * half, right * half, before.x);
  const dy = shift(height, top * half, bottom * half, before.y);
  /** @param {Stone} one @returns {Box} */
  const box = (one) => ({
    x: one.x * half + dx,
    y: one.y * half + dy,
    width: one.w * half,
    height: one.h * half,
  });
  /** @param {import("./arms.js").Link} link @param {Stone} one @returns {LaidTile} */
  const laid = ({ index, tile, near, far }, one) => ({
    index,
    tile,
    halves: one.d < 2 ? [near, far] : [far, near],
    box: box(one),
  });
  const tiles = [laid(chain.root, root)];
  /** @type {Drop[]} */
  const drops = [];
  ENDS.forEach((end, arm) => {
    const links = chain.arms[end];
    links.forEach((link, n) => tiles.push(laid(link, stones[arm][n])));
    if (!ends.includes(end)) return;
    const side = SIDES[(plan.facing + [2, 0, 3, 1][arm]) & 3];
    drops.push({ end, side, box: box(stones[arm][links.length]) });
  });
  widen(tiles, drops, width, height);
  return { unit, tiles, drops, shape: { spots, half, dx, dy } };
}

/**
 * How far to shift what lies from `least` to `most`: as it was, but with no more than three times
 * as much room on one side as on the other.
 *
 * @param {number} length  of the field
 * @param {number} least
 * @param {number} most
 * @param {number} [before]
 */
function shift(length, least, most, before) {
  const even = (length - least - most) / 2;
  const loose = Math.max(0, length - 2 * AIR - (most - least)) / 4;
  return Math.max(even - loose, Math.min(even + loose, before ?? even));
}

/**
 * Places narrower than a finger wants take what room there is between them and their neighbours.
 *
 * @param {LaidTile[]} tiles
 * @param {Drop[]} drops
 * @param {number} width
 * @param {number} height
 */
function widen(tiles, drops, width, height) {
  for (const drop of drops) {
    const { box } = drop;
    const lack = FINGER - Math.min(box.width, box.height);
    if (lack <= 0) continue;
    const level = box.width > box.height;
    let before = level ? box.y : box.x;
    let after = level ? height - box.y - box.height : width - box.x - box.width;
    for (const other of [...tiles, ...drops]) {
      const { x, y, width: wide, height: high } = other.box;
      const beside = level
        ? x < box.x + box.width && box.x < x + wide
        : y < box.y + box.height && box.y < y + high;
      if (other === drop || !beside) continue;
      const gap = level ? y - box.y - box.height : x - box.x - box.width;
      const back = level ? box.y - y - high : box.x - x - wide;
      if (gap > -0.01) after = Math.min(after, gap);
      if (back > -0.01) before = Math.min(before, back);
    }
    const less = Math.max(0, Math.min(before - 1, Math.max(lack / 2, lack - after + 1)));
    const more = Math.max(0, Math.min(after - 1, lack - less));
    drop.box = level
      ? { ...box, y: box.y - less, height: box.height + less + more }
      : { ...box, x: box.x - less, width: box.width + less + more };
  }
}
