/** JsonSource: where each message stands in the text of a body, found without parsing the body as a whole. */
import { InputError } from "../errors/input-error.ts";
import { faultOf, placeAt } from "./fault.ts";
import {
  BRACE,
  BRACE_END,
  BRACKET,
  BRACKET_END,
  COLON,
  COMMA,
  QUOTE,
  skipSpace,
  skipString,
  skipValue,
  textStart,
} from "./scan.ts";
import { isObject, kindOfValue, parsedJson, type WireObject } from "./wire-value.ts";

/** A range of the text, `end` exclusive. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** Where a body keeps its messages, and where the system prompt beside them: one API calls them so, another so. */
export const LIST_KEYS = { messages: "system", input: "instructions" } as const;
export type ListKey = keyof typeof LIST_KEYS;

export interface JsonSource {
  readonly text: string;
  /** `messages` for a bare list, too. */
  readonly key: ListKey;
  /** The inside of the messages list, its brackets left out. */
  readonly list: Slice;
  /** Each element of the messages list. */
  readonly elements: readonly Slice[];
  /** The whole body with an empty list; undefined when the text is a bare list. */
  readonly rest: WireObject | undefined;
  /** The system prompt beside the list, from its key on. */
  readonly system?: { readonly keyStart: number; readonly value: Slice };
}

/** V8 holds strings of up to 512 million characters; writing needs room for a second copy. */
export const MAX_TEXT_CHARACTERS = 256 * 1024 * 1024;

/**
 * Finds the messages in the text of a body: a JSON list of messages, or an object with a `messages` or an `input` list.
 *
 *     readJsonSource('{"model":"m","messages":[{"role":"user"}]}').elements → [{ start: 25, end: 40 }]
 */
export function readJsonSource(text: string): JsonSource {
  if (text.length > MAX_TEXT_CHARACTERS) {
    throw new InputError(
      `The input has ${text.length} characters; at most ${MAX_TEXT_CHARACTERS} can be read. ` +
        "Give only the conversation that is sent to the model.",
    );
  }
  const start = skipSpace(text, textStart(text));
  const opener = text.charCodeAt(start);
  if (opener !== BRACKET && opener !== BRACE) throw wrongKind(text, start);
  const found = opener === BRACKET ? scanBareList(text, start) : scanBody(text, start);
  if (found === undefined || skipSpace(text, found.end) !== text.length) throw faultOf(text);
  const { key = "messages", list, elements, system } = found;
  if (opener === BRACKET) return { text, key, list: list!, elements: elements!, rest: undefined };
  const rest = parseRest(text, list);
  if (list === undefined) throw withoutMessages(text, start, rest);
  return { text, key, list, elements: elements!, rest, ...(system === undefined ? {} : { system }) };
}

/** Parses one slice, with the place in the whole text when it is not JSON. */
export function parseSlice(text: string, slice: Slice): unknown {
  return parse(text, text.slice(slice.start, slice.end));
}

interface Found {
  readonly end: number;
  readonly key?: ListKey;
  readonly list?: Slice | undefined;
  readonly elements?: readonly Slice[] | undefined;
  readonly system?: JsonSource["system"];
}

function scanBareList(text: string, start: number): Found | undefined {
  const elements = scanList(text, start);
  if (elements === undefined) return undefined;
  const end = listEnd(text, start, elements);
  return { end: end + 1, list: { start: start + 1, end }, elements };
}

/** The members of the outermost object. A repeated key counts as in JSON.parse: the last one wins. */
function scanBody(text: string, start: number): Found | undefined {
  const lists: Partial<Record<ListKey, { readonly list: Slice; readonly elements: readonly Slice[] }>> = {};
  const prompts: Partial<Record<string, NonNullable<JsonSource["system"]>>> = {};
  let index = skipSpace(text, start + 1);
  while (text.charCodeAt(index) === QUOTE) {
    const keyStart = index;
    const keyEnd = skipString(text, keyStart);
    if (keyEnd < 0) return undefined;
    const colon = skipSpace(text, keyEnd);
    if (text.charCodeAt(colon) !== COLON) return undefined;
    const valueStart = skipSpace(text, colon + 1);
    const key = keyAt(text, keyStart, keyEnd);
    let end: number;
    if (isListKey(key) && text.charCodeAt(valueStart) === BRACKET) {
      const elements = scanList(text, valueStart);
      if (elements === undefined) return undefined;
      const list = { start: valueStart + 1, end: listEnd(text, valueStart, elements) };
      lists[key] = { list, elements };
      end = list.end + 1;
    } else {
      end = skipValue(text, valueStart);
      if (end < 0) return undefined;
      if (isListKey(key)) delete lists[key];
      prompts[String(key)] = { keyStart, value: { start: valueStart, end } };
    }
    index = skipSpace(text, end);
    if (text.charCodeAt(index) !== COMMA) break;
    index = skipSpace(text, index + 1);
  }
  if (text.charCodeAt(index) !== BRACE_END) return undefined;
  const key = lists.messages || !lists.input ? "messages" : "input";
  const system = prompts[LIST_KEYS[key]];
  return { end: index + 1, key, ...lists[key], ...(system === undefined ? {} : { system }) };
}

function isListKey(key: unknown): key is ListKey {
  return key === "messages" || key === "input";
}

function keyAt(text: string, start: number, end: number): unknown {
  const key = text.slice(start + 1, end - 1);
  return key.includes("\\") ? parse(text, text.slice(start, end)) : key;
}

/** The elements of the list whose bracket stands at `start`; undefined when it is not a whole list. */
function scanList(text: string, start: number): readonly Slice[] | undefined {
  const elements: Slice[] = [];
  let index = skipSpace(text, start + 1);
  if (text.charCodeAt(index) === BRACKET_END) return elements;
  for (;;) {
    const end = skipValue(text, index);
    if (end < 0) return undefined;
    elements.push({ start: index, end });
    index = skipSpace(text, end);
    const code = text.charCodeAt(index);
    if (code === BRACKET_END) return elements;
    if (code !== COMMA) return undefined;
    index = skipSpace(text, index + 1);
  }
}

function listEnd(text: string, start: number, elements: readonly Slice[]): number {
  return skipSpace(text, elements.at(-1)?.end ?? start + 1);
}

function parseRest(text: string, list: Slice | undefined): WireObject {
  const start = textStart(text);
  const outside =
    list === undefined ? text.slice(start) : `${text.slice(start, list.start)}${text.slice(list.end)}`;
  const rest = parse(text, outside);
  return isObject(rest) ? rest : {};
}

function parse(text: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw faultOf(text, cause);
  }
}

const EXPECTED = "Expected a JSON list of messages, or an object with a `messages` list";

/** The text does not start as a list or an object: valid JSON of another kind, or no JSON. */
function wrongKind(text: string, start: number): InputError {
  const value = parsedJson(text.slice(start));
  if (value === undefined) return faultOf(text);
  return new InputError(`${EXPECTED}, found ${kindOfValue(value)}.`, placeAt(text, start));
}

function withoutMessages(text: string, start: number, rest: WireObject): InputError {
  return new InputError(missingMessages(rest), placeAt(text, start));
}

/** Why an object without a `messages` list is no conversation, and what to do. */
export function missingMessages(body: WireObject): string {
  if ("messages" in body) return `${EXPECTED}, but \`messages\` is ${kindOfValue(body.messages)}.`;
  if ("role" in body) return `${EXPECTED}, found a single message. Put it into a list: [ … ].`;
  const keys = Object.keys(body).slice(0, 5).join(", ");
  return `${EXPECTED}, found an object without \`messages\`${keys === "" ? "" : ` (its keys: ${keys})`}.`;
}
