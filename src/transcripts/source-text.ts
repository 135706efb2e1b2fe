/** SourceText: the text of a file, and what it parses to; asked by every format, parsed once. */
import { skipSpace, textStart } from "../json/scan.ts";
import { isObject, parsedJson, type WireObject } from "../json/wire-value.ts";

export interface SourceText {
  readonly text: string;
  /** The lines that are not blank. */
  readonly lines: () => readonly SourceLine[];
  /** The values of those that are JSON objects, one at a time: who finds what it looks for reads no further. */
  readonly objects: () => Iterable<WireObject>;
  /** The first of them: enough to know a format by that all are of one kind. */
  readonly opening: () => readonly WireObject[];
  /** The whole text as one JSON value; undefined when it is none. */
  readonly json: () => unknown;
}

export interface SourceLine {
  /** Counted from 1. */
  readonly number: number;
  /** Of the line without blanks around it. */
  readonly start: number;
  readonly end: number;
  /** Undefined when the line is not a JSON object. */
  readonly value: WireObject | undefined;
}

const OPENING_LINES = 40;

export function sourceText(text: string): SourceText {
  return {
    text,
    lines: once(() => [...linesIn(text)]),
    objects: () => objectsIn(text),
    opening: once(() => {
      const first: WireObject[] = [];
      for (const value of objectsIn(text)) if (first.push(value) === OPENING_LINES) break;
      return first;
    }),
    json: once(() => parseWhole(text)),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The number of the line, from 1, in which each of the ascending offsets is. */
export function lineNumbers(text: string, offsets: readonly number[]): readonly number[] {
  let line = 1;
  let next = text.indexOf("\n");
  return offsets.map((offset) => {
    while (next >= 0 && next < offset) {
      line++;
      next = text.indexOf("\n", next + 1);
    }
    return line;
  });
}

function* objectsIn(text: string): Generator<WireObject> {
  for (const { value } of linesIn(text)) if (value !== undefined) yield value;
}

function* linesIn(text: string): Generator<SourceLine> {
  let start = textStart(text);
  for (let number = 1; start < text.length; number++) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const trimmed = line.trim();
    if (trimmed !== "") {
      const first = start + line.indexOf(trimmed);
      yield { number, start: first, end: first + trimmed.length, value: parseObject(trimmed) };
    }
    start = end + 1;
  }
}

function parseObject(json: string): WireObject | undefined {
  // What is none is reported with its line number by whoever reads the lines. Most is seen without the cost of an exception.
  const value = /^\{\s*["}]/.test(json) && json.endsWith("}") ? parsedJson(json) : undefined;
  return isObject(value) ? value : undefined;
}

function parseWhole(text: string): unknown {
  const start = skipSpace(text, textStart(text));
  return text[start] === "{" || text[start] === "[" ? parsedJson(text.slice(start)) : undefined;
}
