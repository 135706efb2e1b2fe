/** A visit: the inspector on an archive, opened in Chromium; whatever the browser complains of is noted. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { InspectorOptions } from "../../src/inspect/inspector.ts";
import { serveInspector } from "../../src/inspect/serve.ts";
import { buildPage } from "./built-page.ts";

/** What is shown, and whether it may be changed. */
export type Shown = Pick<InspectorOptions, "archive" | "readOnly"> & Partial<InspectorOptions>;

export interface Visit {
  readonly page: Page;
  /** Goes to a view by its address after `#`. */
  readonly goTo: (route: string) => Promise<void>;
  /** Errors and warnings of the console, exceptions, requests to other hosts, and what the server complains of. */
  readonly faults: readonly string[];
  /** Throws where there were faults. */
  readonly end: (allowed?: { readonly except: RegExp }) => Promise<void>;
}

export async function visit(
  browser: Browser,
  shown: Shown,
  context: BrowserContextOptions = {},
): Promise<Visit> {
  await buildPage();
  const faults: string[] = [];
  const log = (line: string) => void faults.push(line);
  const server = await serveInspector({ title: "archive", version: "0", port: 0, log, ...shown });
  const { origin } = new URL(server.url);
  const page = await (
    await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...context })
  ).newPage();
  page.setDefaultTimeout(15_000);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith("data:"))
      faults.push(`asked ${request.url()}`);
  });
  await page.goto(server.url);
  await page.getByRole("main").waitFor();
  return {
    page,
    faults,
    goTo: async (route) => {
      await page.evaluate(`location.hash = ${JSON.stringify(route)}`);
    },
    end: async ({ except } = { except: /^$/ }) => {
      await page.context().close();
      await server.stop();
      const left = faults.filter((fault) => !except.test(fault));
      if (left.length > 0) throw new Error(left.join("\n"));
    },
  };
}

/** `#/conversation/NAME/change` */
export function conversationRoute(id: string, part = ""): string {
  return `#/conversation/${encodeURIComponent(id)}${part && `/${part}`}`;
}

export function compactionRoute(id: string): string {
  return `#/compaction/${encodeURIComponent(id)}`;
}
