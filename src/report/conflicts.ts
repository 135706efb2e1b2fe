/** Conflicts: things the user said that cannot both hold. Finds few and plain ones; a false alarm costs a question. */
import { pastedIn } from "../engine/digest.ts";
import type { Reading, Utterance } from "../engine/reading.ts";
import { markEnd, splitSentences } from "../text/sentences.ts";

/** A sentence and the message it is in, by its place in the list. */
export interface SaidSentence {
  readonly position: number;
  readonly text: string;
}

export interface Conflict {
  readonly kind: "opposite" | "two values";
  readonly earlier: SaidSentence;
  readonly later: SaidSentence;
}

/**
 * "Always use tabs." against a later "Never use tabs.", "Set the timeout to 30." against "The timeout must be 60.".
 * Of several about the same thing the newest pair is given.
 */
export function findConflicts(readings: readonly Reading[]): readonly Conflict[] {
  const last = new Map<string, { value: string; said: SaidSentence }>();
  const conflicts = new Map<string, Conflict>();
  readings.forEach(({ words }, position) => {
    for (const { kind, about, value, text } of words.flatMap(claimsIn)) {
      const said = { position, text };
      const key = `${kind} ${about}`;
      const earlier = last.get(key);
      if (earlier && earlier.value !== value)
        conflicts.set(key, { kind, earlier: earlier.said, later: said });
      last.set(key, { value, said });
    }
  });
  return [...conflicts.values()];
}

interface Claim {
  readonly kind: Conflict["kind"];
  readonly about: string;
  readonly value: string;
  /** The sentence. */
  readonly text: string;
}

/** Only what a person typed and did not paste. */
function claimsIn({ speaker, text }: Utterance): readonly Claim[] {
  if (speaker !== "person" || !mayClaim.test(text)) return [];
  const claims: Claim[] = [];
  let at = 0;
  for (const { from, to } of [...pastedIn(text), { from: text.length, to: text.length }]) {
    addClaims(text.slice(at, from), claims);
    at = to;
  }
  return claims;
}

/** Longer sentences say more than one thing; reading them as a rule would be guessing. */
const longestRule = 200;

function addClaims(prose: string, claims: Claim[]): void {
  if (!mayClaim.test(prose)) return;
  for (const { start, end } of splitSentences(prose)) {
    if (end - start > longestRule) continue;
    const sentence = prose.slice(start, end);
    const claim = mayClaim.test(sentence) && claimOf(sentence.slice(markEnd(sentence, 0)));
    if (claim) claims.push(claim);
  }
}

/** Every claim has one of these; most that is said has none, and need not be looked at closely. A sentence may open after a `_`. */
const mayClaim =
  /(?<![a-z\d])(?:(?:set|always|never|do\s+not|don['’]t|must|mustn['’]t)\s|(?:should|has\s+to|needs\s+to)\s+be\s)/i;

const rule =
  /^(?:please,? |you |we |and |but )*(always|never|do not|don['’]t|must not|mustn['’]t|must) (.{3,120})$/i;
const setting = /^(?:please,? )?set (?:the )?(.{1,40}?) to (.{1,40})$/i;
const requirement = /^(?:the )?(.{1,40}?) (?:must|should|has to|needs to) be (?:set to )?(.{1,40})$/i;

function claimOf(sentence: string): Claim | undefined {
  const text = sentence
    .replace(/\s+/g, " ")
    .replace(/[.!]+$/, "")
    .trim();
  const value = setting.exec(text) ?? requirement.exec(text);
  if (value) {
    const about = plain(value[1]!);
    if (about === "" || about.split(" ").length > 4 || startsVaguely.test(about)) return undefined;
    return { kind: "two values", about, value: plain(value[2]!), text: sentence };
  }
  const found = rule.exec(text);
  if (!found) return undefined;
  // What follows a comma is a reason or a second rule: "always use tabs, we agreed on it".
  const about = plain(found[2]!.split(/[,;(]/)[0]!);
  const wanted = /^(?:always|must)$/i.test(found[1]!);
  return about === ""
    ? undefined
    : { kind: "opposite", about, value: wanted ? "do" : "do not", text: sentence };
}

/** "It must be 5" and "that should be done": about what, only the sentence before knows. */
const startsVaguely =
  /^(?:it|this|that|these|those|they|there|he|she|you|we|everything|all|what|which|who|i)(?: |$)/;

function plain(words: string): string {
  return words
    .toLowerCase()
    .replace(/["'’`*_]/g, "")
    .replace(/\b(?:the|a|an|any) /g, "")
    .trim();
}
