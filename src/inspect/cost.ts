/** Cost: what a conversation costs with and without Pith, found by holding it again in a thread of its own; kept once found. */
import { startThread } from "../threads/thread.ts";
import { contextBody } from "./context-body.ts";
import type { CostAnswers, CostJob, CostProgress } from "./cost-worker.ts";
import type { Inspector } from "./inspector.ts";
import type { Profile } from "./profile.ts";
import type { Standing } from "./standing.ts";
import type { CostView } from "./views.ts";

/** Gives what is known so far, and goes on finding out. */
export type CostReader = (
  conversation: string,
  wish: { readonly window?: number | undefined },
) => Promise<CostView>;

export interface CostReaderOptions {
  readonly look: Inspector["look"];
  /** So long may one conversation take. @default 120,000 */
  readonly timeoutMs?: number;
}

/** Where nobody knows the model's window. */
const USUAL_WINDOW = 200_000;
/** Answers that are kept. */
const MOST_KEPT = 50;

export function createCostReader({ look, timeoutMs = 120_000 }: CostReaderOptions): CostReader {
  const kept = new Map<string, CostView>();
  /** One thread at a time: two would only take each other's processor. */
  let line: Promise<void> = Promise.resolve();
  return async (conversation, wish) => {
    const { archive, standing, profile, given } = await look(conversation);
    const window = wish.window ?? profile.window ?? USUAL_WINDOW;
    const key = keyOf(standing, profile, window);
    const known = kept.get(key);
    if (known) return known;
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
    const isKnown = wish.window !== undefined || profile.window !== undefined;
    const begun: CostView = {
      state: "running",
      ...(!isKnown && { note: `The model's window is not known; one of ${USUAL_WINDOW} tokens was taken.` }),
      window,
      requests: 0,
      tables: [],
      strategies: [],
    };
    kept.set(key, begun);
    const change = (next: (view: CostView) => CostView): unknown =>
      kept.set(key, next(kept.get(key) ?? begun));
    const begin = async (): Promise<void> => {
      const original = { ...standing, inForce: [] };
      const { body, format } = await contextBody(archive, original, profile.format, given);
      const job: CostJob = { body, format, model: profile.model, window, strategies: strategiesFor(profile) };
      await runJob(job, timeoutMs, (progress) => change((view) => heard(view, progress)));
      change((view) => ({ ...view, state: "done" }));
    };
    line = line.then(begin).catch(({ message }: Error) => {
      change((view) => endedEarly(view, message));
    });
    return begun;
  };
}

/** Without Pith, with it as it was set, with it as it comes, and what most programs do. */
function strategiesFor({ preset }: Profile): readonly string[] {
  const own = preset.split("+")[0]!;
  return [...new Set(["nothing", own === "synthorg-agent" ? "synthorg" : own, "balanced", "keep-recent"])];
}

function keyOf({ conversation, said }: Standing, { preset, model }: Profile, window: number): string {
  return JSON.stringify([conversation, said.length, said.at(-1)?.id, window, preset, model]);
}

function heard(view: CostView, message: CostProgress): CostView {
  return message.type === "begun"
    ? { ...view, requests: message.requests, tables: message.tables }
    : { ...view, strategies: [...view.strategies, message.cost] };
}

/** What is there is worth showing, and says what it is of. */
function endedEarly(view: CostView, reason: string): CostView {
  return { ...view, state: view.strategies.length > 0 ? "done" : "failed", note: reason };
}

/** Rejects with why the rest was not found. */
async function runJob(
  job: CostJob,
  timeoutMs: number,
  hear: (progress: CostProgress) => void,
): Promise<void> {
  const thread = startThread<CostAnswers>(import.meta.url, "cost-worker");
  const tooLong = `The rest was left out: it took longer than ${Math.round(timeoutMs / 1000)} seconds.`;
  const timer = setTimeout(() => void thread.terminate(tooLong), timeoutMs).unref();
  try {
    await thread.ask("replay", job, { hear });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
