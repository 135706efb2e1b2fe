/** Offloading: a huge tool result goes to the archive when it arrives; the context gets its head, tail, outline and id. */
import type { Archive } from "./archive/archive.ts";
import { createMarks, type Marks } from "./archive/marks.ts";
import { callsById, withParts } from "./conversation/message.ts";
import type { ToolResultPart } from "./conversation/part.ts";
import { lastAnswer, type Occasion } from "./occasion.ts";
import { applyEdits } from "./plan/apply-edits.ts";
import { countedTokens } from "./plan/counted-tokens.ts";
import { type Edit, emptyPlan, type Plan } from "./plan/plan.ts";
import type { Policy } from "./policy/policy.ts";
import { maskText } from "./redact/mask-json.ts";
import type { ToolOutput } from "./shapes/shape.ts";
import { shapeToolResult } from "./shapes/shape-tool-result.ts";
import type { TokenCounter } from "./tokens/token-counter.ts";
import { reach } from "./write-ahead.ts";

/** What stands in the context for an offloaded result, at most. */
const SHOWN_TOKENS = 2_000;

/** The plan that offloads what has never been sent, so that no cached prefix is touched; no steps where nothing is huge. */
export function planOffload({ conversation, counter, policy, marks }: Occasion): Plan {
  const { messages } = conversation;
  const tokensBefore = countedTokens(messages, counter, messages);
  const plan = {
    ...emptyPlan(policy.name),
    targetTokens: tokensBefore,
    tokensBefore,
    tokensAfter: tokensBefore,
  };
  const limit = policy.offloadOver;
  if (!marks || limit === undefined || !policy.enabled) return plan;
  const calls = callsById(messages);
  const edits = messages.slice(lastAnswer(conversation)).flatMap((message): readonly Edit[] => {
    const parts = message.parts.map((part) => {
      if (part.type !== "tool-result" || part.server || !isOver(part.text, limit, counter)) return part;
      const call = calls.get(part.pairId);
      return { ...part, text: offloaded(maskedOutput(outputOf(part, call)), counter, marks) };
    });
    if (message.pinned || parts.every((part, at) => part === message.parts[at])) return [];
    const reason = "offloaded to the archive when it arrived";
    return [{ kind: "replace", position: message.position, message: withParts(message, parts), reason }];
  });
  if (edits.length === 0) return plan;
  const tokensAfter = countedTokens(applyEdits(messages, edits), counter, messages);
  const step = { stage: "shape-tool-results", edits, tokensBefore, tokensAfter } as const;
  return { ...plan, tokensAfter, steps: [step], passes: 1 };
}

export interface Receiving {
  readonly policy: Policy;
  readonly counter: TokenCounter;
  readonly archive: Archive | undefined;
  readonly conversation: string | undefined;
  readonly at: number;
}

/** A tool's output as it should enter the conversation. Throws ArchiveError when what it leaves out could not be kept. */
export async function receiveOutput(given: ToolOutput, receiving: Receiving): Promise<string> {
  const { policy, counter, archive, at } = receiving;
  if (!policy.enabled) return given.text;
  const marks = archive && createMarks();
  const isHuge = marks && policy.offloadOver !== undefined && isOver(given.text, policy.offloadOver, counter);
  const output = isHuge || (marks && policy.shapeOnArrival) ? maskedOutput(given) : given;
  const text = isHuge
    ? offloaded(output, counter, marks)
    : policy.shapeOnArrival
      ? shapeToolResult(output, { counter, handle: marks?.text(output.text) })?.text
      : undefined;
  if (text === undefined || text === output.text) return given.text;
  if (archive && marks) {
    const items = [...marks.items.values()];
    const conversation = receiving.conversation ?? items[0]!.id.replace("pith:", "c-");
    await reach(archive, () => archive.put({ conversation, at, items }));
  }
  return text;
}

function offloaded(output: ToolOutput, counter: TokenCounter, marks: Marks): string {
  const handle = marks.text(output.text);
  return shapeToolResult(output, { counter, handle, maxTokens: SHOWN_TOKENS })?.text ?? output.text;
}

/** What is cut out of it is cut out of this, so that nothing of a secret is left. */
function maskedOutput(output: ToolOutput): ToolOutput {
  return { ...output, text: maskText(output.text).text };
}

/** A token has at least a character: most results need no count. */
function isOver(text: string, tokens: number, counter: TokenCounter): boolean {
  return text.length > tokens && counter.text(text) > tokens;
}

function outputOf(
  { text, isError }: ToolResultPart,
  call: { readonly name: string; readonly arguments: string } | undefined,
): ToolOutput {
  return { text, isError, toolName: call?.name ?? "", toolArguments: call?.arguments ?? "" };
}
