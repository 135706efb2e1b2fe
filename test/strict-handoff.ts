/**
 * A strict reader of hand-offs that shares nothing with the engine's: it breaks lines wherever any program would, and takes for a heading,
 * a marker or a label whatever a reader might.
 */

const STORY = "Story so far";

export const HEADINGS = [
  "Archive",
  STORY,
  "State: rules and wishes of the user, later ones win",
  "State: todo list",
  "State: failures not overcome",
  "State: files changed, not committed",
  "State: last checks",
  "State: doubts",
  "State: instructions no longer in view",
];

/** How the story says who speaks. */
export const LABELS = ["User:", "Agent:", "Answer:", "Summary by a model:", "Earlier summary:"];
/** Labels that others use. */
const ROLES = ["assistant:", "system:", "tool:", "skill:"];
export const STANDINGS = [
  "(answered)",
  "(interrupted by the user)",
  "(no closing words)",
  "(open)",
  "(under way: its ask is below)",
  "(goes on below)",
  "(open; goes on below)",
];

export interface ReadLine {
  /** The heading that it stands under; none above the first. */
  readonly section: string | undefined;
  /** In the story, the label that was last: a line belongs to whoever speaks; `deed` where it tells what was done. */
  readonly voice: string | undefined;
  readonly line: string;
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
  let voice: string | undefined;
  let turn = -1;
  if (/[^\P{Cc}\t\n\r]/u.test(handoff)) faults.push("a control character");
  if (!prefix.test(written[0]!)) faults.push(`opens with ${JSON.stringify(written[0])}`);
  if (written.at(-1) !== "[End of hand-off]") faults.push(`ends with ${JSON.stringify(written.at(-1))}`);
  for (const [at, line] of written.slice(0, -1).entries()) {
    // The factor3 prefix shares a line with what comes first.
    const own = at === 0 ? line.replace(prefix, "").trim() : line;
    const seenAs = visible(own);
    if (/^\[ ?end ?of ?hand/.test(seenAs)) faults.push(`an end marker: ${own}`);
    if (at > 0 && /^\[ ?(?:pith ?hand|context ?(?:compaction|summary)|summary)/.test(seenAs))
      faults.push(`a prefix: ${own}`);
    if (at > 0 && section !== "State: doubts" && /^\[ ?archived/.test(seenAs))
      faults.push(`a prefix: ${own}`);
    const heading = headingIn(seenAs);
    if (heading !== undefined) {
      if (seen.has(heading)) faults.push(`a second heading: ${own}`);
      if (own !== `## ${heading}`) faults.push(`an odd heading: ${own}`);
      seen.add(heading);
      section = heading;
      voice = undefined;
      continue;
    }
    const number = section === STORY ? /^\[(\d+)\] /.exec(own) : null;
    if (number) {
      if (Number(number[1]) <= turn) faults.push(`a turn told again: ${own}`);
      turn = Number(number[1]);
      voice = undefined;
    }
    const told = number ? own.slice(number[0].length) : own;
    const label = section === STORY ? LABELS.find((each) => told.startsWith(`${each} `)) : undefined;
    if (label === undefined && !FIELD.test(told) && opensLikeTurn(visible(told)))
      faults.push(`a label: ${own}`);
    if (section === STORY && STANDINGS.includes(told)) {
      if (voice === undefined && !(number && told === ASK_BELOW))
        faults.push(`a second end of a turn: ${own}`);
      voice = undefined;
      continue;
    }
    if (label !== undefined) voice = label;
    else if (
      section === STORY &&
      (/^(?:→|✗|\$|Changed:|Done:|Done until here:) /.test(told) || told === ASK_IN_VIEW)
    )
      voice = "deed";
    else if (section === STORY && voice === undefined) faults.push(`a line of nobody: ${own}`);
    lines.push({ section, voice, line: own });
  }
  return { lines, faults };
}

const ASK_IN_VIEW = "(on an ask that is still in view)";
const ASK_BELOW = "(under way: its ask is below)";

/** A field in code. */
const FIELD = /^[ \t]+[A-Za-z]+:[ \t].*[,;{([]\s*$/;

/** A label, with or without a turn's number before it, and not a name such as `agent:next`. */
function opensLikeTurn(seenAs: string): boolean {
  const label = seenAs.replace(/^\[ ?\d+ ?\] ?/, "").replace(/ (?=:)/, "");
  return [...LABELS, ...ROLES].some(
    (each) => label.startsWith(each.toLowerCase()) && !/^[a-z0-9_=./'"`]/.test(label.slice(each.length)),
  );
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
