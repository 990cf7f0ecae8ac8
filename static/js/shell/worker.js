/**
 * The service worker, served as /sw.js behind two lines that the server writes: VERSION, that of
 * all files together, and SHELL, the addresses of the offline page and its files.
 *
 * It keeps files under their fingerprinted address of this one version, and the offline page.
 * Pages always come from the server: none is ever kept, so none can be stale or another's.
 */

const scope = /** @type {any} */ (globalThis);
const NAME = `ezo-${VERSION}`;
const FILES = `/static/${VERSION}/`;

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(keepShell());
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(takeOver());
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  /** @type {Request} */
  const request = event.request;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (pathname.startsWith(FILES)) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(request));
});

async function keepShell() {
  const cache = await caches.open(NAME);
  // Without cookies: what is kept here is nobody's.
  await cache.addAll(
    SHELL.map((/** @type {string} */ url) => new Request(url, { credentials: "omit" })),
  );
  await scope.skipWaiting();
}

async function takeOver() {
  const names = (await caches.keys()).filter((name) => name.startsWith("ezo-") && name !== NAME);
  await Promise.all(names.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/**
 * A file under its fingerprint never changes.
 *
 * @param {Request} request
 */
async function file(request) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request.url, answer.clone());
  return answer;
}

/** @param {Request} request */
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await (await caches.open(NAME)).match("/offline")) ?? Response.error();
  }
}
