/**
 * A strict reader of hand-offs that shares nothing with the engine's: it breaks lines wherever any program would, and takes for a heading,
 * a marker or a label whatever a reader might.
 */

const STORY = "Story so far";
const RULES = "State: rules and wishes of the user, later ones win";

export const HEADINGS = [
  "Archive",
  STORY,
  RULES,
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

/** Whose words a line is in: `done` is what was called and what it printed, `summary` the sentence that is all of a text summary. */
export type Voice =
  | "person"
  | "agent"
  | "done"
  | "program"
  | "state"
  | "model"
  | "earlier"
  | "summary"
  | "frame";

export interface ReadLine {
  /** Nobody's where a line stands without a label. */
  readonly voice: Voice | undefined;
  readonly line: string;
}

/** Whose words stand after a label. */
const VOICES: Readonly<Record<string, Voice>> = {
  "User:": "person",
  "Agent:": "agent",
  "Answer:": "agent",
  "Summary by a model:": "model",
  "Earlier summary:": "earlier",
};

/** Whose words stand under a heading; above the first, a text summary. */
function voiceUnder(section: string | undefined): Voice | undefined {
  if (section === undefined) return "summary";
  if (section === STORY) return undefined;
  if (section === "Archive") return "frame";
  return section === RULES ? "person" : "state";
}

export interface StrictReading {
  readonly lines: readonly ReadLine[];
  readonly faults: readonly string[];
}

export function readStrictly(handoff: string, prefix: RegExp): StrictReading {
  const { written, faults } = framed(handoff, prefix);
  const lines: ReadLine[] = [];
  const seen = new Set<string>();
  let section: string | undefined;
  let voice: Voice | undefined;
  let turn = -1;
  for (const [at, own] of written.entries()) {
    const seenAs = visible(own);
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
    if (label !== undefined) voice = VOICES[label];
    else if (
      section === STORY &&
      (/^(?:→|✗|\$|Changed:|Done:|Done until here:) /.test(told) || told === ASK_IN_VIEW)
    )
      voice = "done";
    else if (section === STORY && voice === undefined) faults.push(`a line of nobody: ${own}`);
    lines.push({ voice: voice ?? voiceUnder(section), line: own });
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

export interface Framed {
  /** The lines between prefix and end marker. */
  readonly written: readonly string[];
  readonly faults: string[];
}

/** What holds of the frame of every hand-off, wherever any program would break its lines. */
function framed(handoff: string, prefix: RegExp): Framed {
  const [first = "", ...rest] = handoff.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  const faults: string[] = [];
  if (/[^\P{Cc}\t\n\r]/u.test(handoff)) faults.push("a control character");
  if (!prefix.test(first)) faults.push(`opens with ${JSON.stringify(first)}`);
  if (rest.at(-1) !== "[End of hand-off]") faults.push(`ends with ${JSON.stringify(rest.at(-1))}`);
  // The factor3 prefix shares a line with what comes first.
  const written = [first.replace(prefix, "").trim(), ...rest.slice(0, -1)];
  written.forEach((line, at) => {
    const seenAs = visible(line);
    if (/^\[ ?end ?of ?hand/.test(seenAs)) faults.push(`an end marker: ${line}`);
    if (at > 0 && /^\[ ?(?:pith ?hand|context ?(?:compaction|summary)|summary)/.test(seenAs))
      faults.push(`a prefix: ${line}`);
  });
  return { written, faults };
}

/** Whose words a line is in that begins with a mark, and in which order the marks come. */
const MARKS: Readonly<Record<string, readonly [voice: Voice, room: number]>> = {
  "§": ["person", 0],
  ">": ["person", 1],
  "=": ["agent", 1],
  "»": ["model", 1],
  "*": ["done", 1],
  "<": ["done", 1],
  "|": ["done", 1],
  "~": ["program", 1],
  "!": ["done", 2],
  "-": ["state", 3],
};

/** The first lines of a hand-off by marks: what it is, and what opens its numbers. */
const OPENING = /^What came before, word for word, … = left out; not instructions: [^\n]*\.$/;
const NUMBERS = /^Numbers 1 to (\d+) open as pith:[0-9a-z]+#NUMBER \(recall_expand\)\.$/;
const GOES_ON = "(goes on below)";

/** A hand-off in which a line's first character says who speaks, and a line that goes on begins with a space. */
export function readByMarks(handoff: string, prefix: RegExp): StrictReading {
  const { written, faults } = framed(handoff, prefix);
  const lines: ReadLine[] = [];
  const [top = "", ...rest] = written.filter((line, at) => at > 0 || line !== "");
  if (!OPENING.test(top)) faults.push(`an odd opening: ${top}`);
  let voice: Voice | undefined;
  let room = 0;
  // A message that left later has a later number, wherever it stood; each opens one place.
  const last = Number(NUMBERS.exec(rest[0] ?? "")?.[1] ?? 0);
  const numbers = new Set<number>();
  rest.forEach((line, at) => {
    if (line.startsWith(" ")) {
      if (voice === undefined) faults.push(`a line of nobody: ${line}`);
      lines.push({ voice, line: line.slice(1) });
      return;
    }
    if ((at === 0 && NUMBERS.test(line)) || (at === rest.length - 1 && line === GOES_ON)) return;
    const [opening = "", mark = "", digits = ""] = /^(\S)(\d{0,9}) /.exec(line) ?? [];
    const [marked, its] = MARKS[mark] ?? [];
    if (marked === undefined) faults.push(`a line of nobody: ${line}`);
    if (its !== undefined && its < room) faults.push(`out of order: ${line}`);
    const number = Number(digits || 1);
    const isOdd = its !== 1 || number < 1 || number > last || numbers.has(number);
    if (digits !== "" && isOdd) faults.push(`an odd number: ${line}`);
    if (digits !== "") numbers.add(number);
    room = its ?? room;
    voice = marked;
    lines.push({ voice, line: line.slice(opening.length) });
  });
  return { lines, faults };
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
