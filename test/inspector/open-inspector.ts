/** openInspector: an archive of lived conversations, shown in Chromium while the tests of a block run. */
import { beforeAll } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { launchChromium } from "./chromium.ts";
import { livedArchive } from "./lived-archive.ts";
import { type Visit, visit } from "./visit.ts";

export interface OpenInspector extends Visit {
  readonly archive: Archive;
}

/** It is there when the tests begin, and in every `beforeAll` that stands below. */
export function openInspector(lived: Parameters<typeof livedArchive>[0]): OpenInspector {
  const opened = {} as OpenInspector;
  beforeAll(async () => {
    const [browser, archive] = await Promise.all([launchChromium(), livedArchive(lived)]);
    Object.assign(opened, await visit(browser, { archive, readOnly: false }), { archive });
    return async () => {
      await opened.end();
      await browser.close();
    };
  });
  return opened;
}
