/** JSON faults: says where a text stops being JSON and what to do, once it is known that it is not. */
import { InputError, type InputPlace } from "../errors/input-error.ts";
import { maskOf } from "../redact/found-secret.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";
import { skipSpace, textStart } from "./scan.ts";

/**
 * The error for a text that could not be read. Rescans it strictly from the start, without recursion.
 *
 *     '[{"role":"us' → The JSON ends in the middle of messages[0] (line 1, column 13): the file looks cut off. …
 */
export function faultOf(text: string, cause?: unknown): InputError {
  const start = skipSpace(text, textStart(text));
  // What a parser says of a wrong text quotes it, secrets and all.
  const options = cause instanceof SyntaxError ? {} : { cause };
  if (start === text.length) {
    return new InputError("The input is empty. Give a JSON list of messages.", {}, options);
  }
  const nul = text.indexOf("\0");
  if (nul >= 0 || isBinary(text, start)) {
    const place = placeAt(text, Math.max(nul, 0));
    const what = `The input is not text (${say(place)}): it looks like a binary, compressed or UTF-16 file.`;
    return new InputError(`${what} Give JSON in UTF-8.`, place, options);
  }
  const fault = findFault(text, start);
  if (fault === undefined) return new InputError("The JSON is nested too deeply to be read.", {}, options);
  const place = { ...placeAt(text, fault.index), ...(fault.path === "" ? {} : { path: fault.path }) };
  return new InputError(describe(text, start, fault, place), place, options);
}

/** Line and column of an index, both counted from 1. */
export function placeAt(text: string, index: number): InputPlace & { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < index; end = text.indexOf("\n", end + 1)) {
    line++;
    lineStart = end + 1;
  }
  return { line, column: index - lineStart + 1 };
}

interface Fault {
  readonly index: number;
  /** Such as `messages[57]`, "" at the outermost level. */
  readonly path: string;
  /** A whole JSON value ended here and something follows. */
  readonly trailing: boolean;
}

interface Frame {
  readonly list: boolean;
  index: number;
  key: string;
}

function describe(text: string, start: number, fault: Fault, place: InputPlace): string {
  const where = say(place);
  const found = quoted(text, fault.index);
  if (fault.trailing && /[[{]/.test(text.charAt(fault.index))) {
    return (
      `This looks like JSON Lines: another value starts at ${where}. Put the messages of one conversation into one ` +
      "JSON list; --jsonl reads one job (an object with `messages`) per line."
    );
  }
  if (fault.trailing) return `The JSON ends before ${where}, but ${found} follows. Remove what follows.`;
  if (fault.index === text.length) {
    const inside = fault.path === "" ? "early" : `in the middle of ${fault.path}`;
    return `The JSON ends ${inside} (${where}): the file looks cut off. Give the whole file.`;
  }
  if (fault.index === start) {
    return `The input is not JSON: it starts with ${found} (${where}). Give a JSON list of messages.`;
  }
  const inside = fault.path === "" ? "" : ` in ${fault.path}`;
  return `The JSON is broken${inside} (${where}): ${found} is not valid there. Correct the file at that place.`;
}

const QUOTED_CHARS = 12;
/** How far around a place a secret that reaches there is looked for. */
const LOOKED_AROUND = 5_000;

/** A few characters from a place on; of a secret not even these. A control character says enough alone. */
function quoted(text: string, index: number): string {
  if (text.charCodeAt(index) < 0x20) return JSON.stringify(text[index]);
  const from = Math.max(0, index - LOOKED_AROUND);
  const secret = redactSecrets(text.slice(from, index + LOOKED_AROUND)).found.find(
    ({ start, end }) => from + end > index && from + start < index + QUOTED_CHARS,
  );
  return secret ? maskOf(secret.kind) : JSON.stringify(text.slice(index, index + QUOTED_CHARS));
}

function say(place: InputPlace): string {
  return `line ${place.line}, column ${place.column}`;
}

/** Control characters where the JSON should start, or bytes that were no UTF-8. */
function isBinary(text: string, start: number): boolean {
  const code = text.charCodeAt(start);
  return code < 0x20 || code === 0xfffd || text.charCodeAt(start + 1) === 0xfffd;
}

const SCALAR = /[-+.\w]+/y;
const NUMBER_OR_WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Reads one JSON value strictly; the first place where it breaks, or undefined when nothing is wrong. */
function findFault(text: string, start: number): Fault | undefined {
  const frames: Frame[] = [];
  const faultAt = (index: number, trailing = false): Fault => ({ index, path: pathOf(frames), trailing });
  let index = start;
  for (;;) {
    const code = text[index];
    let open = false;
    if (code === "{" || code === "[") {
      frames.push({ list: code === "[", index: 0, key: "" });
      index = skipSpace(text, index + 1);
      open = text[index] !== (code === "[" ? "]" : "}");
      if (!open) {
        frames.pop();
        index++;
      }
    } else {
      const end = code === '"' ? endOfString(text, index) : endOfScalar(text, index);
      if (!end.whole) return faultAt(end.index);
      index = end.index;
    }
    // After a value: close what ends here, until a comma asks for the next one.
    while (!open) {
      index = skipSpace(text, index);
      const frame = frames.at(-1);
      if (frame === undefined) return index === text.length ? undefined : faultAt(index, true);
      if (text[index] === ",") {
        frame.index++;
        index = skipSpace(text, index + 1);
        open = true;
      } else if (text[index] === (frame.list ? "]" : "}")) {
        frames.pop();
        index++;
      } else return faultAt(index);
    }
    const frame = frames.at(-1)!;
    if (!frame.list) {
      const end = text[index] === '"' ? endOfString(text, index) : { index, whole: false };
      if (!end.whole) return faultAt(end.index);
      frame.key = text.slice(index + 1, end.index - 1);
      index = skipSpace(text, end.index);
      if (text[index] !== ":") return faultAt(index);
      index = skipSpace(text, index + 1);
    }
  }
}

interface End {
  readonly index: number;
  readonly whole: boolean;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function endOfString(text: string, start: number): End {
  let index = start + 1;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code === 0x22) return { index: index + 1, whole: true };
    if (code === 0x5c) {
      const end = matchEnd(ESCAPE, text, index);
      // An escape that the end of the text cuts in two is a cut, not a mistake.
      if (end === index) return { index: text.length - index < 6 ? text.length : index, whole: false };
      index = end;
    } else if (code >= 0x20) index++;
    else return { index, whole: false }; // a raw control character, or the end (NaN)
  }
}

function endOfScalar(text: string, start: number): End {
  const end = matchEnd(SCALAR, text, start);
  const token = text.slice(start, Math.min(end, start + 400));
  const whole = NUMBER_OR_WORD.test(token);
  const cut =
    end === text.length &&
    (["true", "false", "null"].some((word) => word.startsWith(token)) || /^[-\d]/.test(token));
  return { index: whole || cut ? end : start, whole };
}

function matchEnd(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}

/** The outermost two steps of the path: a list on its own is a list of messages. */
function pathOf(frames: readonly Frame[]): string {
  const [outer, inner] = frames;
  if (outer === undefined) return "";
  if (outer.list) return `messages[${outer.index}]`;
  return inner?.list ? `${outer.key}[${inner.index}]` : outer.key;
}
