import { describe, expect, test } from "vitest";
import { chromiumRuns } from "./chromium.ts";
import { eventually } from "./eventually.ts";
import { exampleMessages } from "./lived-archive.ts";
import { openInspector } from "./open-inspector.ts";

describe.runIf(await chromiumRuns())("the search in Chromium", () => {
  const here = openInspector({ most: 1 });

  test("a result opens in place, with the whole original", async () => {
    const { page } = here;
    await here.goTo("#/search");
    await page.getByLabel("Words").fill("MSIX package");
    await page.getByLabel("Role").selectOption("tool");
    await page.getByRole("combobox", { name: "Conversation" }).selectOption("coding-session");
    await page.getByRole("button", { name: "Search" }).click();
    const result = page.locator(".result").first();
    await result.locator(".result-open").click();
    const position = Number((await result.locator(".position").textContent())!.slice(1));
    const original = String(exampleMessages()[position]!.content);
    await eventually(async () => (await result.locator("pre").allTextContents()).join("")).toContain(
      original.slice(0, 200),
    );
    expect(await page.locator(".result b").allTextContents()).toEqual(
      Array(await page.locator(".result").count()).fill("tool"),
    );
    expect(page.url()).toContain("role=tool");
    await result.getByRole("link", { name: "coding-session" }).click();
    await page
      .locator(".row.lit")
      .filter({ hasText: `#${position}` })
      .waitFor();
  });

  test("where nothing is found, that is said", async () => {
    await here.goTo("#/search?q=xylophonequartz");
    await here.page.getByText("Nothing was found.").waitFor();
  });
});
