/**
 * What an eye would find wrong with a page: one thing over another, something cut off, spilling
 * or too small to hit. Gives {faults: [[kind, what]], least: {…}}; `least` holds the narrowest
 * tile, place and point, in pixels.
 *
 * Kinds: "overflow" of the page, "outside" its frame, "overlap", "small", "covered", "cut" words,
 * "narrow". A tile in the chain has to be as wide as `given.stone` says, all other pieces 24 px.
 */
(given) => {
  const TOUCH = 44;
  const TILE = 24;
  const SLACK = 0.75;
  const OVER = "dialog[open], .panel, .menu-list, .unseen, details.name > form";
  const FRAMES = ".bar, .watching, .plate, .count, .hand, .controls, .panel, dialog[open]";
  const REGIONS = ".bar, .watching, .alarm, .plate, .stage, .count, .hand, .controls";
  const CONTROLS = "button, a[href], summary, input:not([type=hidden]), select";
  const PIECES = ".stone, .hand .own, .place, .spot";
  const { innerWidth, innerHeight } = window;
  const faults = [];
  const least = {};
  const say = (kind, ...what) => faults.push([kind, what.join(" ")]);

  const name = (one) => {
    const classes = [...one.classList].map((each) => `.${each}`).join("");
    const mark = one.dataset?.tile ?? one.dataset?.point ?? one.dataset?.end ?? "";
    const { width, height, x, y } = one.getBoundingClientRect();
    const size = [x, y, width, height].map((each) => Math.round(each)).join(" ");
    return `${one.localName}${classes}[${mark || one.textContent.trim().slice(0, 24)}] (${size})`;
  };
  const boxOf = (one) => one.getBoundingClientRect();
  const all = (what, root = document) => [...root.querySelectorAll(what)].filter(shown);
  const hidden = new Set(
    [...document.querySelectorAll("*")].filter(
      (one) => getComputedStyle(one).clipPath.startsWith("inset(50%"),
    ),
  );

  function shown(one) {
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const { width, height } = boxOf(one);
    if (width === 0 || height === 0) return false;
    for (let up = one; up; up = up.parentElement) if (hidden.has(up)) return false;
    return true;
  }

  const meets = (a, b, slack = SLACK) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;
  const within = (a, b, slack = SLACK) =>
    a.left >= b.left - slack &&
    a.right <= b.right + slack &&
    a.top >= b.top - slack &&
    a.bottom <= b.bottom + slack;
  const holds = (box, x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };

  const overlays = all(OVER);
  const modal = document.querySelector("dialog[open]");
  const layer = (one) => one.closest(OVER);
  /** Does something that lies over the page hide it? */
  const under = (one, box = boxOf(one)) =>
    (modal && !modal.contains(one)) ||
    overlays.some((over) => !over.contains(one) && meets(boxOf(over), box, 0));
  /** The part of the window that the scrolling or clipping boxes round it leave of it. */
  const frame = (one) => {
    const left = { ...screen };
    if (!document.body.classList.contains("playing")) {
      left.bottom = Infinity;
      left.top = -Infinity;
    }
    for (let up = one.parentElement; up && up !== document.body; up = up.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(up).overflowY)) continue;
      const box = boxOf(up);
      left.top = Math.max(left.top, box.top);
      left.bottom = Math.min(left.bottom, box.bottom);
    }
    return left;
  };
  const scrolled = (child, frame_) => {
    for (let up = child.parentElement; up; up = up.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(up).overflowY)) return true;
      if (up === frame_) return false;
    }
    return false;
  };
  const apart = (many, kind = "overlap", slack = SLACK) =>
    many.forEach((a, n) => {
      for (const b of many.slice(n + 1)) {
        if (a.contains(b) || b.contains(a)) continue;
        if (meets(boxOf(a), boxOf(b), slack)) say(kind, name(a), "and", name(b));
      }
    });
  const narrow = (what, many, limit) => {
    for (const one of many) {
      const { width, height } = boxOf(one);
      const side = Math.min(width, height);
      least[what] = Math.min(least[what] ?? Infinity, side);
      if (side < limit - 0.1) say("narrow", name(one));
    }
  };

  // The page itself.
  const { scrollWidth, scrollHeight } = document.documentElement;
  const playing = document.body.classList.contains("playing");
  if (scrollWidth > innerWidth) say("overflow", "the page is", scrollWidth, "wide");
  if (playing && scrollHeight > innerHeight) say("overflow", "the page is", scrollHeight, "high");

  // Its parts, and what is in them.
  const regions = all(REGIONS);
  apart(regions);
  if (playing) for (const one of regions) if (!within(boxOf(one), screen)) say("outside", name(one));
  for (const one of all(FRAMES)) {
    const box = boxOf(one);
    if (!within(box, screen) && playing) say("outside", name(one));
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible") {
      say("outside", name(one), "scrolls to the side");
    }
    const told = [];
    for (const child of all("*", one)) {
      if (told.some((each) => each.contains(child))) continue;
      const scrolls = scrolled(child, one);
      if (layer(child) !== layer(one) || child.closest(".ghost, .hand .own")) continue;
      const at = boxOf(child);
      const inside = scrolls
        ? at.left >= box.left - SLACK && at.right <= box.right + SLACK
        : within(at, box, 1.5);
      if (inside) continue;
      told.push(child);
      say("outside", name(child), "of", name(one));
    }
  }

  // What can be pressed.
  const controls = all(CONTROLS).filter((one) => !one.matches(PIECES));
  const targets = controls.map((one) => one.closest("label.switch, .choice label") ?? one);
  for (const one of new Set(targets)) {
    const box = boxOf(one);
    const { left, right, top, bottom, width, height } = box;
    if (right < 0 || bottom < 0) continue;
    if (width < TOUCH - 0.1 || height < TOUCH - 0.1) say("small", name(one));
    if (!layer(one) && under(one)) continue;
    if (playing && !layer(one) && !within(box, screen)) say("outside", name(one));
    const seen = frame(one);
    const x = (left + right) / 2;
    const y = (top + bottom) / 2;
    if (!holds(seen, x, y) || !holds(screen, x, y)) continue;
    const top_ = document.elementFromPoint(x, y);
    if (!top_ || !(one.contains(top_) || top_.contains(one))) say("covered", name(one));
  }
  for (const over of [null, ...overlays]) {
    apart([...new Set(targets)].filter((one) => layer(one) === over && !under(one)));
  }

  // Tiles: in the chain, at its ends, in the hand.
  const field = document.querySelector(".field");
  const stones = all(".stone");
  const places = all(".place");
  const own = all(".hand .own");
  apart([...stones, ...places]);
  apart(own);
  for (const one of [...stones, ...places]) {
    if (!within(boxOf(one), boxOf(field))) say("outside", name(one), "of the field");
  }
  narrow("stone", stones, given.stone);
  narrow("place", places, Math.min(TILE, given.stone));
  narrow("own", own, TILE);
  for (const one of own) {
    const { x, y, width, height } = boxOf(one);
    if (under(one)) continue;
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    if (!one.contains(hit)) say("covered", name(one));
  }

  // Points and checkers.
  const spots = all(".spot");
  apart(spots);
  for (const one of spots) {
    if (!within(boxOf(one), boxOf(field))) say("outside", name(one), "of the field");
  }
  narrow("point", spots, TILE);
  const boxes = spots.map(boxOf);
  for (const disc of all(".picture .disc")) {
    const box = boxOf(disc);
    const middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const home = boxes.find((each) => holds(each, ...middle));
    const astray = home ? !within(box, home, 1) : boxes.some((each) => meets(each, box, 1));
    if (astray || !within(box, boxOf(field))) say("outside", "a checker at", name(disc));
  }

  // Words.
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || !one || !shown(one) || one.closest("script, noscript, .skip")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
    const holder = one.closest("button, .button, summary, .value, .chip") ?? null;
    // A control's own words are never broken in their middle.
    for (const { index, 0: word } of holder ? node.data.matchAll(/\S+/g) : []) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (tops.size > 1 && word.length < 20) say("cut", "the word", word, "of", name(holder));
    }
    for (const rect of rects) {
      // A line's box is higher than its letters.
      const trim = rect.height * 0.2;
      const { left, right } = rect;
      let box = { left, right, top: rect.top + trim, bottom: rect.bottom - trim };
      let elided = false;
      for (let up = one; up && up !== document.body; up = up.parentElement) {
        const style = getComputedStyle(up);
        if (!/hidden|clip/.test(style.overflowX) || up.matches(".field, .stage")) continue;
        const edge = boxOf(up);
        if (!within(box, edge, 1)) {
          // A name may be shortened: it is said in full where it is pressed or read out.
          elided = style.textOverflow === "ellipsis" && up.matches(".name, summary bdi");
          if (!elided) say("cut", name(one), "by", name(up));
          box = { ...box, left: Math.max(left, edge.left), right: Math.min(right, edge.right) };
        }
      }
      if (holder && !elided && !within(box, boxOf(holder), 1)) say("cut", "words of", name(holder));
      if (playing && !layer(one) && !within(box, screen)) say("cut", name(one), "by the screen");
      const seen = frame(one);
      if (box.bottom < seen.top || box.top > seen.bottom) continue;
      if (!under(one, box)) lines.push({ one, box, over: layer(one) });
    }
  }
  lines.forEach((a, n) => {
    for (const b of lines.slice(n + 1)) {
      if (a.one !== b.one && a.over === b.over && meets(a.box, b.box, 1)) {
        say("overlap", "the words", name(a.one), "and", name(b.one));
      }
    }
  });

  return { faults, least };
}
