/** The page that is shown without a line: as soon as there is one, it tries again by itself. */

addEventListener("online", () => location.reload());
