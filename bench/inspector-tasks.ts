/** The longest task of the inspector's page while somebody uses it, one thing after the other. */
import type { Browser, Page } from "playwright-core";
import { compactionRoute, conversationRoute, type Visit } from "../test/inspector/visit.ts";

export interface LongestTask {
  /** Milliseconds that the page's thread computed, and during what. */
  readonly computedMs: number;
  readonly during: string;
  /** The longest that the page itself observed: by the clock, whatever else the machine did. */
  readonly observedMs: number;
}

interface Subject {
  readonly conversation: string;
  readonly compaction: string;
}

export async function longestTask(
  browser: Browser,
  here: Visit,
  { conversation, compaction }: Subject,
): Promise<LongestTask> {
  const { page, goTo } = here;
  const uses: Readonly<Record<string, () => Promise<unknown>>> = {
    "opening the overview": () => open(here, conversationRoute(conversation), ".row .side"),
    "moving over the timeline": () => sweep(page),
    "choosing a place on it": () => page.locator(".u-over").click(),
    "scrolling the messages": () => scroll(page),
    "opening a message": () => click(page, ".row .side", "dialog pre"),
    "closing it": () => page.keyboard.press("Escape"),
    "changing the theme": () => page.getByRole("button", { name: "Dark" }).click(),
    "opening the compaction": () => open(here, compactionRoute(compaction), ".pair .side"),
    "scrolling before and after": () => scroll(page),
    "resting on the hand-off": () => page.locator(".line.sourced").first().hover(),
    "showing only what changed": () => page.getByLabel("Only what changed").check(),
    "opening a cut": () => click(page, ".pair-open", "dialog pre"),
    "closing the cut": () => page.keyboard.press("Escape"),
    "reading the ledger": () => page.getByRole("tab", { name: "Ledger" }).click(),
    "going back": () => goTo("#/"),
  };
  await page.evaluate(`window.longTasks = []; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  }).observe({ type: "longtask" })`);
  let longest = { computedMs: 0, during: "" };
  for (const [during, use] of Object.entries(uses)) {
    await browser.startTracing(page, { categories: ["toplevel"] });
    await use();
    await page.waitForTimeout(300);
    const computedMs = longestIn(await browser.stopTracing());
    if (computedMs > longest.computedMs) longest = { computedMs, during };
  }
  return { ...longest, observedMs: Math.max(0, ...(await page.evaluate<number[]>("longTasks"))) };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds that the thread computed. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** The longest task of a page's main thread, in milliseconds that it computed: what else the machine does changes them little. */
function longestIn(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(thread),
  );
  const tasks = traceEvents.filter((event) => event.name.endsWith("RunTask") && pages.has(thread(event)));
  if (tasks.length === 0) throw new Error("The browser's trace has no task of the page.");
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur), 0) / 1000;
}

async function open({ page, goTo }: Visit, route: string, there: string): Promise<void> {
  await goTo(route);
  await page.locator(there).first().waitFor();
}

async function click(page: Page, what: string, there: string): Promise<void> {
  await page.locator(what).first().click();
  await page.locator(there).first().waitFor();
}

async function sweep(page: Page): Promise<void> {
  const { x, y, width } = (await page.locator(".u-over").boundingBox())!;
  for (let step = 0; step <= 60; step++) await page.mouse.move(x + (width * step) / 60, y + 40);
}

async function scroll(page: Page): Promise<void> {
  await page.locator(".virtual").hover();
  for (let step = 1; step <= 40; step++) await page.mouse.wheel(0, step * 400);
}
