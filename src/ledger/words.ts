/** Words: what a text says that a ledger keeps. Read once for each text: every later compaction asks again. */
import type { ReasoningPart, TextPart } from "../conversation/part.ts";
import { endsOf, proseIn } from "../reading/calls/said.ts";
import { decisionsIn } from "./decisions.ts";
import { doubtsIn } from "./doubts.ts";
import type { LedgerDraft } from "./draft.ts";
import { putFact } from "./recent-facts.ts";
import { valueKey } from "./value-key.ts";
import { type Value, valuesInProse } from "./values.ts";

export interface ReadWords {
  readonly decisions: readonly string[];
  readonly doubts: readonly string[];
  readonly values: readonly Value[];
}

/** Of a longer text only the ends are read for what was said. */
export const MAX_PROSE = 40_000;

const memo = new WeakMap<TextPart | ReasoningPart, ReadWords>();

/** What the assistant said or thought; values are not taken from mere thoughts. */
export function wordsOf(part: TextPart | ReasoningPart): ReadWords {
  let words = memo.get(part);
  if (!words) {
    const prose = proseIn(endsOf(part.text, MAX_PROSE));
    const values = part.type === "text" ? valuesInProse(prose.text) : [];
    words = { decisions: decisionsIn(prose), doubts: doubtsIn(prose), values };
    memo.set(part, words);
  }
  return words;
}

export function noteWords(draft: LedgerDraft, { decisions, doubts, values }: ReadWords): void {
  const at = draft.messages;
  for (const text of decisions) putFact(draft.decisions, text, { text, role: "assistant", at });
  for (const text of doubts) putFact(draft.doubts, text, { text, role: "assistant", at });
  noteValues(draft, values);
}

export function noteValues(draft: LedgerDraft, values: readonly Value[]): void {
  for (const { key, value } of values) {
    putFact(draft.values, valueKey(key), { key, value, at: draft.messages });
  }
}
