import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { createCostReader } from "../../src/inspect/cost.ts";
import { exportPage } from "../../src/inspect/export-page.ts";
import { createInspector } from "../../src/inspect/inspector.ts";
import { readPageFiles } from "../../src/inspect/page-files.ts";
import { buildPage } from "./built-page.ts";
import { chromiumRuns, launchChromium } from "./chromium.ts";
import { livedArchive } from "./lived-archive.ts";
import { compactionRoute, conversationRoute } from "./visit.ts";

test.runIf(await chromiumRuns())(
  "an exported page shows every view from a file, and asks nobody",
  async () => {
    await buildPage();
    const archive = await livedArchive({ most: 0 });
    const inspector = createInspector({ archive, title: "archive", version: "0", readOnly: false });
    const folder = mkdtempSync(join(tmpdir(), "pith-export-"));
    const file = join(folder, "page.html");
    const cost = createCostReader({ look: inspector.look });
    writeFileSync(file, await exportPage({ inspector, cost, page: readPageFiles() }));

    const browser = await launchChromium();
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("pageerror", ({ message }) => faults.push(message));
    page.on("request", (request) => !/^(file|data):/.test(request.url()) && faults.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    const goTo = (route: string) => page.evaluate(`location.hash = ${JSON.stringify(route)}`);
    await page.getByRole("link", { name: "coding-session" }).click();
    await page.locator(".row .side").nth(3).click();
    await page.locator("dialog pre").first().waitFor();
    await page.keyboard.press("Escape");
    for (const { id } of await archive.compactions!("coding-session")) {
      await goTo(compactionRoute(id));
      await page.locator(".pair.is-changed button, .pair.is-removed button").first().click();
      await page.locator("dialog pre").first().waitFor();
      await page.keyboard.press("Escape");
    }
    await goTo(conversationRoute("coding-session", "money"));
    await page.getByRole("row", { name: /^balanced / }).waitFor();
    expect(await page.getByRole("link", { name: /search|change it/i }).count()).toBe(0);
    expect(await page.getByRole("button", { name: /apply|undo|pin/i }).count()).toBe(0);
    await browser.close();
    rmSync(folder, { recursive: true });
    expect(faults).toEqual([]);
  },
);
