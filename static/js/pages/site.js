/** What every page does: keep the shell, and open the settings where it has a button for them. */

import { register } from "../shell/register.js";

const press = document.getElementById("settings");

register();

if (press) {
  press.hidden = false;
  press.addEventListener("click", async () => {
    const [{ Settings }, { Switches }, { pageCatalogue, translator }] = await Promise.all([
      import("../ui/settings.js"),
      import("../ui/switches.js"),
      import("../ui/texts.js"),
    ]);
    /** @type {HTMLDialogElement | null} */
    let dialog = document.querySelector("dialog.settings");
    if (!dialog) {
      const games = (press.dataset.games ?? "").split(" ");
      const switches = new Switches(translator(pageCatalogue()), new Settings(), games);
      dialog = switches.root;
      document.body.append(dialog);
    }
    dialog.showModal();
  });
}
