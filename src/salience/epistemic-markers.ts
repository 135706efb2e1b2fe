/** Epistemic markers: the words by which a reasoner doubts, turns round and checks. They carry more than their length says. */
import { splitCode } from "./code-blocks.ts";
import { splitSentences } from "./sentences.ts";

/** Five groups of phrases; case does not matter, word bounds do. */
export const EPISTEMIC_MARKERS: readonly (readonly string[])[] = [
  ["wait", "hmm", "actually", "hm", "ah"],
  ["let me reconsider", "on second thought", "I was wrong"],
  ["perhaps", "alternatively", "I'm not sure", "uncertain"],
  ["check", "verify", "double-check", "let me verify"],
  ["but wait", "actually no", "hold on"],
];

export type Complexity = "simple" | "medium" | "complex" | "epic";

/** How many of the five groups occur: `"wait wait"` → 1, `"But wait"` → 2. */
export function countEpistemicMarkers(text: string): number {
  return GROUP_PATTERNS.reduce((count, pattern) => count + (pattern.test(text) ? 1 : 0), 0);
}

/** The phrases that occur, as the table spells them, in order of their first place, each once. */
export function markerPhrases(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [phrase] of text.matchAll(ANY_MARKER)) found.add(SPELLING.get(plain(phrase)) ?? phrase);
  return [...found];
}

/** The sentences of the prose that hold a marker, verbatim. */
export function markerSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const segment of splitCode(text)) {
    if (segment.kind === "code") continue;
    for (const { start, end } of splitSentences(segment.text)) {
      const sentence = segment.text.slice(start, end);
      if (countEpistemicMarkers(sentence) > 0) sentences.push(sentence);
    }
  }
  return sentences;
}

/**
 * From how many groups on a message is kept verbatim: 3, or 1 where the task is complex. An agent that deliberates or
 * speaks at length is treated as if its task were complex.
 */
export function markerThreshold(
  complexity?: Complexity,
  {
    deliberative = false,
    verbose = false,
  }: { readonly deliberative?: boolean; readonly verbose?: boolean } = {},
): number {
  return deliberative || verbose || complexity === "complex" || complexity === "epic" ? 1 : 3;
}

/** What stands for messages whose markers could not be kept in place: `[Archived 8 messages. Uncertainty points preserved: "wait"]` */
export function markerAnnotation(archivedMessages: number, phrases: readonly string[]): string {
  if (phrases.length === 0) return `[Archived ${archivedMessages} messages.]`;
  const quoted = phrases.slice(0, ANNOTATED_PHRASES).map((phrase) => `"${phrase}"`);
  if (phrases.length > ANNOTATED_PHRASES) quoted.push("...");
  return `[Archived ${archivedMessages} messages. Uncertainty points preserved: ${quoted.join(", ")}]`;
}

const ANNOTATED_PHRASES = 20;

const plain = (phrase: string) => phrase.toLowerCase().replace("’", "'");
const alternatives = (phrases: readonly string[]) =>
  [...phrases]
    .sort((a, b) => b.length - a.length)
    .join("|")
    .replaceAll("'", "['’]");

const GROUP_PATTERNS = EPISTEMIC_MARKERS.map((group) => new RegExp(`\\b(?:${alternatives(group)})\\b`, "i"));
/** Longest first: "but wait" is one phrase, not "wait". */
const ANY_MARKER = new RegExp(`\\b(?:${alternatives(EPISTEMIC_MARKERS.flat())})\\b`, "gi");
const SPELLING = new Map(EPISTEMIC_MARKERS.flat().map((phrase) => [plain(phrase), phrase]));
