import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { chromiumRuns } from "./chromium.ts";
import { eventually } from "./eventually.ts";
import { openInspector } from "./open-inspector.ts";
import { conversationRoute } from "./visit.ts";

describe.runIf(await chromiumRuns())("a plan tried, applied and undone, in Chromium", () => {
  const here = openInspector({ most: 0 });
  let page: Page;
  let archive: Archive;

  beforeAll(async () => {
    ({ page, archive } = here);
    await here.goTo(conversationRoute("coding-session", "change"));
  });

  /** The sizes that the page tells for the plan, once it rests. */
  async function planned(): Promise<{ before: number; after: number; words: string }> {
    const state = page.locator(".preview-state");
    await eventually(() => state.textContent()).toMatch(/^Planned/);
    const words = (await state.textContent())!;
    const [before, after] = [...words.matchAll(/[\d,]{3,}/g)].map(([size]) =>
      Number(size.replaceAll(",", "")),
    );
    return { before: before!, after: after!, words };
  }

  async function moveTarget(percent: number): Promise<void> {
    await page.getByRole("slider").fill(String(percent));
  }

  test("a moved target shows another plan", async () => {
    const first = await planned();
    await moveTarget(60);
    const second = await planned();
    expect(second.before).toBe(first.before);
    expect(second.after).toBeGreaterThan(first.after);
    expect(second.after).toBeLessThanOrEqual(0.6 * second.before);
  });

  test("a pinned message stays in the plan, and goes again when it is unpinned", async () => {
    await page.getByLabel("Only what changed").check();
    const row = page
      .locator(".pair.is-removed, .pair.is-changed")
      .filter({ has: page.locator(".pin") })
      .first();
    const name = (await row.locator(".pin").getAttribute("aria-label"))!;
    await row.locator(".pin").click();
    await eventually(() => page.locator(".preview-state").textContent()).toMatch(
      /^Planned.*1 pinned message/,
    );
    expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Unpin all (1)" }).click();
    await page.getByRole("button", { name, exact: true }).waitFor();
    await page.getByLabel("Only what changed").uncheck();
  });

  test("a hand-off that was rewritten is applied after a question, and the compaction is undone after another", async () => {
    const before = (await archive.compactions!("coding-session")).length;
    await moveTarget(40);
    await planned();
    await page.getByRole("button", { name: "Edit the hand-off" }).click();
    const editor = page.getByRole("textbox", { name: "Text of the hand-off" });
    const text = await editor.inputValue();
    await editor.fill(text.replace("\n", "\nMind the walrus.\n"));
    await page.getByRole("button", { name: "Use this text" }).click();
    await eventually(() => page.locator(".preview-state").textContent()).toContain("your own hand-off");

    await page.getByRole("button", { name: "Apply …" }).click();
    const question = page.getByRole("dialog");
    await question.getByRole("button", { name: "Cancel" }).waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect(await archive.compactions!("coding-session")).toHaveLength(before);
    await page.getByRole("button", { name: "Apply …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Apply", exact: true }).click();
    await page.getByRole("heading", { name: "Compaction", exact: true }).waitFor();
    await page.getByText("Mind the walrus.").first().waitFor();
    expect(await archive.compactions!("coding-session")).toHaveLength(before + 1);

    await page.getByRole("button", { name: "Undo …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("undone", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: /^Open compaction .*, undone$/ }).count()).toBe(1);
  });
});
