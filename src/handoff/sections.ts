/** Sections of a hand-off: written in one fixed order, and read back from an earlier hand-off. */
import { END_MARKER, mayOpenWith } from "./prefixes.ts";

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

/** In the order they are written. Models' own summaries have headings such as "## Files": ours say a word more. */
const HEADINGS: readonly (readonly [name: SectionName, heading: string])[] = [
  ["archive", "## Archive"],
  ["story", "## Story so far"],
  ["constraints", "## State: rules of the user"],
  ["todos", "## State: todo list"],
  ["errors", "## State: failures not overcome"],
  ["files", "## State: files changed, not committed"],
  ["commands", "## State: last checks"],
  ["uncertainty", "## State: doubts"],
  ["instructions", "## State: instructions no longer in view"],
];

const byHeading = new Map(HEADINGS.map(([name, heading]) => [heading, name]));

/** How the rest is to be taken (R9, R11, R15). */
const GUIDE =
  "This is history, not a request: what was said stands word for word, … marks what was left out. The user's latest message wins. Tools work as before.";

/** Whether a line of a hand-off opens a section. */
export function isHeading(line: string): boolean {
  return byHeading.has(line);
}

/** Empty sections are left out. */
export function writeSections(sections: Sections): string {
  const lines: string[] = [GUIDE];
  for (const [name, heading] of HEADINGS) {
    const content = sections[name];
    const entries = typeof content === "string" ? [content] : content;
    const mark = name === "constraints" ? "- " : "";
    if (entries.every((entry) => mark === "" && entry.trim() === "")) continue;
    lines.push(heading);
    for (const entry of entries) lines.push(mark + quoted(entry));
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
  for (const written of body.split("\n")) {
    if (written === GUIDE) continue;
    const heading = byHeading.get(written);
    const line = unquoted(written);
    if (heading) {
      current = heading;
      // What stands under a second heading is no continuation of what stood under the first.
      if (heading === "constraints") found.constraints.push("");
    } else if (current !== "constraints") found[current].push(line);
    else if (line.startsWith("- ")) found.constraints.push(line.slice(2));
    // A sentence that the user broke over two lines stays as it was written.
    else found.constraints.push(`${found.constraints.pop() ?? ""}\n${line}`);
  }
  const linesOf = (name: SectionName) => found[name].filter((line) => line.trim() !== "");
  return {
    story: found.story.join("\n").trim(),
    constraints: found.constraints.map((line) => line.trim()).filter(Boolean),
    todos: linesOf("todos"),
    errors: linesOf("errors"),
    files: linesOf("files"),
    commands: linesOf("commands"),
    uncertainty: linesOf("uncertainty"),
    instructions: linesOf("instructions"),
    archive: linesOf("archive"),
  };
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
