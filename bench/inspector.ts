/**
 * The inspector in Chromium on a conversation of a million tokens: how soon its overview is painted, against parsing its
 * file in the same browser, and the longest task of its page while somebody uses it.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { memoryArchive } from "../src/archive/memory.ts";
import { createCompactor } from "../src/compactor.ts";
import { importSession } from "../src/inspect/import-session.ts";
import { readConversation } from "../src/providers/detect.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { chromiumRuns, launchChromium } from "../test/inspector/chromium.ts";
import { conversationRoute, type Visit, visit } from "../test/inspector/visit.ts";
import { type Bar, bar, median } from "./bar.ts";
import { longConversation } from "./corpus.ts";
import { longestTask } from "./inspector-tasks.ts";

const conversation = "a million tokens";
const rounds = 7;
/** A task of the page that takes longer is felt. */
const LONGEST_TASK_MS = 100;

export async function benchInspector(): Promise<Bar[]> {
  if (!(await chromiumRuns())) return [];
  const messages = await millionTokens();
  const archive = memoryArchive();
  const session = {
    conversation,
    body: messages,
    format: "openai-chat",
    pins: [],
    problems: [],
    at: Date.now(),
  };
  const given = await importSession(archive, session);
  const compactor = createCompactor({ archive, window: 1_000_000 });
  const { report } = await compactor.compact(messages, { conversationId: conversation });
  if (report.error) throw report.error;
  const browser = await launchChromium();
  try {
    const here = await visit(browser, { archive, readOnly: false, given });
    await here.page.locator(".row .side").first().waitFor();
    const first = await paintMs(here);
    const paint = median([first, ...(await repeated(() => paintMs(here)))]);
    const text = JSON.stringify(messages);
    const reading = await readingMs(browser, text);
    const longest = await longestTask(browser, here, { conversation, compaction: report.compaction! });
    await here.end();
    return [
      bar(
        "inspector: first paint",
        paint / reading.parser,
        2,
        `${paint.toFixed(0)} ms (the first time ${first.toFixed(0)}) against ${reading.parser.toFixed(0)} ms to parse ` +
          `${(text.length / 1e6).toFixed(1)} MB (${reading.all.toFixed(0)} with fetching it), ${messages.length} messages`,
      ),
      bar(
        "inspector: longest task",
        longest.computedMs / LONGEST_TASK_MS,
        1,
        `${longest.computedMs.toFixed(0)} ms computed (${longest.during}), at most ${LONGEST_TASK_MS}; ` +
          `by the clock ${longest.observedMs.toFixed(0)} ms`,
      ),
    ];
  } finally {
    await browser.close();
  }
}

/** Recorded sessions one after the other, each message cut where that gives about 200 tokens to a message. */
async function millionTokens() {
  const recorded = await longConversation((soFar) => soFar.length >= 5000);
  const messages = recorded.map((message) =>
    typeof message.content === "string" ? { ...message, content: message.content.slice(0, 2000) } : message,
  );
  const tokens = createTokenCounter().conversation(readConversation(messages));
  if (tokens < 1_000_000) throw new Error(`The conversation has only ${tokens} tokens.`);
  return messages;
}

/** From the choice in the list until the frame with the timeline is done. */
async function paintMs({ page, goTo }: Visit): Promise<number> {
  await goTo("#/");
  await page.locator("tbody a").first().waitFor();
  return page.evaluate<number>(`new Promise((resolve) => {
    const start = performance.now();
    const painted = () => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - start);
      port2.postMessage(0);
    });
    const seen = new MutationObserver(() => {
      if (!document.querySelector(".plot canvas") || !document.querySelector(".legend")) return;
      seen.disconnect();
      painted();
    });
    seen.observe(document.body, { subtree: true, childList: true });
    location.hash = ${JSON.stringify(conversationRoute(conversation))};
  })`);
}

/** The file from a server on this machine, as the overview's figures are, until it is a value; and the parser's part of that. */
async function readingMs(browser: Browser, text: string): Promise<{ all: number; parser: number }> {
  const server = createServer(({ url }, answer) => answer.end(url === "/file" ? text : ""));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const [all, parser] = [
    "await (await fetch('file', { cache: 'no-store' })).json()",
    "JSON.parse(window.text)",
  ].map(
    (work) => () =>
      page.evaluate<number>(`(async () => {
      window.text ??= await (await fetch("file")).text();
      const start = performance.now();
      ${work};
      return performance.now() - start;
    })()`),
  );
  const measured = { all: median(await repeated(all!)), parser: median(await repeated(parser!)) };
  await page.close();
  server.close();
  return measured;
}

async function repeated(measure: () => Promise<number>): Promise<readonly number[]> {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await measure());
  return measured;
}
