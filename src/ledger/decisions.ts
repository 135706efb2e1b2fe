/** Decisions: the sentences in which the assistant settles on something or finds a cause, verbatim. */
import { type Prose, shortLine } from "../reading/calls/said.ts";

export function decisionsIn({ text, sentences }: Prose): readonly string[] {
  if (!DECISION.test(text)) return [];
  const found: string[] = [];
  for (const sentence of sentences()) {
    if (!DECISION.test(sentence) || sentence.length < MIN_CHARS || sentence.endsWith("?")) continue;
    found.push(shortLine(sentence, MAX_CHARS));
    if (found.length === MAX_PER_MESSAGE) break;
  }
  return found;
}

const MIN_CHARS = 16;
const MAX_CHARS = 300;
/** A message that decides more than this is a list of options. */
const MAX_PER_MESSAGE = 8;

/** Case is spelled out, and each way starts at a word: this runs over every word that the assistant says. */
const DECISION = new RegExp(
  `\\b(?:${[
    "(?:I|[Ww]e)(?:['’]ll| will| am going to|['’]m going to|['’]re going to) (?:use|go with|keep|switch|stick|take|avoid|skip|leave|drop|follow|rely|store|treat)\\b",
    "(?:I|[Ww]e)(?:['’]ve| have)? (?:decided|chose|chosen|opted|concluded|settled|picked|switched)\\b",
    "[Ll]et(?:['’]s| me) (?:use|go with|switch|stick|keep|avoid)\\b",
    "[Dd]ecision:|[Gg]oing with\\b|[Oo]pt(?:ed|ing) for\\b|[Ii]nstead of\\b|[Rr]ather than\\b|[Cc]aused? (?:is|was|by)\\b",
    "[Tt]he (?:best|right|simplest|cleanest) (?:approach|way|fix|solution|option) is\\b",
    "[Tt]he (?:real |actual |main )?(?:problem|issue|bug|culprit|reason|fix) (?:is|was)\\b",
    "[Tt]urns out\\b|[Tt]his means\\b|[Cc]onclusion:|[Ii]n conclusion\\b|[Ss]o the (?:answer|fix|solution)\\b",
    "(?:I|[Ww]e)\\b[^.!?\\n]{1,200}\\bbecause\\b",
  ].join("|")})`,
);
