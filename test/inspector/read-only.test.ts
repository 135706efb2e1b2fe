import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumRuns, launchChromium } from "./chromium.ts";
import { livedArchive } from "./lived-archive.ts";
import { compactionRoute, conversationRoute, visit } from "./visit.ts";

describe.runIf(await chromiumRuns())("the read-only inspector in Chromium", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  test("no button changes anything, and the server refuses it as well", async () => {
    const archive = await livedArchive({ most: 0 });
    const here = await visit(browser, { archive, readOnly: true });
    const { page } = here;
    const [first] = await archive.compactions!("coding-session");
    await page.getByText("read-only", { exact: true }).waitFor();
    await here.goTo(compactionRoute(first!.id));
    await page.locator(".pair").first().waitFor();
    expect(await page.getByRole("button", { name: /undo/i }).count()).toBe(0);
    await here.goTo(conversationRoute("coding-session", "change"));
    await page.getByText("can be tried here, but not applied").waitFor();
    await page.locator(".pair").first().waitFor();
    expect(await page.getByRole("button", { name: /^apply/i }).count()).toBe(0);

    const status = (path: string, body: unknown) =>
      page.evaluate<number>(
        `fetch(${JSON.stringify(path)}, { method: "POST", headers: { "content-type": "application/json" },
           body: ${JSON.stringify(JSON.stringify(body))} }).then(({ status }) => status)`,
      );
    expect(await status("api/undo", { compaction: first!.id })).toBe(403);
    expect(await status("api/apply", { conversation: "coding-session", target: "30%" })).toBe(403);
    expect(await archive.compactions!("coding-session")).toHaveLength(2);
    // The browser notes each answer of 403 in its console.
    await here.end({ except: /403/ });
  });
});
