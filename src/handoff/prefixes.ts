/** Prefix registry: the lines that hand-off messages start with, here and in other systems, and how to strip them. */

/** F41: what hermes puts before every summary. */
export const SUMMARY_PREFIX =
  "[CONTEXT COMPACTION] An earlier part of this conversation was summarized to preserve context space. " +
  "Below is the summary — use it to build on the work already done and avoid duplicating effort:";

/** F42: what it put there before. */
export const LEGACY_SUMMARY_PREFIX = "[CONTEXT SUMMARY]:";

/** Closes every hand-off: what follows is the live conversation (R9). */
export const END_MARKER = "[End of hand-off. The conversation goes on below.]";

const prefixes = {
  pith: "[Pith hand-off] What happened earlier, as past reference:",
  factor3: "[SUMMARY]:",
  hermes: SUMMARY_PREFIX,
  synthorg: "[Archived ",
} as const;

export type PrefixName = keyof typeof prefixes;

const recognised: readonly string[] = [...Object.values(prefixes), LEGACY_SUMMARY_PREFIX];

/** The text under a prefix of the registry, any recognised prefix it already had removed (F43). Null-safe. */
export function withPrefix(text: string | null | undefined, name: PrefixName): string {
  const body = stripPrefix((text ?? "").trim());
  // synthorg's prefix opens the sentence that the text summary itself writes.
  if (name === "synthorg") return body;
  return name === "factor3" ? `${prefixes[name]} ${body}` : `${prefixes[name]}\n${body}`;
}

/** Removes a recognised prefix from the start of a text; a synthorg summary is a sentence of its own and stays. */
function stripPrefix(text: string): string {
  const prefix = recognised.find((each) => each !== prefixes.synthorg && text.startsWith(each));
  return prefix === undefined ? text : text.slice(prefix.length).trimStart();
}

/** An earlier hand-off found in a text, and what stands after it. */
export interface FoundHandoff {
  readonly body: string;
  /** What the author of the message said besides: empty when the message is all hand-off. */
  readonly rest: string;
}

/** Recognises a hand-off at the start of a text, whoever's prefix it carries. */
export function findHandoff(text: string): FoundHandoff | undefined {
  const trimmed = text.trimStart();
  if (!recognised.some((prefix) => trimmed.startsWith(prefix))) return undefined;
  const end = trimmed.indexOf(END_MARKER);
  if (end < 0) return { body: stripPrefix(trimmed).trimEnd(), rest: "" };
  return {
    body: stripPrefix(trimmed.slice(0, end)).trimEnd(),
    rest: trimmed.slice(end + END_MARKER.length).trim(),
  };
}
