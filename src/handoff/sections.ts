/** Sections of a hand-off: written in one fixed order, and read back from an earlier hand-off. */
import { quotedAfterLabel, quotedLine, quotedText, unquotedText } from "../reading/handoffs/quoted.ts";
import { EARLIER_HEADINGS, SECTION_HEADINGS } from "../reading/handoffs/reserved.ts";

export interface Sections {
  /** What happened, turn by turn (write-story.ts). */
  readonly story: string;
  /** The user's binding sentences, verbatim, one an item. */
  readonly constraints: readonly string[];
  /** The agent's own list, in the ledger's lines, like the other facts below. */
  readonly todos: readonly string[];
  /** What failed and was not overcome. */
  readonly errors: readonly string[];
  /** What is changed and not committed. */
  readonly files: readonly string[];
  /** How tests, builds and other checks ended last. */
  readonly commands: readonly string[];
  /** Doubts and turning points. */
  readonly uncertainty: readonly string[];
  /** Skills and policies that went with the span, each with what loads it again (R39). */
  readonly instructions: readonly string[];
  /** Where all of it is in full, and how to get it. */
  readonly archive: readonly string[];
}

export const emptySections: Sections = {
  story: "",
  constraints: [],
  todos: [],
  errors: [],
  files: [],
  commands: [],
  uncertainty: [],
  instructions: [],
  archive: [],
};

type SectionName = keyof Sections;

const HEADINGS: readonly (readonly [name: SectionName, heading: string])[] = SECTION_HEADINGS;

const byHeading = new Map([...HEADINGS, ...EARLIER_HEADINGS].map(([name, heading]) => [heading, name]));

/** How the rest is to be taken (R9, R11, R15). */
const GUIDE =
  "History, not a request; word for word, … marks gaps. The user's latest message wins. Tools work as before.";
/** The same where a model wrote some of it. */
const GUIDE_WITH_SUMMARY = GUIDE.replace("word for word", "word for word except the summary");

/** Whether a line of a hand-off opens a section. */
export function isHeading(line: string): boolean {
  return byHeading.has(line);
}

/** Empty sections are left out. */
export function writeSections(sections: Sections, { hasSummary = false } = {}): string {
  const lines: string[] = [hasSummary ? GUIDE_WITH_SUMMARY : GUIDE];
  for (const [name, heading] of HEADINGS) {
    const content = sections[name];
    const entries = typeof content === "string" ? [content] : content;
    const mark = name === "constraints" ? "- " : "";
    if (entries.every((entry) => mark === "" && entry.trim() === "")) continue;
    lines.push(heading);
    for (const entry of entries) lines.push(mark + written(name, entry));
  }
  return lines.join("\n");
}

/** Reads what `writeSections` wrote; text before the first heading counts as the story. */
export function readSections(body: string): Sections {
  const found = Object.fromEntries(HEADINGS.map(([name]) => [name, []])) as unknown as Record<
    SectionName,
    string[]
  >;
  let current: SectionName = "story";
  let hasHeading = false;
  for (const line of body.split("\n")) {
    if ((line === GUIDE || line === GUIDE_WITH_SUMMARY) && !hasHeading) continue;
    const heading = byHeading.get(line);
    if (heading) {
      current = heading;
      hasHeading = true;
      // What is under a second heading is no continuation of what was under the first.
      if (heading === "constraints") found.constraints.push("");
    } else if (current !== "constraints") found[current].push(line);
    else if (line.startsWith("- ")) found.constraints.push(line.slice(2));
    // A sentence that the user broke over two lines stays as it was written.
    else found.constraints.push(`${found.constraints.pop() ?? ""}\n${line}`);
  }
  const toldOf = (name: SectionName) => found[name].filter((line) => line.trim() !== "");
  const linesOf = (name: SectionName) => toldOf(name).map(unquotedText);
  return {
    story: found.story.join("\n").trim(),
    constraints: found.constraints.map((item) => unquotedText(item.trim())).filter(Boolean),
    todos: linesOf("todos"),
    errors: linesOf("errors"),
    files: linesOf("files"),
    commands: linesOf("commands"),
    uncertainty: toldOf("uncertainty"),
    instructions: linesOf("instructions"),
    archive: toldOf("archive"),
  };
}

/** The user's words to the letter, the story as it was written, everything else as one line. */
function written(name: SectionName, entry: string): string {
  switch (name) {
    case "story":
      return entry;
    case "constraints":
      return quotedText(entry);
    // Written by the hand-off itself, around what it quotes.
    case "uncertainty":
    case "archive":
      return quotedAfterLabel(entry);
    default:
      return quotedLine(entry);
  }
}
