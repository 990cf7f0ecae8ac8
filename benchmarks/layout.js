// The body of a function in the page: lays hands out play by play, each time with what the play
// before gave. `given`: {hands, width, height}; a hand: {placed, plays: [{stavka, ends}]}.
const { layout } = await load("domino/layout");
const { hands, width, height } = given;
const SLACK = 0.01;
const told = { units: [], plays: 0, ms: 0, moved: 0, over: 0, off: 0, missing: 0 };

const chains = ({ placed, plays }) =>
  plays.map((play, n) => ({ ...play, placed: placed.slice(0, n + 1) }));
const over = (a, b) =>
  a.x < b.x + b.width - SLACK &&
  b.x < a.x + a.width - SLACK &&
  a.y < b.y + b.height - SLACK &&
  b.y < a.y + a.height - SLACK;
const off = ({ x, y, width: wide, height: high }) =>
  x < -SLACK || y < -SLACK || x + wide > width + SLACK || y + high > height + SLACK;

/** Where tiles lie, in tile widths from the tile that both layouts know best. */
function places(made, anchor) {
  const middle = ({ x, y, width: wide, height: high }) => ({ x: x + wide / 2, y: y + high / 2 });
  const from = middle(made.tiles.find((one) => one.tile === anchor).box);
  return new Map(
    made.tiles.map(({ tile, box, halves }) => {
      const { x, y } = middle(box);
      const at = [x - from.x, y - from.y].map((far) => Math.round((4 * far) / made.unit));
      return [tile, [...at, box.width > box.height, halves[0]].join(" ")];
    }),
  );
}

for (const hand of hands) {
  const views = chains(hand);
  const started = performance.now();
  let shape = null;
  const all = views.map((chain) => {
    const made = layout(chain, width, height, shape);
    shape = made.shape;
    return made;
  });
  told.ms += performance.now() - started;
  told.plays += views.length;
  told.units.push(all.at(-1).unit);
  all.forEach((made, n) => {
    const { placed, ends, stavka } = views[n];
    const boxes = [...made.tiles, ...made.drops].map((one) => one.box);
    if (made.tiles.length !== placed.length || made.drops.length !== ends.length) told.missing += 1;
    boxes.forEach((a, at) => {
      told.off += off(a);
      for (const b of boxes.slice(at + 1)) told.over += over(a, b);
    });
    if (n === 0) return;
    const anchor = views[n - 1].stavka ? stavka : placed[0].tile;
    const now = places(made, anchor);
    for (const [tile, place] of places(all[n - 1], anchor)) told.moved += now.get(tile) !== place;
  });
}
return told;
