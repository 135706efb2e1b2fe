/** Prefix registry: the lines that hand-off messages start with, here and in other systems, and how to strip them. */

/** F41: what hermes puts before every summary. */
export const SUMMARY_PREFIX =
  "[CONTEXT COMPACTION] An earlier part of this conversation was summarized to preserve context space. " +
  "Below is the summary — use it to build on the work already done and avoid duplicating effort:";

/** F42: what it put there before. */
export const LEGACY_SUMMARY_PREFIX = "[CONTEXT SUMMARY]:";

/** Closes every hand-off (R9): what is below it is the live conversation. */
export const END_MARKER = "[End of hand-off]";

const prefixes = {
  pith: "[Pith hand-off] Past reference:",
  factor3: "[SUMMARY]:",
  hermes: SUMMARY_PREFIX,
  /** It opens the sentence that the text summary itself writes. */
  synthorg: /^\[Archived \d+ messages\./,
} as const;

export type PrefixName = keyof typeof prefixes;

/** What may be taken off a text's start; a synthorg summary is a sentence of its own and stays whole. */
const strippable: readonly string[] = [
  prefixes.pith,
  prefixes.factor3,
  prefixes.hermes,
  LEGACY_SUMMARY_PREFIX,
];

/** By these alone a line may be taken for the first of a hand-off. */
export const PREFIX_OPENINGS: readonly string[] = [
  ...strippable.map((prefix) => prefix.slice(0, prefix.indexOf("]") + 1)),
  "[Archived ",
];

/** The text under a prefix of the registry, any recognised prefix it already had removed (F43). Null-safe. */
export function withPrefix(text: string | null | undefined, name: PrefixName): string {
  const body = stripPrefix((text ?? "").trim());
  if (name === "synthorg") return body;
  return name === "factor3" ? `${prefixes[name]} ${body}` : `${prefixes[name]}\n${body}`;
}

function stripPrefix(text: string): string {
  const prefix = strippable.find((each) => text.startsWith(each));
  return prefix === undefined ? text : text.slice(prefix.length).trimStart();
}

/** An earlier hand-off found in a text, and what is after it. */
export interface FoundHandoff {
  /** The hand-off itself, with its prefix and its end marker. */
  readonly framed: string;
  readonly body: string;
  /** What the author of the message said besides: empty when the message is all hand-off. */
  readonly rest: string;
}

/** Recognises a hand-off at the start of a text, whoever's prefix it carries. Only a line that starts with the end marker ends it. */
export function findHandoff(text: string): FoundHandoff | undefined {
  if (!mayOpenWithBracket(text)) return undefined;
  const trimmed = text.trimStart();
  if (!opensHandoff(trimmed)) return undefined;
  const end = trimmed.indexOf(`\n${END_MARKER}`);
  if (end < 0) return { framed: trimmed, body: stripPrefix(trimmed).trimEnd(), rest: "" };
  const after = end + 1 + END_MARKER.length;
  return {
    framed: trimmed.slice(0, after),
    body: stripPrefix(trimmed.slice(0, end)).trimEnd(),
    rest: trimmed.slice(after).trim(),
  };
}

/** F88: how a summary opens that another implementation of Factor 3 put at the beginning of a conversation. */
const PLAIN_SUMMARY = "Summary: ";

/** Such a summary is a whole message: anybody else's words may open alike. */
export function plainSummary(text: string): FoundHandoff | undefined {
  if (!text.startsWith(PLAIN_SUMMARY)) return undefined;
  return { framed: text, body: text.slice(PLAIN_SUMMARY.length).trim(), rest: "" };
}

/** Whether a text may open with a bracket after space, as every prefix does: what is asked of every message must cost next to nothing. */
function mayOpenWithBracket(text: string): boolean {
  const first = text.charCodeAt(0);
  const isPlain = first > 0x20 && first < 0x7f;
  return !isPlain || first === BRACKET;
}

const BRACKET = "[".charCodeAt(0);

function opensHandoff(text: string): boolean {
  return strippable.some((prefix) => text.startsWith(prefix)) || prefixes.synthorg.test(text);
}
