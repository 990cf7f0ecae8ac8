/**
 * Lets the browser keep the shell of the site, without which everything works as well; and tells of
 * what fails.
 */

import { watch } from "../ui/faults.js";

export function register() {
  watch();
  if (!("serviceWorker" in navigator)) return;
  const go = () => navigator.serviceWorker.register("/sw.js", { scope: "/" }).catch(() => {});
  // What the page itself needs comes first.
  if (document.readyState === "complete") go();
  else addEventListener("load", go, { once: true });
}
