/** Compacts a recording again and again as it grows, message by message, and checks each result against what is promised. */

import { looped } from "../eval/recordings/looped.ts";
import { isHandoffMessage } from "../src/conversation/handoffs/separate.ts";
import { textOfMessage } from "../src/conversation/message.ts";
import { endsInFlight } from "../src/conversation/turn.ts";
import { type CompactionState, createCompactor } from "../src/index.ts";
import { readConversation } from "../src/providers/detect.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { signedTokens, signs } from "./planner-signs.ts";
import type { Recording } from "./recordings.ts";
import { newWireFaults } from "./wire-faults.ts";

export interface Run {
  readonly keepsState: boolean;
  readonly compactions: number;
  /** The window, as a share of the recording. */
  readonly share: number;
}

export interface Compacted {
  /** One sentence each; none when every promise is kept. */
  readonly faults: readonly string[];
  /** Tokens after the first and the last ten compactions, and the share of the conversation that they freed; means. */
  readonly tokens: readonly [first: number, last: number];
  readonly freed: readonly [first: number, last: number];
}

const counter = createTokenCounter();

export async function compactManyTimes(
  recording: Recording,
  { keepsState, compactions: wanted, share }: Run,
): Promise<Compacted> {
  const { id, format, messages } = recording;
  const faults: string[] = [];
  const whole = readConversation(messages, { format });
  const instructions = whole.messages.filter(({ role }) => role === "system");
  // A system prompt does not shrink: the window is what there is beside it.
  const window =
    Math.max(8000, Math.ceil(counter.conversation(whole) * share)) +
    instructions.reduce((sum, message) => sum + counter.message(message), 0);
  const budget = window - Math.min(8192, Math.floor(window / 8));
  let now = 0;
  const archive = keepsState ? {} : signs.toKnowAgain();
  const compactor = createCompactor({ format, window, clock: () => now, ...archive });
  const bound = new Set<string>();
  const sizes: number[] = [];
  const freed: number[] = [];
  let target = 0;
  let state: CompactionState | undefined;
  let body: readonly unknown[] = [];
  for (const next of looped(messages)) {
    now += 10_000;
    body = [...body, next];
    const before = readConversation(body, { format });
    for (const line of signs.laidDown(before.messages)) bound.add(line);
    if (before.messages.at(-1)!.role === "assistant" || endsInFlight(before.messages)) continue;
    const say = (fault: string) => faults.push(`${id}, compaction ${sizes.length}: ${fault}`);
    const given = body;
    const result = await compactor.compact(given, keepsState && state ? { state } : {});
    const { report, messages: output } = result;
    state = JSON.parse(JSON.stringify(result.state)) as CompactionState;
    body = output as readonly unknown[];
    if (report.error) say(report.error.message);
    for (const fault of newWireFaults(format, given, body)) say(fault);
    const after = readConversation(body, { format });
    const size = counter.conversation(after);
    // Thinking that nobody may edit can alone be larger than so small a window.
    if (size > budget && signedTokens(after.messages) <= budget)
      say(`${size} tokens are over the budget of ${budget} (${report.reason})`);
    if (!report.compacted) continue;
    // What the model looks at comes on top, and so does thinking that nobody may edit.
    const inView = (report.inViewTokens ?? 0) + signedTokens(after.messages);
    sizes.push(size - inView);
    target = report.targetTokens!;
    freed.push(1 - (report.tokensAfter - inView) / report.tokensBefore);
    const text = after.messages.map(textOfMessage).join("\n");
    for (const line of signs.owedRules([...bound], target))
      if (!text.includes(line)) say(`a constraint is gone: ${line}`);
    for (const line of signs.rules(after.messages))
      if (!bound.has(line)) say(`no constraint of the user's: ${line}`);
    for (const line of signs.owedAsk(before.messages, target))
      if (!text.includes(line)) say(`the latest ask is gone: ${line}`);
    const handoffs = after.messages.filter(isHandoffMessage);
    if (handoffs.length > 1) say(`${handoffs.length} hand-offs`);
    if (isHandoffMessage(after.messages.at(-1)!) && !signs.mayEndInHandoff(before.messages, target))
      say("the hand-off alone is the active turn");
    // A threshold asks for the nearest size that can be had: no less than what cannot shrink.
    if (report.tokensAfter - inView > Math.max(report.targetTokens!, signs.floor(before)))
      say(`${report.tokensAfter} tokens are over the target of ${report.targetTokens}`);
    const again = await compactor.compact(body, keepsState ? { state } : {});
    if (again.messages !== body) say("what was just compacted is compacted again");
    if (sizes.length === wanted) break;
  }
  const tokens = [mean(sizes.slice(0, 10)), mean(sizes.slice(-10))] as const;
  const shares = [mean(freed.slice(0, 10)), mean(freed.slice(-10))] as const;
  if (sizes.length < wanted) faults.push(`${id}: only ${sizes.length} compactions`);
  if (shares[1] < shares[0] * 0.8) faults.push(`${id}: freed ${shares[0]} at first, ${shares[1]} in the end`);
  // A story takes what room it is given: only beyond that it grows.
  if (tokens[1] > Math.max(tokens[0], target) * 1.1)
    faults.push(`${id}: prompts grew from ${tokens[0]} to ${tokens[1]} tokens`);
  return { faults, tokens, freed: shares };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
