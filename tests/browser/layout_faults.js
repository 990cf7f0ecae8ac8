// The body of a function in the page: what is wrong with the layouts of these hands, each laid out
// play by play. `given`: {hands, width, height}; a hand: {placed, plays: [{stavka, ends}]}.
const { layout } = await load("domino/layout");
const { hands, width, height } = given;
const SLACK = 0.01;
const told = { faults: [], units: [], place: Infinity, plays: 0, moved: 0 };

const axes = [
  ["x", "width", "y", "height"],
  ["y", "height", "x", "width"],
];
const level = (box) => box.width > box.height;
const double = ({ halves }) => halves[0] === halves[1];
const middle = (box, at, size) => box[at] + box[size] / 2;
/** Room between two boxes on the axis where there is more of it. */
const apart = (a, b) =>
  Math.max(
    ...axes.map(([at, size]) => Math.max(a[at] - b[at] - b[size], b[at] - a[at] - a[size])),
  );
const over = (a, b) => apart(a, b) < -SLACK;
const within = ({ x, y, width: wide, height: high }) =>
  x >= -SLACK && y >= -SLACK && x + wide <= width + SLACK && y + high <= height + SLACK;

/** The box of a tile's half that shows a number; of a double it is the whole tile. */
function half({ box, halves }, number) {
  if (halves[0] === halves[1]) return box;
  const second = halves[1] === number;
  return level(box)
    ? { ...box, x: box.x + (second ? box.width / 2 : 0), width: box.width / 2 }
    : { ...box, y: box.y + (second ? box.height / 2 : 0), height: box.height / 2 };
}

/** "x" or "y": the axis on which two boxes touch along a whole tile's width, else null. */
function touch(a, b, unit) {
  for (const [at, size, aside, breadth] of axes) {
    const meets =
      Math.abs(a[at] + a[size] - b[at]) < SLACK || Math.abs(b[at] + b[size] - a[at]) < SLACK;
    const shared =
      Math.min(a[aside] + a[breadth], b[aside] + b[breadth]) - Math.max(a[aside], b[aside]);
    if (meets && shared > unit - SLACK) return at;
  }
  return null;
}

/** Each tile but the first with the one it was laid to, and the open ends' last tiles. */
function joints(placed, stavka, ends) {
  const last = {};
  const pairs = [];
  const opening = placed[0];
  const before = (end) => {
    if (last[end]) return { tile: last[end].tile, number: last[end].out };
    if (end === "U" || end === "D") return { tile: stavka, number: null };
    return { tile: opening.tile, number: end === "L" ? opening.in : opening.out };
  };
  for (const one of placed.slice(1)) {
    pairs.push({ from: before(one.end), to: one.tile, number: one.in, end: one.end });
    last[one.end] = one;
  }
  return { pairs, open: ends.map((end) => ({ end, from: before(end) })) };
}

function faults({ placed, stavka, ends }, made) {
  const found = [];
  const { unit } = made;
  const names = made.tiles.map((one) => one.tile).sort();
  if (names.join() !== placed.map((one) => one.tile).sort().join()) found.push("other tiles");
  if (made.drops.map((one) => one.end).join() !== ends.join()) found.push("other places");
  const boxes = [...made.tiles, ...made.drops].map((one) => one.box);
  boxes.forEach((a, n) => {
    if (!within(a)) found.push("off the field");
    if (boxes.slice(n + 1).some((b) => over(a, b))) found.push("one over another");
  });
  const tiles = new Map(made.tiles.map((one) => [one.tile, one]));
  const { pairs, open } = joints(placed, stavka, ends);
  const joined = new Set();
  for (const { from, to, number, end } of pairs) {
    const a = tiles.get(from.tile);
    const b = tiles.get(to);
    joined.add(`${from.tile} ${to}`).add(`${to} ${from.tile}`);
    const one = half(a, from.number);
    const other = half(b, number);
    const axis = touch(one, other, unit);
    if (!axis) {
      found.push(`${to} does not touch ${from.tile}`);
      continue;
    }
    const [, , aside, breadth] = axes[axis === "x" ? 0 : 1];
    if (Math.abs(middle(one, aside, breadth) - middle(other, aside, breadth)) > SLACK)
      found.push(`${to} lies beside the middle of ${from.tile}`);
    const along = (tile) => level(tile.box) === (axis === "x");
    const side = (tile) => tile.tile === stavka && (end === "U" || end === "D");
    for (const [tile, next] of [[a, b], [b, a]]) {
      if (double(tile) && along(tile) !== side(tile)) found.push(`${tile.tile} is not crosswise`);
      const root = stavka === null && tile.tile === placed[0].tile;
      if ((double(tile) || root) && !double(next) && !along(next))
        found.push(`a corner at ${tile.tile}`);
    }
  }
  for (const { end, from } of open) {
    const drop = made.drops.find((one) => one.end === end);
    if (drop && !touch(half(tiles.get(from.tile), from.number), drop.box, unit))
      found.push(`the place ${end} is not at its end`);
  }
  made.tiles.forEach((a, n) => {
    for (const b of made.tiles.slice(n + 1))
      if (!joined.has(`${a.tile} ${b.tile}`) && apart(a.box, b.box) < unit / 2 - SLACK)
        found.push(`${a.tile} is too near to ${b.tile}`);
  });
  return found;
}

/** Where a tile lies, in halves of a tile's width from another one. */
function spot(made, tile, anchor) {
  const at = (name) => made.tiles.find((one) => one.tile === name);
  const [one, other] = [at(tile), at(anchor)];
  const far = axes.map(([from, size]) =>
    Math.round((4 * (middle(one.box, from, size) - middle(other.box, from, size))) / made.unit),
  );
  return [...far, level(one.box), one.halves[0]].join(" ");
}

hands.forEach(({ placed, plays }, number) => {
  let last = null;
  plays.forEach((play, n) => {
    const chain = { ...play, placed: placed.slice(0, n + 1) };
    const made = layout(chain, width, height, last && last.shape);
    for (const fault of faults(chain, made)) told.faults.push(`hand ${number}, ${n}: ${fault}`);
    if (n === plays.length - 1) told.units.push(made.unit);
    for (const { box } of made.drops)
      told.place = Math.min(told.place, box.width, box.height);
    if (last) {
      const anchor = plays[n - 1].stavka ?? placed[0].tile;
      told.plays += 1;
      for (const { tile } of last.tiles)
        told.moved += spot(last, tile, anchor) !== spot(made, tile, anchor);
    }
    last = made;
  });
});
return told;
