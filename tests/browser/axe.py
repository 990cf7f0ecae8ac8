"""axe-core on a page: every rule of WCAG 2.2 A and AA, and its best practices."""

from __future__ import annotations

from importlib.resources import files

from playwright.sync_api import Page

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

RUN = """async ([tags, only]) => {
  const given = axe.getRules(tags).filter(({ tags }) => !tags.includes("deprecated"));
  const values = only ?? given.map(({ ruleId }) => ruleId);
  const { violations } = await axe.run(document, {
    runOnly: { type: "rule", values },
    resultTypes: ["violations"],
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((one) => `${id}: ${one.target.join(" ")} ${one.any.map((each) => each.message)}`),
  );
}"""


def violations(page: Page, only: list[str] | None = None) -> list[str]:
    """What axe finds, a line for each element; ``only`` by these rules. The page's policy lets no
    script in, so it comes with the question."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    found: list[str] = page.evaluate(RUN, [TAGS, only])
    return found
