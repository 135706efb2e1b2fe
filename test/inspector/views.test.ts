import { describe, expect, test } from "vitest";
import { chromiumRuns } from "./chromium.ts";
import { eventually } from "./eventually.ts";
import { exampleMessages } from "./lived-archive.ts";
import { openInspector } from "./open-inspector.ts";
import { conversationRoute } from "./visit.ts";

const runs = await chromiumRuns();

describe.runIf(runs)("the views of the inspector in Chromium", () => {
  const here = openInspector({ most: 3 });

  test("all conversations stand in a list that can be sorted and narrowed", async () => {
    const { page } = here;
    await here.goTo("#/");
    const names = page.locator("tbody th a");
    await names.first().waitFor();
    const known = await here.archive.conversations!();
    expect(await names.count()).toBe(known.length);
    await page.getByRole("button", { name: "Messages" }).click();
    const sizes = (await page.locator("tbody td:nth-child(2)").allTextContents()).map(Number);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    await page.getByLabel("Name contains").fill("coding-sess");
    expect(await names.allTextContents()).toEqual(["coding-session"]);
  });

  test("a conversation shows its fill, and a compaction on it opens", async () => {
    const { page } = here;
    await here.goTo(conversationRoute("coding-session"));
    const picture = page.getByRole("img", { name: /Fill over 95 messages/ });
    await picture.waitFor();
    expect(await picture.locator("canvas").count()).toBe(1);
    expect(await page.evaluate("scrollY")).toBe(0);
    await page
      .getByRole("button", { name: /^Open compaction 1: [\d,]+ to [\d,]+ tokens before message/ })
      .click();
    await page.getByRole("heading", { name: "Compaction", exact: true }).waitFor();
    expect(page.url()).toContain("#/compaction/pith%3A");
  });

  test("the view before stays until a conversation's figures are there; where they take long, it says that it loads", async () => {
    const { page } = here;
    await here.goTo("#/");
    await page.locator("tbody th a").first().waitFor();
    const held = Promise.withResolvers<void>();
    await page.route("**/api/conversations/coding-session", async (route) => {
      await held.promise;
      await route.continue();
    });
    const lists = await page.evaluate(`new Promise((resolve) => {
      addEventListener("hashchange", () => setTimeout(() => resolve(document.querySelectorAll("tbody").length)));
      location.hash = ${JSON.stringify(conversationRoute("coding-session"))};
    })`);
    expect(lists).toBe(1);
    await page.getByText("Loading the conversation").waitFor();
    held.resolve();
    await page.getByRole("img", { name: /Fill over 95 messages/ }).waitFor();
    await page.unrouteAll();
  });

  test("a conversation that is left before its figures are there is no longer asked for", async () => {
    const { page } = here;
    await here.goTo("#/");
    await page.locator("tbody th a").first().waitFor();
    await page.route("**/api/conversations/coding-session", () => {});
    const dropped = page.waitForEvent("requestfailed");
    await here.goTo(conversationRoute("coding-session"));
    await here.goTo("#/search");
    expect((await dropped).url()).toMatch(/\/api\/conversations\/coding-session$/);
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    await page.unrouteAll();
  });

  test("every conversation opens, with all its messages in a list of which only the rows in sight are there", async () => {
    const { page } = here;
    for (const { id, messages } of await here.archive.conversations!()) {
      await here.goTo(conversationRoute(id));
      await page.getByRole("heading", { level: 1, name: id }).waitFor();
      const list = page.getByRole("region", { name: "Everything that was said" });
      await list.locator(".side").first().waitFor();
      expect(await list.locator("li").first().getAttribute("aria-setsize")).toBe(String(messages));
      expect(await list.locator("li").count()).toBeLessThan(60);
    }
  });

  test("a row opens the whole message, and the keys lead on", async () => {
    const { page } = here;
    await here.goTo(conversationRoute("coding-session"));
    await page.locator(".row .side").first().click();
    const sheet = page.getByRole("dialog", { name: "Message 0" });
    await eventually(() => sheet.locator("pre").allTextContents()).toEqual([exampleMessages()[0]!.content]);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("dialog", { name: "Message 1" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("what the replay costs is told by strategy, with and without", async () => {
    const { page } = here;
    await here.goTo(conversationRoute("coding-session", "money"));
    await page.getByRole("row", { name: /nothing \(without Pith\)/ }).waitFor();
    await page.getByRole("row", { name: /^balanced / }).waitFor();
    expect(await page.getByRole("img", { name: /^Cost so far/ }).count()).toBe(1);
  });
});
