/** replay: holds a recorded conversation again, request by request, under a strategy and a window. Pure: no clock, no network. */
import { counterForModel } from "../tokens/counter.ts";
import { type Bill, type BilledRequest, billFor } from "./bill.ts";
import type { PriceTables } from "./price-table.ts";
import { createRecallMeter, type RecallCount } from "./recall-meter.ts";
import { appended, type Recording } from "./recording.ts";
import { type CountedRequest, commonPieces, readSent, tokensOfFirst } from "./sent-request.ts";
import type { Setting, Strategy } from "./strategy.ts";

export interface ReplayOptions {
  readonly window: number;
  /** Tokens kept free for the answer; a request that leaves less is refused. @default the smaller of 8,192 and an eighth of the window */
  readonly reserve?: number;
  readonly prices: PriceTables;
  /** Also measure how much of what the agent used it still had in view. @default false */
  readonly recall?: boolean;
  /** Also give each request. @default false */
  readonly eachRequest?: boolean;
}

export interface Replayed {
  readonly strategy: string;
  readonly requests: number;
  /** Requests that did not fit; they are not billed, and the conversation goes on as if they had been answered. */
  readonly failed: number;
  /** Requests in which something changed that had been sent before. */
  readonly compactions: number;
  /** Requests in which that happened though the strategy says that it did nothing: must be 0. */
  readonly brokenPrefixes: number;
  readonly promptTokens: number;
  readonly largestPromptTokens: number;
  readonly outputTokens: number;
  /** By the name of the price table. */
  readonly bills: Readonly<Record<string, Bill>>;
  readonly recall?: RecallCount;
  /** Those that were billed, in order. */
  readonly billed?: readonly BilledRequest[];
}

/** Where a recording has no times, requests are taken to be this far apart: within the life of any cache. */
const idleMs = 30_000;

export async function replay(
  recording: Recording,
  strategy: Strategy,
  options: ReplayOptions,
): Promise<Replayed> {
  const { window, reserve = Math.min(8192, Math.floor(window / 8)), prices } = options;
  const { format, model } = recording;
  const counter = counterForModel(model);
  const setting: Setting = { window, reserve, format, counter, ...(model !== undefined && { model }) };
  const budget = window - reserve;
  const step = strategy.begin(setting);
  const meter = options.recall ? createRecallMeter({ counter, gapTokens: window / 10 }) : undefined;
  const billed: BilledRequest[] = [];
  let [body, now, asked, failed, compactions, brokenPrefixes] = [recording.frame, 0, 0, 0, 0, 0];
  let last: CountedRequest | undefined;
  for (const { added, answer, at = now + idleMs } of recording.exchanges) {
    const idle = asked === 0 ? 0 : at - now;
    now = at;
    asked++;
    body = appended(body, added);
    const moment = { now, isRefused: false, ...(last && { reportedTokens: last.tokens }) };
    let move = await step(body, moment);
    let sent = readSent(move.body, setting);
    if (sent.tokens > budget) {
      const again = await step(move.body, { ...moment, isRefused: true });
      move = { body: again.body, acted: move.acted || again.acted };
      sent = readSent(move.body, setting);
    }
    body = move.body;
    const common = last ? commonPieces(last, sent) : 0;
    const isChanged = last !== undefined && common < last.pieces.length;
    if (isChanged) compactions++;
    if (isChanged && !move.acted) brokenPrefixes++;
    const isRefused = sent.tokens > budget;
    meter?.hear({ added, answer, sent: isRefused ? undefined : sent });
    if (isRefused) failed++;
    else {
      billed.push({
        promptTokens: sent.tokens,
        commonTokens: tokensOfFirst(sent, common),
        outputTokens: counter.message(answer),
        idleMs: idle,
      });
      last = sent;
    }
  }
  const sum = (value: (request: BilledRequest) => number) =>
    billed.reduce((total, request) => total + value(request), 0);
  return {
    strategy: strategy.name,
    requests: asked,
    failed,
    compactions,
    brokenPrefixes,
    promptTokens: sum(({ promptTokens }) => promptTokens),
    largestPromptTokens: billed.reduce((most, { promptTokens }) => Math.max(most, promptTokens), 0),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    bills: Object.fromEntries(Object.entries(prices).map(([name, table]) => [name, billFor(billed, table)])),
    ...(meter && { recall: meter.count() }),
    ...(options.eachRequest && { billed }),
  };
}
