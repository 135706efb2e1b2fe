/** applyEditedPlan: carries out a plan that was kept, and perhaps changed by hand, on the conversation it was made for. */
import { isDeepStrictEqual } from "node:util";
import type { ArchiveItem } from "../archive/archive.ts";
import type { Marks } from "../archive/marks.ts";
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { withoutThoughts } from "../conversation/thoughts.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import { applyEdits } from "../plan/apply-edits.ts";
import { checkFingerprints } from "../plan/apply-plan.ts";
import { countedTokens } from "../plan/counted-tokens.ts";
import { originalsNamed } from "../plan/originals-named.ts";
import type { Edit, Plan, PlanStep } from "../plan/plan.ts";
import { carriedOut } from "./compact-occasion.ts";
import type { Occasion } from "./occasion.ts";
import type { Result } from "./result.ts";

const REASON = "A plan that was made before was applied.";

/** Throws PlanStaleError when the conversation is another one, and CompactionError when nothing would be saved. */
export function applyEditedPlan(input: unknown, given: Plan, occasion: Occasion): Result {
  checkFingerprints(occasion.conversation, given);
  const plan = measured(given, occasion);
  if (plan.tokensAfter >= plan.tokensBefore) {
    throw new CompactionError(
      "COMPACTION_FAILED",
      `The plan would make ${plan.tokensAfter} tokens of ${plan.tokensBefore}: there is nothing to gain. The original stays.`,
    );
  }
  return carriedOut(input, occasion, plan, REASON, () => {});
}

/** The plan with what its steps save now, and with the originals of the messages that it replaces beside them. */
function measured(plan: Plan, { conversation, counter, marks }: Occasion): Plan {
  const { messages } = conversation;
  const tokensBefore = countedTokens(messages, counter, messages);
  let current = messages;
  let tokens = tokensBefore;
  const steps = plan.steps.map((step): PlanStep => {
    const edits = step.edits.map((edit) => besideOriginal(edit, messages));
    current = applyEdits(current, edits);
    const tokensAfter = countedTokens(current, counter, messages);
    const after = { stage: step.stage, edits, tokensBefore: tokens, tokensAfter };
    tokens = tokensAfter;
    return after;
  });
  const originals = marks ? originalsTouched({ ...plan, steps }, messages, marks) : [];
  return { ...plan, steps, originals, tokensBefore, tokensAfter: tokens };
}

/** A plan that is applied later has copies of the originals: it is the very ones that are written back. */
function besideOriginal(edit: Edit, messages: readonly Message[]): Edit {
  const original = edit.kind === "replace" ? messages[edit.position] : undefined;
  if (edit.kind !== "replace" || !original?.raw) return edit;
  const parts = ownParts(edit.message.parts, original.parts);
  return { ...edit, message: { ...edit.message, parts, raw: original.raw, changed: true } };
}

/** The original's own parts in place of those that say the very same: what is signed must be the one that was signed. */
function ownParts(parts: readonly Part[], originals: readonly Part[]): readonly Part[] {
  const left = [...originals];
  // From the end: of pictures, which look alike here, it is the last that stay.
  const own = parts.toReversed().map((part) => {
    const at = left.findLastIndex((original) => isDeepStrictEqual(original, part));
    return at < 0 ? part : left.splice(at, 1)[0]!;
  });
  return own.toReversed();
}

/** Of all that the plan may name, the texts of the messages that it touches and the span of its hand-off, what it does name. */
function originalsTouched(
  { steps, span }: Plan,
  messages: readonly Message[],
  marks: Marks,
): readonly ArchiveItem[] {
  for (const edit of steps.flatMap(({ edits }) => edits)) {
    const message = edit.kind === "insert" ? undefined : messages[edit.position];
    if (!message) continue;
    marks.message(message);
    for (const signedToo of [true, false]) {
      const { thoughts } = withoutThoughts(message, signedToo);
      if (thoughts !== undefined) marks.text(thoughts);
    }
    for (const part of message.parts) {
      if (part.type === "text" || part.type === "tool-result") marks.text(part.text);
      if (part.type === "tool-call") for (const text of textsOf(part.arguments)) marks.text(text);
    }
  }
  if (span) {
    const there = span.positions.flatMap((position) => messages[position] ?? []);
    marks.span(there, span.turns);
  }
  return originalsNamed(steps, marks, span);
}

/** The JSON text itself, and the strings in it that are long enough to have been left out. */
function textsOf(json: string): readonly string[] {
  const long: string[] = [json];
  try {
    JSON.parse(json, (_key, value: unknown) => {
      if (typeof value === "string" && value.length > 50) long.push(value);
      return value;
    });
  } catch {
    // What is no JSON is left out whole or not at all.
  }
  return long;
}
