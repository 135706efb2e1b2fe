/** Offloading: what is done to tool results that are new, where no compaction is due or before they enter a conversation. */

import type { Archive } from "../archive/archive.ts";
import { createMarks } from "../archive/marks.ts";
import { writeTo } from "../archive/ready-write.ts";
import type { ToolOutput } from "../conversation/tool-output.ts";
import { countedTokens } from "../plan/counted-tokens.ts";
import { originalsNamed } from "../plan/originals-named.ts";
import { emptyPlan, type Plan } from "../plan/plan.ts";
import type { Policy } from "../policy/policy.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { arrivalStep, arrivedText } from "./arrivals.ts";
import { lastAnswer } from "./observation.ts";
import type { Occasion } from "./occasion.ts";
import { reach } from "./write-ahead.ts";

/** The plan of what is done on arrival alone, where no compaction is due; without steps where that is nothing. */
export function planArrivals(occasion: Occasion): Plan {
  const { conversation, counter, policy, goal } = occasion;
  const { messages } = conversation;
  // What was sent before stays, so that no cached prefix is touched.
  const unsent = goal.act ? [] : messages.slice(lastAnswer(conversation));
  const step = policy.shapeOnArrival
    ? occasion.arrived
    : arrivalStep(occasion, unsent, "offloaded to the archive when it arrived");
  const came = () => (goal.act ? countedTokens(messages, counter, messages) : occasion.tokens);
  const tokensBefore = step?.tokensBefore ?? came();
  const tokensAfter = step?.tokensAfter ?? tokensBefore;
  const plan = { ...emptyPlan(policy.name), targetTokens: tokensBefore, tokensBefore, tokensAfter };
  if (!step) return plan;
  const steps = [step];
  return { ...plan, steps, originals: originalsNamed(steps, occasion.marks), passes: 1 };
}

export interface Receiving {
  readonly policy: Policy;
  readonly counter: TokenCounter;
  readonly archive: Archive | undefined;
  readonly conversationId: string | undefined;
  readonly at: number;
}

/** A tool's output as it should enter the conversation. Throws ArchiveError when what it leaves out could not be kept. */
export async function receiveOutput(given: ToolOutput, receiving: Receiving): Promise<string> {
  const { policy, counter, archive, at } = receiving;
  if (!policy.enabled) return given.text;
  const marks = archive && createMarks();
  const text = arrivedText(given, { policy, counter, marks });
  if (text === undefined) return given.text;
  if (archive && marks) {
    const items = [...marks.items.values()];
    const conversation = receiving.conversationId ?? items[0]!.id.replace("pith:", "c-");
    await reach(archive, () => writeTo(archive, { conversation, at, items }));
  }
  return text;
}
