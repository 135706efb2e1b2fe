import { expect, test } from "vitest";
import { chromiumRuns, launchChromium } from "./chromium.ts";
import { exampleMessages, live, livedArchive } from "./lived-archive.ts";
import { visit } from "./visit.ts";

test.runIf(await chromiumRuns())(
  "a conversation that begins while the list is open comes into it",
  async () => {
    const archive = await livedArchive({ most: 0 });
    const browser = await launchChromium();
    const here = await visit(browser, { archive, readOnly: true, live: true });
    const names = here.page.locator("tbody th a");
    await names.first().waitFor();
    expect(await names.allTextContents()).toEqual(["coding-session"]);
    await live(archive, { conversation: "begun later", messages: exampleMessages().slice(0, 20) });
    await here.page.getByRole("link", { name: "begun later" }).waitFor();
    await here.end();
    await browser.close();
  },
);
