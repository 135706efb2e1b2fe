/** Readable text: what a hand-off may quote of a message, and which of it stands in files. */
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { readFolderLine, withFolder } from "../ledger/file-root.ts";
import { readFileLine, readNames } from "../ledger/ledger-lines.ts";
import { endsOf } from "../ledger/said.ts";
import { meaningOf } from "../ledger/tool-vocabulary.ts";
import { dataLines } from "./data-lines.ts";
import { pathOfCall } from "./file-of-call.ts";
import { readSections } from "./sections.ts";
import { handoffIn, separateHandoff } from "./separate.ts";

export interface Readable {
  readonly text: string;
  /** How long it is where nothing is left out. */
  readonly chars: number;
  /** Where the message's calls start. */
  readonly callsAt: number;
  readonly writes: readonly Write[];
  /** What was JSON and is leaves with their keys, in order. */
  readonly data: readonly Stretch[];
  /** Where the names that a hand-off tells start. */
  readonly namesAt?: number;
}

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A stretch of the text that stands in a file. */
interface Write extends Stretch {
  readonly path: string;
}

/**
 * What a hand-off may quote of a message: prose, calls with readable arguments, results. An old hand-off without its
 * frame. With `ends`, of a long text its two ends alone.
 */
export function readableText(message: Message, { ends = false } = {}): Readable {
  if (!ends) return wholeText(message, Number.POSITIVE_INFINITY);
  return endsOnly(wholeText(message, 2 * END_CHARS));
}

/** Answers in JSON are told by their leaves, up to so many characters. */
function wholeText(message: Message, dataChars: number): Readable {
  const found = handoffIn(message);
  if (found) {
    const { own } = separateHandoff(message);
    // Doubts are gathered anew by every hand-off; a quoted annotation would pile up (R21).
    const { progress, files } = readSections(found.body);
    const said = (own?.parts ?? []).map((part) => readablePart(part));
    const told = readable([...progress, ...said], Number.POSITIVE_INFINITY);
    return withNamesTold(told, files);
  }
  const { parts } = message;
  const texts = parts.map((part) => readablePart(part, dataChars));
  const call = parts.findIndex(({ type }) => type === "tool-call");
  const whole = readable(texts, call < 0 ? parts.length : call);
  const isPlain = call < 0 && !parts.some((part, at) => wasJson(part, texts[at]!));
  return isPlain ? whole : { ...whole, ...stretchesIn(parts, texts) };
}

/** So much of each end says what a long answer was, and how it ended. */
const END_CHARS = 500;

/** The same of a long text's two ends alone. */
function endsOnly(whole: Readable): Readable {
  const { text, callsAt } = whole;
  const short = endsOf(text, 2 * END_CHARS);
  if (short === text) return whole;
  const fromEnd = text.length - callsAt;
  return {
    text: short,
    chars: text.length,
    callsAt: fromEnd < END_CHARS ? short.length - fromEnd : Math.min(callsAt, END_CHARS),
    writes: NONE,
    data: NONE,
  };
}

/** The text of an earlier hand-off, and below it the names that it tells of files. */
function withNamesTold({ text, callsAt }: Readable, lines: readonly string[]): Readable {
  const folder = lines.map(readFolderLine).find((each) => each !== undefined) ?? "";
  const writes: Write[] = [];
  let whole = text;
  for (const told of lines) {
    const { line, names } = readNames(told);
    if (names.length === 0) continue;
    const path = withFolder(folder, readFileLine(line)?.path ?? line);
    const start = whole.length + 1;
    whole += `\n${names.join(", ")}`;
    writes.push({ start, end: whole.length, path });
  }
  return {
    text: whole,
    chars: whole.length,
    callsAt: Math.max(callsAt, whole.length),
    writes,
    data: NONE,
    namesAt: text.length,
  };
}

const NONE: readonly never[] = [];

/** From its second line on, a long call is what it writes to a file. */
function stretchesIn(parts: readonly Part[], texts: readonly string[]): Pick<Readable, "writes" | "data"> {
  const writes: Write[] = [];
  const data: Stretch[] = [];
  let start = 0;
  parts.forEach((part, at) => {
    const text = texts[at]!;
    if (part.type === "tool-call" && part.arguments.length > ONE_LINE_CALL_CHARS) {
      const path = pathOfCall(part.arguments);
      const bulk = text.indexOf("\n") + 1;
      if (path !== undefined && bulk > 0)
        writes.push({ start: start + bulk, end: start + text.length, path });
    }
    if (wasJson(part, text)) data.push({ start, end: start + text.length });
    if (text !== "") start += text.length + 1;
  });
  return { writes, data };
}

function wasJson(part: Part, text: string): boolean {
  return part.type === "tool-result" && text !== part.text;
}

/** Calls follow the prose in every format, so all from the first one on is theirs. */
function readable(texts: readonly string[], firstCall: number): Readable {
  const text = texts.length === 1 ? texts[0]! : texts.filter(Boolean).join("\n");
  let callsAt = text.length;
  for (let at = firstCall; at < texts.length; at++) if (texts[at] !== "") callsAt -= texts[at]!.length + 1;
  return { text, chars: text.length, callsAt: Math.max(0, callsAt), writes: NONE, data: NONE };
}

function readablePart(part: Part, dataChars = Number.POSITIVE_INFINITY): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "tool-result":
      return (part.text.length <= dataChars ? dataLines(part.text) : undefined) || part.text;
    case "tool-call":
      // The ledger tells the newest state of the list; every earlier one is out of date.
      return meaningOf(part.name)?.does === "todo" ? "" : readableCall(part.name, part.arguments);
    default:
      return "";
  }
}

const ONE_LINE_CALL_CHARS = 240;

/** A short call stands as it is; a long one as its name and short values on one line and its long values as lines of their own. */
function readableCall(name: string, json: string): string {
  if (json.length <= ONE_LINE_CALL_CHARS) return `${name} ${json}`;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return `${name} ${json}`;
  }
  const short: string[] = [];
  const long: string[] = [];
  collectLeaves(value, short, long);
  return [`${name} ${short.join(", ")}`, ...long].join("\n");
}

/** In order, without recursion: JSON from the wire may be nested deeper than the stack. */
function collectLeaves(value: unknown, short: string[], long: string[]): void {
  const open: { readonly key: string; readonly value: unknown }[] = [{ key: "", value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { key, value: current } = next;
    if (current !== null && typeof current === "object") {
      const isList = Array.isArray(current);
      for (const [inner, each] of Object.entries(current).reverse()) {
        open.push({ key: isList ? key : inner, value: each });
      }
      continue;
    }
    const text = String(current);
    if (text.includes("\n") || text.length > ONE_LINE_CALL_CHARS) long.push(text);
    else short.push(key ? `${key}: ${text}` : text);
  }
}
