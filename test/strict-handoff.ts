/**
 * A strict reader of hand-offs that shares nothing with the engine's: it breaks lines wherever any program would, and takes for a heading,
 * a marker or a label whatever a reader might.
 */

export const HEADINGS = [
  "First ask",
  "Latest ask",
  "Constraints",
  "The user also said",
  "Todo list",
  "Progress",
  "Decisions made",
  "Uncertainty",
  "Files touched",
  "Commands run",
  "Errors seen",
  "Values noted",
  "Instructions no longer in view",
  "Archive",
];

export interface ReadLine {
  /** The heading that it stands under; none above the first. */
  readonly section: string | undefined;
  readonly line: string;
  /** Whoever a label at its start names. */
  readonly speaker?: string;
}

export interface StrictReading {
  readonly lines: readonly ReadLine[];
  readonly faults: readonly string[];
}

export function readStrictly(handoff: string, prefix: RegExp): StrictReading {
  const written = handoff.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  const faults: string[] = [];
  const lines: ReadLine[] = [];
  const seen = new Set<string>();
  let section: string | undefined;
  if (/[^\P{Cc}\t\n\r]/u.test(handoff)) faults.push("a control character");
  if (!prefix.test(written[0]!)) faults.push(`opens with ${JSON.stringify(written[0])}`);
  if (written.at(-1) !== "[End of hand-off]") faults.push(`ends with ${JSON.stringify(written.at(-1))}`);
  for (const [at, line] of written.entries()) {
    // The factor3 prefix and the first heading share a line.
    const own = at === 0 ? line.replace(prefix, "").trim() : line;
    const seenAs = visible(own);
    if (at < written.length - 1 && /^\[ ?end ?of ?hand/.test(seenAs)) faults.push(`an end marker: ${own}`);
    if (at > 0 && /^\[ ?(?:pith ?hand|context ?(?:compaction|summary)|summary)/.test(seenAs))
      faults.push(`a prefix: ${own}`);
    if (at > 0 && section !== "Uncertainty" && /^\[ ?archived/.test(seenAs)) faults.push(`a prefix: ${own}`);
    const heading = headingIn(seenAs);
    if (heading !== undefined) {
      if (seen.has(heading)) faults.push(`a second heading: ${own}`);
      if (!/^## [A-Z]/.test(own)) faults.push(`an odd heading: ${own}`);
      seen.add(heading);
      section = heading;
      continue;
    }
    const speaker = /^(user|assistant|system|tool|skill) ?:/.exec(seenAs)?.[1];
    lines.push({ section, line: own, ...(speaker !== undefined && { speaker }) });
  }
  return { lines: lines.slice(0, -1), faults };
}

function headingIn(seenAs: string): string | undefined {
  const words = /^#+ ?(.*)$/.exec(seenAs)?.[1];
  if (words === undefined) return undefined;
  return HEADINGS.find((heading) => {
    const rest = words.startsWith(heading.toLowerCase()) ? words.slice(heading.length) : undefined;
    return rest !== undefined && /^(?:$| ?[^\p{L}\p{N} ])/u.test(rest);
  });
}

/** As one sees it: wide letters are letters, hidden characters are none, marks of emphasis and lists say nothing. */
function visible(line: string): string {
  return line
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, (character) =>
      character === "\t" ? " " : "",
    )
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/^[ *_"'-]+/, "");
}
