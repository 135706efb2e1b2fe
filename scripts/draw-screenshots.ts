/**
 * Draws docs/images/inspector-*.png: every view of the inspector in Chromium, light and dark, wide and narrow. On the shipped
 * example, and on recorded conversations where there are some.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launchChromium } from "../test/inspector/chromium.ts";
import { livedArchive } from "../test/inspector/lived-archive.ts";
import { compactionRoute, conversationRoute, visit } from "../test/inspector/visit.ts";
import { projectRoot } from "./listed-tests.ts";
import { smallPng } from "./small-png.ts";

const conversation = "coding-session";
const sizes = { "": { width: 1280, height: 800 }, "-narrow": { width: 360, height: 740 } };

const browser = await launchChromium();
const archive = await livedArchive({ most: 12 });
const compaction = (await archive.compactions!(conversation))[0]!.id;

interface View {
  readonly route: string;
  /** What must be there before the picture is taken. */
  readonly ready: string;
  /** Done before it is taken. */
  readonly before?: (page: Page) => Promise<unknown>;
}

const views: Readonly<Record<string, View>> = {
  conversations: { route: "#/", ready: "tbody a" },
  conversation: { route: conversationRoute(conversation), ready: ".row .side" },
  compaction: {
    route: compactionRoute(compaction),
    ready: ".pair .side",
    before: async (page) => {
      // On a narrow screen the hand-off stands below the rows, out of sight.
      if (page.viewportSize()!.width > 1000) await page.locator(".line.sourced").nth(3).hover();
    },
  },
  cut: {
    route: compactionRoute(compaction),
    ready: ".pair .side",
    before: async (page) => {
      await page.locator(".pair-open").nth(6).click();
      await page.locator("dialog pre").first().waitFor();
    },
  },
  change: { route: conversationRoute(conversation, "change"), ready: ".pair .pin" },
  search: {
    route: "#/search?q=MSIX+installer+upgrade&role=assistant",
    ready: ".result",
    before: async (page) => {
      await page.locator(".result-open").first().click();
      await page.locator(".result pre").first().waitFor();
    },
  },
  money: { route: conversationRoute(conversation, "money"), ready: ".plots canvas" },
};

for (const colorScheme of ["light", "dark"] as const) {
  for (const [suffix, viewport] of Object.entries(sizes)) {
    const here = await visit(
      browser,
      { archive, readOnly: false, title: "archive.sqlite" },
      { colorScheme, viewport },
    );
    for (const [name, { route, ready, before }] of Object.entries(views)) {
      await here.goTo(route);
      await here.page.locator(ready).first().waitFor();
      await here.page.getByText("Still running").waitFor({ state: "detached" });
      await here.page.mouse.move(0, 0);
      await before?.(here.page);
      await here.page.waitForLoadState("networkidle");
      const path = join(projectRoot, `docs/images/inspector-${name}-${colorScheme}${suffix}.png`);
      writeFileSync(path, smallPng(await here.page.screenshot({ animations: "disabled" })));
      await here.page.keyboard.press("Escape");
    }
    await here.end();
  }
}
await browser.close();
