/** Epistemic markers: the words by which a reasoner doubts, turns round and checks. They carry more than their length says. */

/** Five groups of phrases; case does not matter, word bounds do. */
export const EPISTEMIC_MARKERS: readonly (readonly string[])[] = [
  ["wait", "hmm", "actually", "hm", "ah"],
  ["let me reconsider", "on second thought", "I was wrong"],
  ["perhaps", "alternatively", "I'm not sure", "uncertain"],
  ["check", "verify", "double-check", "let me verify"],
  ["but wait", "actually no", "hold on"],
];

/** How many of the five groups occur: `"wait wait"` → 1, `"But wait"` → 2. */
export function countEpistemicMarkers(text: string): number {
  return GROUP_PATTERNS.reduce((count, pattern) => count + (pattern.test(text) ? 1 : 0), 0);
}

/** The phrases that occur, literally as they first appear, in order, each once: `"Wait. WAIT! I was wrong"` → `Wait`, `I was wrong`. */
export function markerPhrases(text: string): readonly string[] {
  const found = new Map<string, string>();
  for (const [phrase] of text.matchAll(ANY_MARKER)) {
    const key = phrase.toLowerCase().replace("’", "'");
    if (!found.has(key)) found.set(key, phrase);
  }
  return [...found.values()];
}

/** What stands for messages whose markers could not be kept in place: `[Archived 8 messages. Uncertainty points preserved: "wait"]` */
export function markerAnnotation(archivedMessages: number, phrases: readonly string[]): string {
  if (phrases.length === 0) return `[Archived ${archivedMessages} messages.]`;
  const quoted = phrases.slice(0, ANNOTATED_PHRASES).map((phrase) => `"${phrase}"`);
  if (phrases.length > ANNOTATED_PHRASES) quoted.push("...");
  return `[Archived ${archivedMessages} messages. Uncertainty points preserved: ${quoted.join(", ")}]`;
}

const ANNOTATED_PHRASES = 20;

const alternatives = (phrases: readonly string[]) =>
  [...phrases]
    .sort((a, b) => b.length - a.length)
    .join("|")
    .replaceAll("'", "['’]");

const GROUP_PATTERNS = EPISTEMIC_MARKERS.map((group) => new RegExp(`\\b(?:${alternatives(group)})\\b`, "i"));
/** Longest first: "but wait" is one phrase, not "wait". */
const ANY_MARKER = new RegExp(`\\b(?:${alternatives(EPISTEMIC_MARKERS.flat())})\\b`, "gi");
