import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { chromiumRuns } from "./chromium.ts";
import { eventually } from "./eventually.ts";
import { exampleMessages } from "./lived-archive.ts";
import { openInspector } from "./open-inspector.ts";
import { compactionRoute } from "./visit.ts";

describe.runIf(await chromiumRuns())("a compaction explained, in Chromium", () => {
  const here = openInspector({ most: 0 });
  let page: Page;

  beforeAll(async () => {
    ({ page } = here);
    const [first] = await here.archive.compactions!("coding-session");
    await here.goTo(compactionRoute(first!.id));
    await page.locator(".pair").first().waitFor();
  });

  test("a cut says which step made it, why, and what it saved, and opens its original", async () => {
    const row = page.locator(".pair.is-removed").filter({ hasText: "Tool results" }).first();
    await row.locator("button").click();
    const sheet = page.getByRole("dialog");
    const position = Number((await sheet.getByRole("heading").textContent())!.replace("Message ", ""));
    await eventually(() => sheet.locator("pre").first().textContent()).toBeTruthy();
    const words = (await sheet.textContent())!;
    expect(words).toContain("Told in the hand-off");
    expect(words).toContain("Why: ");
    expect(words).toMatch(/Saved[\d,]+/);
    const shown = (await sheet.locator("pre").allTextContents()).join("");
    expect(shown.trimEnd()).toBe(String(exampleMessages()[position]!.content).trimEnd());
    await page.keyboard.press("Escape");
  });

  test("a message that was changed shows what was put into it, line by line", async () => {
    await page.getByLabel("Only what changed").check();
    await page.locator(".virtual").press("End");
    await page.locator(".pair.is-changed button").first().click();
    const sheet = page.getByRole("dialog");
    const position = Number(
      (await sheet.getByRole("heading", { level: 2 }).textContent())!.slice("Message ".length),
    );
    await eventually(() => sheet.locator(".diff-added").first().textContent()).toBeTruthy();
    // What is said to be as it was is in what came in, and what was put in is not.
    const was = String(exampleMessages()[position]!.content);
    expect(await sheet.locator(".diff-same").count()).toBeGreaterThan(0);
    for (const same of await sheet.locator(".diff-same").allTextContents())
      expect(was).toContain(same.trimEnd());
    for (const added of await sheet.locator(".diff-added").allTextContents())
      expect(was).not.toContain(added.trimEnd());
    await page.keyboard.press("Escape");
    await page.getByLabel("Only what changed").uncheck();
  });

  test("a line of the hand-off lights up its sources", async () => {
    const lines = page.locator(".line.sourced");
    await lines.first().hover();
    await page.locator(".pair.lit").first().waitFor();
    await page.mouse.move(5, 5);
    await eventually(() => page.locator(".pair.lit").count()).toBe(0);
    await lines.last().click();
    await page.locator(".pair.lit").first().waitFor();
  });

  test("only what changed can be shown, and the ledger and the audit stand beside it", async () => {
    const kept = page.locator(".pair.is-kept");
    await page.locator(".virtual").press("End");
    await eventually(() => kept.count()).toBeGreaterThan(0);
    await page.getByLabel("Only what changed").check();
    await eventually(() => kept.count()).toBe(0);
    await page.getByLabel("Only what changed").uncheck();
    await page.getByRole("tab", { name: "Ledger" }).click();
    await page.getByRole("tabpanel").getByText("Files").waitFor();
    await page.getByRole("tab", { name: "Audit" }).click();
    await page.getByRole("tabpanel").getByText("nothing to audit").waitFor();
    await page.getByRole("tab", { name: "Hand-off" }).click();
  });
});
