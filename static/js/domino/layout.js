/**
 * Where every tile of the chain lies in a field of a given size: always inside it, never over
 * another, as large as the search finds. Pure: no DOM, no clock, no chance.
 *
 * @typedef {import("../types.js").End} End
 * @typedef {import("../types.js").Placed} Placed
 * @typedef {import("./walk.js").Direction} Direction
 * @typedef {import("./walk.js").Rect} Rect
 * @typedef {import("./walk.js").Stone} Stone
 * @typedef {import("./arms.js").Chain} Chain
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
 * @typedef {object} Shape  the choices of the search
 * @property {boolean} upright  is the main axis vertical
 * @property {(1 | 3)[]} turns  of the arms L, R, U, D
 * @property {boolean} snake
 * @property {number} across    where the root lies, 0 to 1 of the room there is
 * @property {number} down
 */

import { chainOf } from "./arms.js";
import { walk } from "./walk.js";

const ENDS = /** @type {const} */ (["L", "R", "U", "D"]);
const SIDES = /** @type {const} */ (["right", "down", "left", "up"]);
/** Widest tile, and air at the field's edge, in pixels. */
const WIDEST = 46;
const AIR = 6;
/** A layout that keeps the last shape may be so much smaller than the best one. */
const KEEP = 0.88;
/** What a corner costs, as a share of the tile's width. */
const CORNER = 0.012;
const TURNS = /** @type {(1 | 3)[][]} */ ([
  [1, 1, 1, 1],
  [3, 3, 3, 3],
  [1, 3, 1, 3],
  [3, 1, 3, 1],
  [1, 3, 3, 1],
  [3, 1, 1, 3],
]);
const PLACES = [0.5, 0.2, 0.8];

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
  const room = { width: Math.max(1, width - 2 * AIR), height: Math.max(1, height - 2 * AIR) };
  const best = search(chain, ends, room);
  const kept = previous && largest(chain, ends, room, [previous], best.unit * KEEP);
  const chosen = kept ?? best;
  return drawn(chain, ends, chosen, width, height);
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
 * @typedef {{width: number, height: number}} Room
 * @typedef {{unit: number, shape: Shape, root: Rect, arms: Stone[][], penalty: number}} Found
 */

/**
 * @param {Chain} chain
 * @param {End[]} ends
 * @param {Room} room
 * @returns {Found}
 */
function search(chain, ends, room) {
  // Unfolded it always fits at some size: that is where the search starts from.
  let best = /** @type {Found | null} */ (null);
  for (const upright of [room.height >= room.width, room.height < room.width]) {
    const shape = { upright, turns: [...TURNS[0]], snake: false, across: 0.5, down: 0.5 };
    const unit = Math.min(WIDEST, straightUnit(chain, ends, room, upright));
    const found = tryShape(chain, ends, room, shape, unit * 0.999);
    if (found && (!best || found.unit > best.unit)) best = found;
  }
  const straight = /** @type {Found} */ (best);
  if (straight.unit >= WIDEST * 0.99) return straight;
  return largest(chain, ends, room, allShapes(), straight.unit) ?? straight;
}

/** @returns {Shape[]} */
function allShapes() {
  const shapes = [];
  for (const upright of [true, false])
    for (const across of PLACES)
      for (const down of PLACES)
        for (const snake of [false, true])
          for (const turns of TURNS) shapes.push({ upright, turns, snake, across, down });
  return shapes;
}

/**
 * The largest tiles that some of the shapes allow, halving the range; of the shapes that allow
 * them the one with the fewest corners.
 *
 * @param {Chain} chain
 * @param {End[]} ends
 * @param {Room} room
 * @param {Shape[]} shapes
 * @param {number} least  the smallest width of a tile that is of use
 * @returns {Found | null}
 */
function largest(chain, ends, room, shapes, least) {
  let low = least;
  let high = WIDEST;
  let good = shapes.find((shape) => tryShape(chain, ends, room, shape, low));
  if (!good) return null;
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    // A shape that was good for smaller tiles is likely to be good for larger ones.
    /** @type {Shape | undefined} */
    const better = [good, ...shapes].find((shape) => tryShape(chain, ends, room, shape, middle));
    good = better ?? good;
    if (better) low = middle;
    else high = middle;
  }
  const found = shapes.flatMap((shape) => tryShape(chain, ends, room, shape, low) ?? []);
  return found.reduce((best, one) => (one.penalty < best.penalty ? one : best));
}

/**
 * The directions of the arms L, R, U, D.
 *
 * @param {boolean} upright
 * @returns {Direction[]}
 */
function directions(upright) {
  return upright ? [3, 1, 0, 2] : [2, 0, 3, 1];
}

/**
 * How far each arm reaches when it lies straight, in tile widths.
 *
 * @param {Chain} chain
 * @param {End[]} ends
 */
function reaches(chain, ends) {
  return ENDS.map((end) => {
    const laid = chain.arms[end].reduce((sum, link) => sum + (link.double ? 1 : 2), 0);
    return laid + (ends.includes(end) ? 2 : 0);
  });
}

/**
 * The root's half extents across the screen and down it.
 *
 * @param {Chain} chain
 * @param {boolean} upright
 */
function rootSize(chain, upright) {
  const level = chain.root.double ? upright : !upright;
  return level ? { across: 1, down: 0.5 } : { across: 0.5, down: 1 };
}

/**
 * How far straight arms reach to the right, down, to the left and up from the root's middle, and
 * at least as far as a crosswise double of an arm beside it needs.
 *
 * @param {Chain} chain
 * @param {End[]} ends
 * @param {boolean} upright
 */
function extents(chain, ends, upright) {
  const size = rootSize(chain, upright);
  const reach = reaches(chain, ends);
  const out = [size.across, size.down, size.across, size.down];
  directions(upright).forEach((direction, arm) => {
    out[direction] = (out[direction] ?? 0) + (reach[arm] ?? 0);
  });
  return out.map((far) => Math.max(far, 1));
}

/**
 * @param {Chain} chain
 * @param {End[]} ends
 * @param {Room} room
 * @param {boolean} upright
 */
function straightUnit(chain, ends, room, upright) {
  const [right = 1, down = 1, left = 1, up = 1] = extents(chain, ends, upright);
  return Math.min(room.width / (right + left), room.height / (down + up));
}

/**
 * @param {Chain} chain
 * @param {End[]} ends
 * @param {Room} room
 * @param {Shape} shape
 * @param {number} unit
 * @returns {Found | null}
 */
function tryShape(chain, ends, room, shape, unit) {
  const field = { left: 0, top: 0, right: room.width / unit, bottom: room.height / unit };
  const [right = 1, down = 1, left = 1, up = 1] = extents(chain, ends, shape.upright);
  const x = rootAt(field.right, left, right, shape.across);
  const y = rootAt(field.bottom, up, down, shape.down);
  const size = rootSize(chain, shape.upright);
  const root = {
    left: x - size.across,
    right: x + size.across,
    top: y - size.down,
    bottom: y + size.down,
  };
  if (root.left < 0 || root.top < 0 || root.right > field.right || root.bottom > field.bottom) {
    return null;
  }
  const ways = directions(shape.upright);
  const taken = [root];
  /** @type {Stone[][]} */
  const arms = [[], [], [], []];
  let penalty = 0;
  // The short arms first: a long one finds its way round them.
  const order = [0, 1, 2, 3].sort((a, b) => armLength(chain, ends, a) - armLength(chain, ends, b));
  for (const arm of order) {
    const end = /** @type {End} */ (ENDS[arm]);
    const direction = /** @type {Direction} */ (ways[arm]);
    const stones = walk(
      {
        doubles: chain.arms[end].map((link) => link.double),
        drop: ends.includes(end),
        head: sideOf(root, direction),
        direction,
        turn: shape.turns[arm] ?? 1,
        snake: shape.snake,
      },
      field,
      taken,
    );
    if (!stones) return null;
    arms[arm] = stones;
    for (const stone of stones) taken.push(stone.rect);
    penalty += stones.filter((stone) => stone.corner).length * CORNER;
  }
  return { unit, shape, root, arms, penalty };
}

/**
 * @param {Chain} chain
 * @param {End[]} ends
 * @param {number} arm
 */
function armLength(chain, ends, arm) {
  const end = /** @type {End} */ (ENDS[arm]);
  return chain.arms[end].length + (ends.includes(end) ? 1 : 0);
}

/**
 * Where the root's middle lies on one axis: in the middle of a chain that fits, else so far
 * along as the share says, with room for two tiles on a side that wants them.
 *
 * @param {number} length  of the field
 * @param {number} before  how far the arms reach to the one side and to the other
 * @param {number} after
 * @param {number} share   0 to 1
 */
function rootAt(length, before, after, share) {
  if (before + after <= length && share === 0.5) return (length - before - after) / 2 + before;
  const least = Math.min(before, 4);
  const most = length - Math.min(after, 4);
  return least <= most ? least + (most - least) * share : length / 2;
}

/**
 * @param {Rect} root
 * @param {Direction} direction
 */
function sideOf(root, direction) {
  const middle = { x: (root.left + root.right) / 2, y: (root.top + root.bottom) / 2 };
  if (direction === 0) return { x: root.right, y: middle.y };
  if (direction === 1) return { x: middle.x, y: root.bottom };
  if (direction === 2) return { x: root.left, y: middle.y };
  return { x: middle.x, y: root.top };
}

/**
 * What was found, in pixels, in the middle of the field.
 *
 * @param {Chain} chain
 * @param {End[]} ends
 * @param {Found} found
 * @param {number} width
 * @param {number} height
 * @returns {Layout}
 */
function drawn(chain, ends, found, width, height) {
  const { unit, shape, root, arms } = found;
  const all = [root, ...arms.flat().map((stone) => stone.rect)];
  const left = Math.min(...all.map((rect) => rect.left));
  const top = Math.min(...all.map((rect) => rect.top));
  const right = Math.max(...all.map((rect) => rect.right));
  const bottom = Math.max(...all.map((rect) => rect.bottom));
  const dx = (width - (right - left) * unit) / 2 - left * unit;
  const dy = (height - (bottom - top) * unit) / 2 - top * unit;
  /** @param {Rect} rect @returns {Box} */
  const box = (rect) => ({
    x: rect.left * unit + dx,
    y: rect.top * unit + dy,
    width: (rect.right - rect.left) * unit,
    height: (rect.bottom - rect.top) * unit,
  });
  const { root: link } = chain;
  /** @type {LaidTile[]} */
  const tiles = [
    { index: link.index, tile: link.tile, halves: [link.near, link.far], box: box(root) },
  ];
  /** @type {Drop[]} */
  const drops = [];
  const ways = directions(shape.upright);
  ENDS.forEach((end, arm) => {
    const links = chain.arms[end];
    const stones = arms[arm] ?? [];
    links.forEach((one, n) => {
      const stone = /** @type {Stone} */ (stones[n]);
      const forward = stone.direction === 0 || stone.direction === 1;
      tiles.push({
        index: one.index,
        tile: one.tile,
        halves: forward ? [one.near, one.far] : [one.far, one.near],
        box: box(stone.rect),
      });
    });
    const last = stones[links.length];
    if (ends.includes(end) && last) {
      drops.push({ end, side: SIDES[ways[arm] ?? 0] ?? null, box: box(last.rect) });
    }
  });
  return { unit, tiles, drops, shape };
}
