/** Sections of a hand-off: written in one fixed order, and read back from an earlier hand-off. */
import { END_MARKER, mayOpenWith } from "./prefixes.ts";

export interface Sections {
  /** The first thing the user asked for, verbatim or cut to its asking sentences. */
  readonly firstAsk: string;
  /** The newest thing the user asked for, when its message did not stay in the conversation. */
  readonly latestAsk: string;
  /** The assistant has answered it: it is history, not work (R12). */
  readonly answered: boolean;
  /** The user's binding sentences, verbatim, one a line. */
  readonly constraints: readonly string[];
  /** What else the user said, verbatim, one entry a line, as far as there was room. */
  readonly otherWords: readonly string[];
  /** The agent's own list, in the ledger's lines, like the other facts below. */
  readonly todos: readonly string[];
  /** What was done and found, one line each. */
  readonly progress: readonly string[];
  readonly decisions: readonly string[];
  /** Doubts and turning points. */
  readonly uncertainty: readonly string[];
  readonly files: readonly string[];
  readonly commands: readonly string[];
  readonly errors: readonly string[];
  readonly values: readonly string[];
  /** Skills and policies that went with the span, each with what loads it again (R39). */
  readonly instructions: readonly string[];
  /** Where all of it is in full, and how to get it. */
  readonly archive: readonly string[];
}

export const emptySections: Sections = {
  firstAsk: "",
  latestAsk: "",
  answered: false,
  constraints: [],
  otherWords: [],
  todos: [],
  progress: [],
  decisions: [],
  uncertainty: [],
  files: [],
  commands: [],
  errors: [],
  values: [],
  instructions: [],
  archive: [],
};

type SectionName = Exclude<keyof Sections, "answered">;

/** In the order they are written. Models' own summaries have headings such as "## Files": ours say a word more. */
const HEADINGS: readonly (readonly [name: SectionName, heading: string])[] = [
  ["firstAsk", "## First ask"],
  ["latestAsk", "## Latest ask"],
  ["latestAsk", "## Latest ask (answered)"],
  ["constraints", "## Constraints"],
  ["otherWords", "## The user also said"],
  ["todos", "## Todo list"],
  ["progress", "## Progress"],
  ["decisions", "## Decisions made"],
  ["uncertainty", "## Uncertainty"],
  ["files", "## Files touched"],
  ["commands", "## Commands run"],
  ["errors", "## Errors seen"],
  ["values", "## Values noted"],
  ["instructions", "## Instructions no longer in view"],
  ["archive", "## Archive"],
];

const byHeading = new Map(HEADINGS.map(([name, heading]) => [heading, name]));

/** Whether a line of a hand-off opens a section. */
export function isHeading(line: string): boolean {
  return byHeading.has(line);
}

/** Empty sections are left out. */
export function writeSections(sections: Sections): string {
  const blocks: string[] = [];
  for (const [name, heading] of HEADINGS) {
    if (name === "latestAsk" && sections.answered !== heading.endsWith("(answered)")) continue;
    const content = sections[name];
    const entries = typeof content === "string" ? [content] : content;
    const lines = entries.map(quoted);
    const text = (isList(name) ? lines.map((line) => `- ${line}`) : lines).join("\n");
    if (text.trim() !== "") blocks.push(`${heading}\n${text}`);
  }
  return blocks.join("\n");
}

/** Reads what `writeSections` wrote; text before the first heading counts as progress. */
export function readSections(body: string): Sections {
  const found = Object.fromEntries(HEADINGS.map(([name]) => [name, []])) as unknown as Record<
    SectionName,
    string[]
  >;
  let answered = false;
  let current: SectionName = "progress";
  for (const written of body.split("\n")) {
    const heading = byHeading.get(written);
    const line = unquoted(written);
    if (heading) {
      current = heading;
      answered ||= written.endsWith("(answered)");
      // What stands under a second heading is no continuation of what stood under the first.
      if (isList(heading)) found[heading].push("");
    } else if (!isList(current)) found[current].push(line);
    else if (line.startsWith("- ")) found[current].push(line.slice(2));
    // A sentence that the user broke over two lines stays as it was written.
    else found[current].push(`${found[current].pop() ?? ""}\n${line}`);
  }
  const itemsOf = (name: SectionName) => found[name].map((line) => line.trim()).filter(Boolean);
  const linesOf = (name: SectionName) => found[name].filter((line) => line.trim() !== "");
  return {
    firstAsk: found.firstAsk.join("\n").trim(),
    latestAsk: found.latestAsk.join("\n").trim(),
    answered,
    constraints: itemsOf("constraints"),
    otherWords: itemsOf("otherWords"),
    todos: linesOf("todos"),
    progress: linesOf("progress"),
    decisions: linesOf("decisions"),
    uncertainty: linesOf("uncertainty"),
    files: linesOf("files"),
    commands: linesOf("commands"),
    errors: linesOf("errors"),
    values: linesOf("values"),
    instructions: linesOf("instructions"),
    archive: linesOf("archive"),
  };
}

/** The user's sentences, each an item that may go over several lines. */
function isList(name: SectionName): boolean {
  return name === "constraints" || name === "otherWords";
}

/**
 * subtle: what is quoted may itself hold a line that looks like one of the frame's own; one more space before it keeps
 * it from being read back as such, and is taken off again by `unquoted`.
 */
function quoted(text: string): string {
  if (!text.includes("\n")) return isOfFrame(text) ? ` ${text}` : text;
  return text
    .split("\n")
    .map((line) => (isOfFrame(line) ? ` ${line}` : line))
    .join("\n");
}

function unquoted(line: string): string {
  return line.startsWith(" ") && isOfFrame(line) ? line.slice(1) : line;
}

/** Whatever space stands before it. */
function isOfFrame(line: string): boolean {
  if (!mayOpenWith(line, "#[")) return false;
  const own = line.trimStart();
  return byHeading.has(own) || own.startsWith(END_MARKER);
}
