/** How much a sentence is worth keeping: where it is, what it names, how long it is. */
import { countEpistemicMarkers } from "../synthorg/epistemic-markers.ts";

/** Each one that a sentence holds, in any case and inside other words too, is worth `KEY_TERM_SCORE`. */
export const KEY_TERMS: readonly string[] = [
  "error",
  "fail",
  "success",
  "complete",
  "implement",
  "fix",
  "bug",
  "issue",
  "result",
  "output",
  "TODO",
  "FIXME",
  "NOTE",
  "WARNING",
];

export interface ScoreOptions {
  /**
   * Adds points for what a sentence does: decides, concludes, commits, reports, names a file, an address or an error.
   * Change it to keep decisions rather than whatever is first and last.
   * @default false
   */
  readonly additions?: boolean;
  /**
   * A sentence with an epistemic marker ("Wait.") is not noise however short it is.
   * @default false
   */
  readonly markers?: boolean;
}

/**
 * `position` and `total` are those of the full list of sentences, code included: a sentence keeps its place in the
 * message, whatever is left out of the scoring.
 *
 * `scoreSentence("Fix the error now.", 0, 10)` → 2.0 (first) + 1.0 (fix, error) + 0.3 (dense) = 3.3
 */
export function scoreSentence(
  sentence: string,
  position: number,
  total: number,
  { additions = false, markers = false }: ScoreOptions = {},
): number {
  const lower = sentence.toLowerCase();
  let score = positionScore(position, total) + lengthScore(sentence, markers);
  for (const term of LOWER_KEY_TERMS) if (lower.includes(term)) score += KEY_TERM_SCORE;
  if (additions) for (const { pattern, points } of ADDITIONS) if (pattern.test(lower)) score += points;
  return score;
}

const KEY_TERM_SCORE = 0.5;
const LOWER_KEY_TERMS = KEY_TERMS.map((term) => term.toLowerCase());

function positionScore(position: number, total: number): number {
  if (position === 0) return 2;
  if (position === total - 1) return 1.5;
  return position < 3 ? 1 : 0;
}

function lengthScore(sentence: string, markers: boolean): number {
  const { length } = sentence;
  if (length < 10) return markers && countEpistemicMarkers(sentence) > 0 ? 0 : -1;
  if (length < 50) return 0.3;
  return length > 200 ? -0.2 : 0;
}

/** Each kind counts once. Matched against the sentence in lower case. */
const ADDITIONS: readonly { readonly pattern: RegExp; readonly points: number }[] = [
  // Decisions.
  {
    pattern:
      /\b(?:decided|decision|chose|chosen|opted|going with|go with|settled on|instead of|rather than|we'll use|i'll use|let's use|the plan is)\b/,
    points: 2,
  },
  // Conclusions.
  {
    pattern:
      /\b(?:therefore|in conclusion|in summary|to summari[sz]e|conclu\w+|the (?:root )?cause|it turns out|turned out|which means|this means|the problem (?:is|was))\b/,
    points: 1.5,
  },
  // Commitments.
  {
    pattern:
      /\b(?:i will|i'll|we will|we'll|i am going to|i'm going to|going to|next step|next,? i|must|need to|needs to|have to)\b/,
    points: 1.5,
  },
  // Results of actions.
  {
    pattern:
      /\b(?:created|updated|added|removed|deleted|renamed|moved|installed|merged|committed|deployed|passed|passing|works|working now|finished|done|completed|resolved|fixed)\b/,
    points: 1,
  },
  // A file path: folders, or a name with an ending.
  {
    pattern: /(?:^|[\s`"'(])[\w.~@-]{0,80}[/\\][\w.@-]{1,80}|\b[\w-]{1,80}\.[a-z]{1,5}\d?\b(?!\.)/,
    points: 1,
  },
  { pattern: /\bhttps?:\/\/\S/, points: 0.5 },
  // Error words.
  {
    pattern: /\b(?:error|errors|exception|traceback|panic|crash\w*|fail\w*|denied|timed? ?out|not found)\b/,
    points: 1.5,
  },
];
