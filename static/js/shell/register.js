/** Lets the browser keep the shell of the site. Without it everything works as well. */

export function register() {
  if (!("serviceWorker" in navigator)) return;
  const go = () => navigator.serviceWorker.register("/sw.js", { scope: "/" }).catch(() => {});
  // What the page itself needs comes first.
  if (document.readyState === "complete") go();
  else addEventListener("load", go, { once: true });
}
