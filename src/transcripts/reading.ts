/** Reading: what formats have in common when they take a file apart. */
import { InputError } from "../errors/input-error.ts";
import { skipSpace, textStart } from "../formats/json-scan.ts";
import { kindOfValue, type WireObject } from "../formats/wire-value.ts";
import { elementsAt, findValue } from "./json-place.ts";
import { lineNumbers, type SourceText } from "./source-text.ts";
import type { Changes, FileRecord, Path, Piece, Problem, Said, Told, Writing } from "./transcript.ts";
import { valueAt } from "./write-pieces.ts";

export interface Records {
  readonly records: readonly (FileRecord & { readonly value: WireObject })[];
  readonly problems: readonly Problem[];
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

/** Each element of the lists at these paths of a JSON document; the elements that are no objects are problems too. */
export function elementRecords(
  source: SourceText,
  paths: readonly Path[],
): {
  readonly records: readonly FileRecord[];
  readonly problems: readonly Problem[];
} {
  const { text } = source;
  const whole = source.json();
  if (whole === undefined) throw new InputError("The file is not a JSON document.");
  const start = skipSpace(text, textStart(text));
  const records: FileRecord[] = [];
  const problems: { readonly offset: number; readonly message: string }[] = [];
  paths.forEach((path, list) => {
    const found = findValue(text, start, path);
    const values = valueAt(whole, path);
    if (found === undefined || !Array.isArray(values)) return;
    elementsAt(text, found.start).forEach((slice, index) => {
      const value: unknown = values[index];
      if (typeof value !== "object" || value === null) {
        const where = [...path, index].join(".");
        problems.push({
          offset: slice.start,
          message: `${where} is ${kindOfValue(value)}; it was passed over.`,
        });
      }
      records.push({ ...slice, value, kind: "element", list });
    });
  });
  const numbers = lineNumbers(
    text,
    problems.map(({ offset }) => offset),
  );
  return { records, problems: problems.map(({ message }, index) => ({ line: numbers[index]!, message })) };
}

/**
 * Puts pieces of the assistant that come one after the other into one message, and answers into one as well; what the
 * user says stays apart.
 */
export function gather(said: readonly Said[]): readonly Said[] {
  const gathered: { readonly role: Said["role"]; readonly pieces: Piece[] }[] = [];
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

function isAnswers(pieces: readonly Piece[]): boolean {
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
