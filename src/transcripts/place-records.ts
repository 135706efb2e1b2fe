/** Placing records: the splices that take whole records out of a file and put new ones in. */
import { removeElements, type Splice } from "./splices.ts";
import type { FileRecord, Insert } from "./transcript.ts";

/** Whether something can be beside a record; beside a whole document nothing can. */
export function isPlace({ kind, stays }: FileRecord): boolean {
  return kind !== "text" || !stays;
}

/** Records leave with their line break or comma. */
export function removals(
  text: string,
  records: readonly FileRecord[],
  removed: ReadonlySet<number>,
): Splice[] {
  const splices: Splice[] = [];
  const lists = new Set<number>();
  for (const index of removed) {
    const { kind, start, end, list } = records[index]!;
    if (kind === "text") splices.push({ start, end, text: "" });
    else if (kind === "line") splices.push({ ...wholeLine(text, start, end), text: "" });
    else lists.add(list!);
  }
  for (const list of lists) {
    const elements = elementsOf(records, list);
    const gone = new Set(elements.flatMap((index, order) => (removed.has(index) ? [order] : [])));
    splices.push(
      ...removeElements(
        elements.map((index) => records[index]!),
        gone,
      ),
    );
  }
  return splices;
}

function elementsOf(records: readonly FileRecord[], list: number): readonly number[] {
  return records.flatMap((record, index) => (record.list === list ? [index] : []));
}

/** A line with its line break, where it has one. */
function wholeLine(text: string, start: number, end: number) {
  const newline = text.indexOf("\n", end);
  const from = text.lastIndexOf("\n", start - 1) + 1;
  return { start: from, end: newline < 0 ? text.length : newline + 1 };
}

/** New records, each before or after another, in the manner of its neighbours. */
export function insertions(
  text: string,
  records: readonly FileRecord[],
  removed: ReadonlySet<number>,
  inserts: readonly Insert[],
): readonly Splice[] {
  // Of a list nothing may be left: the first that is put in has none before it.
  const left = new Set(records.flatMap(({ list }, index) => (removed.has(index) ? [] : (list ?? []))));
  return inserts.flatMap((insert) => insertion(text, records, left, insert));
}

function insertion(
  text: string,
  records: readonly FileRecord[],
  left: Set<number>,
  { value, before, after }: Insert,
): readonly Splice[] {
  const anchor = before ?? after;
  const record = anchor === undefined ? records.findLast(isPlace) : records[anchor];
  if (record === undefined) return [{ start: text.length, end: text.length, text: contentOf(value) }];
  const leads = before !== undefined;
  if (record.kind === "text") return at(leads ? record.start : record.end, String(value));
  if (record.kind === "element") return elementInsertion(text, records, left, record, leads, value);
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const { start, end } = wholeLine(text, record.start, record.end);
  if (leads) return at(start, `${contentOf(value)}${eol}`);
  return text[end - 1] === "\n" ? at(end, `${contentOf(value)}${eol}`) : at(end, `${eol}${contentOf(value)}`);
}

function elementInsertion(
  text: string,
  records: readonly FileRecord[],
  left: Set<number>,
  record: FileRecord,
  leads: boolean,
  value: unknown,
): readonly Splice[] {
  const list = record.list!;
  const elements = elementsOf(records, list);
  const { separator, indent, margin } = listStyle(
    text,
    elements.map((index) => records[index]!),
  );
  const json = JSON.stringify(value, null, indent);
  const written = indent === "" ? json : json.replaceAll("\n", `\n${margin}`);
  if (leads) return at(record.start, `${written}${separator}`);
  const isFirst = !left.has(list);
  left.add(list);
  return at(record.end, isFirst ? written : `${separator}${written}`);
}

/** How the file sets the elements of a list apart, and whether it spreads one over several lines. */
function listStyle(text: string, elements: readonly FileRecord[]) {
  const [first, second] = elements;
  const lead = /\s*$/.exec(text.slice(Math.max(0, first!.start - 200), first!.start))?.[0] ?? "";
  const separator = second ? text.slice(first!.end, second.start) : `,${lead}`;
  const margin = lead.slice(lead.lastIndexOf("\n") + 1);
  const inner = /^\{\r?\n([ \t]*)/.exec(text.slice(first!.start, first!.start + 200))?.[1] ?? "";
  return { separator, margin, indent: inner.startsWith(margin) ? inner.slice(margin.length) : inner };
}

function at(offset: number, text: string): readonly Splice[] {
  return [{ start: offset, end: offset, text }];
}

function contentOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
