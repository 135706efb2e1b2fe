/** Names lines: `src/a.ts: func parseArgs(argv); readConfig; MAX_RETRIES = 5`, excerpts of one file, tool or speaker on a line. */
import { type ExcerptPlace, excerptsOf, lastPartsStart } from "./excerpts.ts";

/** Who said a name, and in or about which file, where that is known. */
export interface NameSource {
  readonly speaker: string;
  readonly file?: string;
}

/** A specific where it stands in the line of a text. */
export interface NamedPlace extends ExcerptPlace, NameSource {
  readonly text: string;
}

/** Longer ones go on in a further line with the same label, so that each says by itself where its names are from. */
const MOST_CHARS = 900;
const SEPARATOR = "; ";
/** A file with fewer names than this is no label: they stand with whoever said them. */
const FEWEST_NAMES = 3;

/** `places` in their order; one label's excerpts together, labels in the order of their first excerpts. */
export function namesLines(places: readonly NamedPlace[]): readonly string[] {
  const names = places.map(shortName);
  const labels = labelsOf(places, names);
  const said = new Set([...labels].flatMap(endsOf));
  const byLabel = new Map<string, NamedPlace[]>();
  places.forEach((place, at) => {
    if (said.has(names[at]!)) return;
    const { file, speaker } = place;
    const label = file !== undefined && labels.has(file) ? file : speaker;
    const before = byLabel.get(label);
    if (before) before.push(place);
    else byLabel.set(label, [place]);
  });
  return [...byLabel].flatMap(([label, own]) => wrapped(`${label}: `, excerptsByText(own)));
}

/** The files with names enough, not counting their own. */
function labelsOf(places: readonly NamedPlace[], names: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  let ends: readonly string[] = [];
  let last: string | undefined;
  places.forEach(({ file }, at) => {
    if (file === undefined) return;
    if (file !== last) ends = endsOf(file);
    last = file;
    if (!ends.includes(names[at]!)) counts.set(file, (counts.get(file) ?? 0) + 1);
  });
  return new Set([...counts].filter(([, count]) => count >= FEWEST_NAMES).map(([file]) => file));
}

/** A path by its last two parts, in lower case; empty for what cannot be a file's name. */
function shortName({ text, start, end }: NamedPlace): string {
  for (let at = end - 1; at > start; at--) {
    if (text.charCodeAt(at) !== DOT) continue;
    return text.slice(lastPartsStart(text, start, end, 2), end).toLowerCase();
  }
  return "";
}

const DOT = 46;

/** What a label says by itself: `src/cli/run.ts` → `cli/run.ts`, `run.ts` */
function endsOf(label: string): readonly string[] {
  const parts = label.toLowerCase().split("/");
  return [parts.slice(-2).join("/"), parts.at(-1)!];
}

function excerptsByText(places: readonly NamedPlace[]): readonly string[] {
  const excerpts: string[] = [];
  for (let from = 0, to = 0; from < places.length; from = to) {
    const { text } = places[from]!;
    while (places[to]?.text === text) to++;
    excerpts.push(...excerptsOf(text, places.slice(from, to)));
  }
  return excerpts;
}

function wrapped(label: string, excerpts: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const excerpt of excerpts) {
    if (line !== "" && line.length + excerpt.length > MOST_CHARS) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? `${label}${excerpt}` : `${SEPARATOR}${excerpt}`;
  }
  if (line !== "") lines.push(line);
  return lines;
}
