/** Shapes old tool results by their type: what is shown of how much, and how to get the rest. */
import type { Marks } from "../../archive/marks.ts";
import { callsById, type Message, withParts } from "../../conversation/message.ts";
import type { ToolCallPart, ToolResultPart } from "../../conversation/part.ts";
import type { ToolOutput } from "../../conversation/tool-output.ts";
import { fitText } from "../../shapes/fit-text.ts";
import type { ShapeContext, Shaped } from "../../shapes/shape.ts";
import { shapeToolResult } from "../../shapes/shape-tool-result.ts";
import type { TokenCounter } from "../../tokens/token-counter.ts";
import type { Edit } from "../plan.ts";
import { pointedAt } from "./drop-duplicates.ts";
import type { Stage } from "./stage.ts";

export const shapeToolResults: Stage = {
  name: "shape-tool-results",
  propose(messages, { policy, counter, editable, tokensToSave, marks }) {
    const rule = policy.shape;
    if (!rule) return [];
    const calls = callsById(messages);
    const visible = pointedAt(messages);
    const candidates = messages.filter(
      (message) => editable.has(message.position) && counter.message(message) >= rule.minTokens,
    );
    if (rule.order === "largest-first") candidates.sort((a, b) => counter.message(b) - counter.message(a));
    const edits: Edit[] = [];
    let saved = 0;
    for (const message of candidates) {
      if (saved >= tokensToSave) break;
      const options = { calls, counter, minTokens: rule.minTokens, visible, marks };
      const shaped = shapeResultsOf(message, { ...options, tokensToSave: tokensToSave - saved });
      if (!shaped) continue;
      saved += counter.message(message) - counter.message(shaped.message);
      edits.push({
        kind: "replace",
        position: message.position,
        message: shaped.message,
        reason: `tool result shaped as ${shaped.kinds.join(", ")}`,
      });
    }
    return edits;
  },
};

export interface ShapeMessageOptions {
  readonly calls: ReadonlyMap<string, ToolCallPart>;
  readonly counter: TokenCounter;
  readonly minTokens: number;
  /** Ids of results that must stay as they are. */
  readonly visible: ReadonlySet<string>;
  readonly marks?: Marks | undefined;
  /** A result that is large enough to give this much alone gives no more. */
  readonly tokensToSave?: number;
}

/** The message with its large results shaped; undefined when none could be. */
export function shapeResultsOf(
  message: Message,
  { calls, counter, minTokens, visible, marks, tokensToSave = Number.POSITIVE_INFINITY }: ShapeMessageOptions,
): { readonly message: Message; readonly kinds: readonly string[] } | undefined {
  const kinds: string[] = [];
  const parts = message.parts.map((part) => {
    if (part.type !== "tool-result" || part.server || visible.has(part.pairId)) return part;
    const size = sizeOf(part, counter);
    if (size < minTokens) return part;
    const output = outputOf(part, calls);
    const context = { counter, handle: marks?.text(part.text) };
    const least = leastOf(part, output, context);
    if (!least) return part;
    const enough = size - tokensToSave - SLACK_TOKENS;
    const isEnough = enough > counter.text(least.text) + SLACK_TOKENS;
    const shaped = isEnough ? shapedTo(output, enough, context) : least;
    kinds.push(shaped.kind);
    return { ...part, text: shaped.text };
  });
  return kinds.length > 0 ? { message: withParts(message, parts), kinds } : undefined;
}

/** A result with the call that it answers. */
export function outputOf(
  { pairId, text, isError }: ToolResultPart,
  calls: ReadonlyMap<string, ToolCallPart>,
): ToolOutput {
  const call = calls.get(pairId);
  return { text, isError, toolName: call?.name ?? "", toolArguments: call?.arguments ?? "" };
}

/** Every compaction of a conversation asks for the same results again: a long text is looked up by a hash of all of it. */
const sizeBy = new WeakMap<ToolResultPart, { readonly counter: TokenCounter; readonly tokens: number }>();

function sizeOf(part: ToolResultPart, counter: TokenCounter): number {
  let size = sizeBy.get(part);
  if (size?.counter !== counter) {
    size = { counter, tokens: counter.text(part.text) };
    sizeBy.set(part, size);
  }
  return size.tokens;
}

interface Least extends ShapeContext {
  readonly output: ToolOutput;
  readonly shaped: Shaped | undefined;
}

/** The same for the least that is told of each. */
const leastBy = new WeakMap<ToolResultPart, Least>();

function leastOf(part: ToolResultPart, output: ToolOutput, context: ShapeContext): Shaped | undefined {
  const { counter, handle } = context;
  const known = leastBy.get(part);
  const isSame =
    known?.counter === counter &&
    known.handle === handle &&
    known.output.toolName === output.toolName &&
    known.output.toolArguments === output.toolArguments;
  if (isSame) return known.shaped;
  const shaped = shapeToolResult(output, context);
  leastBy.set(part, { counter, handle, output, shaped });
  return shaped;
}

/** In the room that is enough; where the kind would tell much less than that, line by line. */
export function shapedTo(output: ToolOutput, maxTokens: number, context: ShapeContext): Shaped {
  const shaped = shapeToolResult(output, { ...context, maxTokens });
  if (shaped && context.counter.text(shaped.text) >= maxTokens * FILLED) return shaped;
  return { kind: "text", text: fitText(output.text, maxTokens, context) };
}

const FILLED = 0.8;

/** Counts differ by a few tokens where texts are joined. */
const SLACK_TOKENS = 8;
