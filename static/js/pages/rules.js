/** A page of rules: its figures become boards. All its words stand there without a script. */

import { openFigures } from "../rules/figures.js";
import { pageCatalogue, translator } from "../ui/texts.js";

const article = document.getElementById("rules");
if (article) openFigures(translator(pageCatalogue()), article);
