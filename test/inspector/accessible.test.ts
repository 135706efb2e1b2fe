import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { scriptedSummarizer } from "../../src/testing/scripted-summarizer.ts";
import { chromiumRuns, launchChromium } from "./chromium.ts";
import { eventually } from "./eventually.ts";
import { livedArchive } from "./lived-archive.ts";
import { compactionRoute, conversationRoute, type Visit, visit } from "./visit.ts";

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe finds, as `rule: element`; nothing is let pass, whatever its weight. Only colours differ in the dark. */
async function faultsIn(page: Page, colorScheme: "light" | "dark"): Promise<readonly string[]> {
  const rules = colorScheme === "dark" ? { runOnly: ["color-contrast"] } : {};
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  return page.evaluate(`axe.run(${JSON.stringify({ resultTypes: ["violations"], ...rules })}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`);
}

describe.runIf(await chromiumRuns())("the inspector for everybody, in Chromium", () => {
  let browser: Browser;
  let archive: Archive;

  beforeAll(async () => {
    const summarizer = scriptedSummarizer([
      { text: "The agent looked at /etc/made-up.conf and dropped MSI." },
    ]);
    [browser, archive] = await Promise.all([launchChromium(), livedArchive({ most: 1, summarizer })]);
  });
  afterAll(() => browser.close());

  for (const colorScheme of ["light", "dark"] as const) {
    test(`axe finds no fault in any view, ${colorScheme}`, async () => {
      const here = await visit(browser, { archive, readOnly: false }, { colorScheme });
      const { page } = here;
      const [first] = await archive.compactions!("coding-session");
      const steps: Readonly<Record<string, () => Promise<unknown>>> = {
        list: () => page.locator("tbody a").first().waitFor(),
        conversation: () => open(here, conversationRoute("coding-session"), ".row .side"),
        message: () => click(page, ".row .side", "dialog pre"),
        compaction: () => open(here, compactionRoute(first!.id), ".pair"),
        row: () => click(page, ".pair-open", "dialog pre"),
        ledger: () => page.getByRole("tab", { name: "Ledger" }).click(),
        audit: () => page.getByRole("tab", { name: "Audit" }).click(),
        question: () => page.getByRole("button", { name: "Undo …" }).click(),
        change: () => open(here, conversationRoute("coding-session", "change"), ".pair .pin"),
        editor: () => page.getByRole("button", { name: "Edit the hand-off" }).click(),
        search: () => open(here, "#/search?q=MSIX", ".result"),
        expanded: () => click(page, ".result-open", ".result pre"),
        money: () => open(here, conversationRoute("coding-session", "money"), "tbody tr"),
      };
      for (const [step, take] of Object.entries(steps)) {
        await take();
        expect([step, ...(await faultsIn(page, colorScheme))]).toEqual([step]);
        if ((await page.getByRole("dialog").count()) > 0) await page.keyboard.press("Escape");
      }
      await here.end();
    });
  }

  test("the page is used by the keyboard alone", async () => {
    const here = await visit(browser, { archive, readOnly: false });
    const { page } = here;
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await page.locator("tbody a").first().focus();
    const [first, second] = await page.locator("tbody a").allTextContents();
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe(second ?? first);
    await page.keyboard.press("ArrowUp");
    expect(await focused()).toBe(first);
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Everything that was said" }).focus();
    await page.locator(".row .side").first().waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toMatch(/^#0/);
    await page.keyboard.press("End");
    await eventually(focused).toMatch(/^#\d\d+/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await eventually(focused).toMatch(/^#\d\d+/);
    await here.end();
  });

  test("dark or light is as the system says until it is chosen, and the choice is kept", async () => {
    const here = await visit(browser, { archive, readOnly: false }, { colorScheme: "dark" });
    const theme = () => here.page.locator("html").getAttribute("data-theme");
    expect(await theme()).toBe("dark");
    await here.page.getByRole("button", { name: "Light" }).click();
    expect(await theme()).toBe("light");
    await here.page.reload();
    await here.page.getByRole("main").waitFor();
    expect(await theme()).toBe("light");
    await here.end();
  });

  test("nothing stands over the edge at 360 pixels, nor at 4K", async () => {
    for (const [width, height] of [
      [360, 740],
      [3840, 2160],
    ] as const) {
      const here = await visit(browser, { archive, readOnly: false }, { viewport: { width, height } });
      const [first] = await archive.compactions!("coding-session");
      const routes = [
        ["#/", "tbody a"],
        [conversationRoute("coding-session"), ".row .side"],
        [compactionRoute(first!.id), ".pair"],
        [conversationRoute("coding-session", "change"), ".pair"],
        ["#/search?q=MSIX", ".result"],
      ] as const;
      for (const [route, there] of routes) {
        await open(here, route, there);
        const over = await here.page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect([route, over]).toEqual([route, 0]);
      }
      await here.end();
    }
  });
});

async function open(here: Visit, route: string, there: string): Promise<void> {
  await here.goTo(route);
  await here.page.locator(there).first().waitFor();
}

async function click(page: Page, what: string, there: string): Promise<void> {
  await page.locator(what).first().click();
  await page.locator(there).first().waitFor();
}
