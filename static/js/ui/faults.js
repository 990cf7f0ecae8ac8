/**
 * Errors that nobody caught, told to the server's log: what failed and where, and nothing of whom.
 */

/** So many from one page: after that it says nothing new. */
const MOST = 5;

let told = 0;

/**
 * @param {unknown} error
 * @param {{filename?: string, lineno?: number, colno?: number}} [at]
 */
function tell(error, at = {}) {
  told += 1;
  if (told > MOST) return;
  const message = String(error instanceof Error ? `${error.name}: ${error.message}` : error);
  const place = at.filename ? at : placeOf(error);
  const fault = {
    message: message.slice(0, 300),
    file: pathOf(place.filename ?? ""),
    line: place.lineno ?? 0,
    column: place.colno ?? 0,
    page: /^\/([a-z-]{0,20})(?:\/|$)/.exec(location.pathname)?.[1] ?? "",
  };
  fetch("/faults", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(fault),
    keepalive: true,
  }).catch(() => {}); // the line is down: that is known already
}

/**
 * Where an error was made, as its stack says.
 *
 * @param {unknown} error
 */
function placeOf(error) {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const found = /(https?:\/\/[^\s()]+):(\d+):(\d+)/.exec(stack);
  return found ? { filename: found[1], lineno: Number(found[2]), colno: Number(found[3]) } : {};
}

/** @param {string} address  of a file of ours; of others nothing is told */
function pathOf(address) {
  try {
    const { origin, pathname } = new URL(address);
    return origin === location.origin && pathname.startsWith("/static/") ? pathname : "";
  } catch {
    return "";
  }
}

export function watch() {
  addEventListener("error", (event) => {
    if (event.error) tell(event.error, event);
  });
  addEventListener("unhandledrejection", (event) => tell(event.reason));
}
