import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryArchive } from "../../src/archive/memory.ts";
import { chromiumRuns, launchChromium } from "./chromium.ts";
import { eventually } from "./eventually.ts";
import { live } from "./lived-archive.ts";
import { compactionRoute, conversationRoute, type Visit, visit } from "./visit.ts";

const script = '<script>window.broken = 1</script><img src=x onerror="window.broken = 1"><b>bold</b>';
const hostile = [
  script,
  "</script></style>--><!--<svg onload=window.broken=1>",
  `one huge line ${"0123456789".repeat(60_000)}`,
  "right to left: \u202egnp.exe\u202c and עברית العربية",
  "emoji 👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇺🇳 and a lone half \ud83d",
  "NUL \0 bell \u0007 escape \u001b[31mred\u001b[0m delete \u007f",
  "javascript:window.broken=1 {{constructor}} &lt;b&gt;",
];
/** Names are text as well. */
const name = 'x"><script>window.broken=1</script>/..%2f#?&\u202e';

describe.runIf(await chromiumRuns())("hostile content in Chromium", () => {
  let browser: Browser;
  let here: Visit;
  let page: Page;
  let compaction: string;

  beforeAll(async () => {
    browser = await launchChromium();
    const archive = memoryArchive();
    const messages = hostile.flatMap((content, order) => [
      { role: "user", content: `Do step ${order}. ${content}` },
      {
        role: "assistant",
        content,
        tool_calls: [
          {
            id: `c${order}`,
            type: "function",
            function: { name: `<i>tool${order}</i>`, arguments: JSON.stringify({ content }) },
          },
        ],
      },
      { role: "tool", tool_call_id: `c${order}`, content },
      { role: "assistant", content: `Step ${order} is done.` },
    ]);
    await live(archive, { conversation: name, messages, window: 60_000 });
    here = await visit(browser, { archive, readOnly: false });
    page = here.page;
    compaction = (await archive.compactions!(name)).find(({ handOff }) => handOff !== undefined)!.id;
  });
  afterAll(async () => {
    expect(await page.evaluate("window.broken")).toBeUndefined();
    expect(await page.locator("main script, main img, main svg, main i:not(.chip), main b b").count()).toBe(
      0,
    );
    await here.end();
    await browser.close();
  });

  test("names are shown as text", async () => {
    await here.goTo("#/");
    const link = page.locator("tbody th a");
    expect(await link.textContent()).toBe(name.replace("\u202e", "‹U+202E›"));
    await link.click();
    await page.getByRole("heading", { level: 1 }).filter({ hasText: "<script>" }).waitFor();
  });

  test("every message is shown as text, whole or a part at a time", async () => {
    await here.goTo(conversationRoute(name));
    await page.locator(".row .side").first().click();
    const shown = async () => (await page.getByRole("dialog").locator("pre").allTextContents()).join("");
    await eventually(shown).toContain(script);
    for (let message = 0; message < 12; message++) {
      await page.keyboard.press("ArrowRight");
      await page.getByRole("dialog", { name: `Message ${message + 1}`, exact: true }).waitFor();
      await eventually(shown).not.toBe("");
    }
    await page.keyboard.press("Escape");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });

  test("what would not show or would mislead is written out", async () => {
    await here.goTo(conversationRoute(name));
    const list = page.getByRole("region", { name: "Everything that was said" });
    await list.press("End");
    await list.getByText("NUL ␀ bell ␇ escape ␛[31mred␛[0m delete ‹U+007F›").first().waitFor();
    await list.getByText("‹U+202E›gnp.exe‹U+202C› and עברית").first().waitFor();
  });

  test("before and after, the hand-off, and a difference are text", async () => {
    await here.goTo(compactionRoute(compaction));
    await page.locator(".pair").first().waitFor();
    expect(await page.locator(".hand-off, .tab-panel").first().textContent()).toContain("Do step 0.");
    for (const row of await page.locator(".pair.is-changed button, .pair.is-removed button").all()) {
      await row.click();
      await page.getByRole("dialog").locator("pre").first().waitFor();
      await page.keyboard.press("Escape");
    }
  });

  test("a search finds it and shows it as text", async () => {
    await here.goTo("#/search?q=onerror");
    await page.locator(".result").first().waitFor();
    expect(await page.locator(".snippet").first().textContent()).toContain("onerror");
  });
});
