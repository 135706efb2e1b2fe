/** Reading: what formats have in common when they take a file apart. */

import { findHandoff } from "../conversation/handoffs/prefixes.ts";
import { InputError } from "../errors/input-error.ts";
import { elementsAt, findValue, skipSpace, textStart } from "../json/scan.ts";
import { isObject, kindOfValue, type WireObject } from "../json/wire-value.ts";
import { lineNumbers, type SourceText } from "./source-text.ts";
import type {
  Changes,
  FileRecord,
  Path,
  Problem,
  Said,
  Told,
  TranscriptPiece,
  Writing,
} from "./transcript.ts";
import { valueAt } from "./write-pieces.ts";

export interface Records {
  readonly records: readonly (FileRecord & { readonly value: WireObject })[];
  readonly problems: readonly Problem[];
}

/** The messages of a document that is their list, or an object with one. */
export function messagesIn(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  return isObject(json) && Array.isArray(json.messages) ? json.messages : [];
}

/** Whether the summary of a compaction is one of Pith's: what it stands for is no longer in the file. */
export function isHandoff(text: string): boolean {
  return findHandoff(text) !== undefined;
}

/** Each line that is a JSON object; the others are problems. */
export function lineRecords(source: SourceText): Records {
  const records: (FileRecord & { readonly value: WireObject })[] = [];
  const problems: Problem[] = [];
  for (const { number, start, end, value } of source.lines()) {
    if (value === undefined)
      problems.push({ line: number, message: "This line is not a JSON object; it was passed over." });
    else records.push({ start, end, value, kind: "line" });
  }
  return { records, problems };
}

/** A list of records somewhere in the file: under a path of the whole document, or of the value at an offset. */
export interface ListPlace {
  readonly path: Path;
  /** @default the whole document */
  readonly root?: { readonly start: number; readonly value: unknown };
}

/** Each element of these lists; those that are no objects are problems too. */
export function elementRecords(
  source: SourceText,
  lists: readonly ListPlace[],
): { readonly records: readonly FileRecord[]; readonly problems: readonly Problem[] } {
  const { text } = source;
  const records: FileRecord[] = [];
  const faults: { readonly offset: number; readonly message: string }[] = [];
  lists.forEach(({ path, root = documentRecord(source) }, list) => {
    const found = findValue(text, root.start, path);
    const values = valueAt(root.value, path);
    if (found === undefined || !Array.isArray(values)) return;
    elementsAt(text, found.start).forEach((slice, index) => {
      const value: unknown = values[index];
      if (!isObject(value)) {
        const where = [...path, index].join(".");
        faults.push({
          offset: slice.start,
          message: `${where} is ${kindOfValue(value)}; it was passed over.`,
        });
      }
      records.push({ ...slice, value, kind: "element", list });
    });
  });
  const sorted = faults.toSorted((a, b) => a.offset - b.offset);
  const numbers = lineNumbers(
    text,
    sorted.map(({ offset }) => offset),
  );
  return { records, problems: sorted.map(({ message }, index) => ({ line: numbers[index]!, message })) };
}

/** The whole document as one record that stays: for what is outside the lists, such as a system prompt. */
export function documentRecord(source: SourceText): FileRecord {
  const value = source.json();
  if (value === undefined) throw new InputError("The file is not a JSON document.");
  const start = skipSpace(source.text, textStart(source.text));
  return { start, end: source.text.length, value, kind: "text", stays: true };
}

/**
 * Puts pieces of the assistant that come one after the other into one message, and answers into one as well; what the
 * user says stays apart.
 */
export function gather(said: readonly Said[]): readonly Said[] {
  const gathered: { readonly role: Said["role"]; readonly pieces: TranscriptPiece[] }[] = [];
  for (const { role, pieces } of said) {
    if (pieces.length === 0) continue;
    const last = gathered.at(-1);
    const joins =
      last?.role === role && (role === "assistant" || (isAnswers(last.pieces) && isAnswers(pieces)));
    if (joins) last.pieces.push(...pieces);
    else gathered.push({ role, pieces: [...pieces] });
  }
  return gathered;
}

function isAnswers(pieces: readonly TranscriptPiece[]): boolean {
  return pieces.every(({ kind }) => kind === "result");
}

/** Records that say nothing to the model go with the one before them that does; `isFree` tells which ones may. */
export function withFollowers<R extends FileRecord>(
  records: readonly R[],
  said: readonly Said[],
  isFree: (record: R) => boolean,
): readonly FileRecord[] {
  const speaking = new Set(said.flatMap(({ pieces }) => pieces.map(({ record }) => record)));
  let last: number | undefined;
  return records.map((record, index) => {
    if (speaking.has(index)) {
      last = index;
      return record;
    }
    return last !== undefined && isFree(record) ? { ...record, follows: last } : record;
  });
}

/** Each new text as one record of its own. */
export function insertEach({ told }: Writing, recordOf: (told: Told) => unknown): Changes {
  return {
    inserts: told.map((each) => ({ value: recordOf(each), before: each.before, after: each.after })),
  };
}
