/** JsonSource: where each message is in the text of a body, found without parsing the body as a whole. */
import { InputError } from "../errors/input-error.ts";
import { faultOf, placeAt } from "./fault.ts";
import {
  BRACE,
  BRACKET,
  findValue,
  type Member,
  type Scanned,
  type Slice,
  scanList,
  scanObject,
  skipSpace,
  skipValue,
  textStart,
} from "./scan.ts";
import { isObject, kindOfValue, parsedJson, parsedObject, type WireObject } from "./wire-value.ts";

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
  readonly system?: Member;
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
  const { key, list, elements, system } = found;
  if (opener === BRACKET) return { text, key, list: list!, elements: elements!, rest: undefined };
  const rest = parseRest(text, list);
  if (list === undefined) throw withoutMessages(text, start, rest);
  return { text, key, list, elements: elements!, rest, ...(system && { system }) };
}

/** The same, where the body may also have a text for a list: it is read as the body that has that list. */
export function readAnySource(text: string): JsonSource {
  try {
    return readJsonSource(text);
  } catch (error) {
    const listed = withListedInput(text);
    if (listed === undefined) throw error;
    return readJsonSource(listed);
  }
}

/** The Responses API takes a text for a list of one message of the user. */
export function isLoneText(body: WireObject): boolean {
  return typeof body.input === "string" && !Array.isArray(body.messages);
}

/** The text of a body with a lone text as the list of one message, every other character as it was. */
function withListedInput(text: string): string | undefined {
  const start = textStart(text);
  if (!isLoneText(parsedObject(text.slice(start)))) return undefined;
  const lone = findValue(text, start, ["input"])!;
  const said = text.slice(lone.start, lone.end);
  return `${text.slice(0, lone.start)}[{"role":"user","content":${said}}]${text.slice(lone.end)}`;
}

/** Parses one slice, with the place in the whole text when it is not JSON. */
export function parseSlice(text: string, slice: Slice): unknown {
  return parse(text, text.slice(slice.start, slice.end));
}

interface Found {
  readonly end: number;
  readonly key: ListKey;
  readonly list?: Slice;
  readonly elements?: readonly Slice[];
  readonly system?: Member | undefined;
}

function scanBareList(text: string, start: number): Found | undefined {
  const list = scanList(text, start);
  return list && { end: list.end, key: "messages", ...placesOf(start, list) };
}

/** The members of the outermost object. A repeated key counts as in JSON.parse: the last one wins. */
function scanBody(text: string, start: number): Found | undefined {
  const lists = new Map<number, Scanned<Slice>>();
  // The list of messages, nearly all of the text, is stepped over once.
  const body = scanObject(text, start, (key, at) => {
    const list = key === "messages" || key === "input" ? scanList(text, at) : undefined;
    if (list) lists.set(at, list);
    return list?.end ?? skipValue(text, at);
  });
  if (body === undefined) return undefined;
  const memberOf = (key: string) => body.items.findLast((member) => member.key === key);
  const listOf = (key: ListKey) => {
    const at = memberOf(key)?.value.start ?? -1;
    const list = lists.get(at);
    return list && placesOf(at, list);
  };
  const [messages, input] = [listOf("messages"), listOf("input")];
  const key = messages || !input ? "messages" : "input";
  return { end: body.end, key, ...(messages ?? input), system: memberOf(LIST_KEYS[key]) };
}

function placesOf(start: number, { items, end }: Scanned<Slice>): Pick<JsonSource, "list" | "elements"> {
  return { list: { start: start + 1, end: end - 1 }, elements: items };
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

const EXPECTED = "Expected a JSON list of messages, or an object with a `messages` or `input` list";

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
  if ("input" in body) return `${EXPECTED}, but \`input\` is ${kindOfValue(body.input)}.`;
  if (Array.isArray(body.contents))
    return `${EXPECTED}, found a \`contents\` list, a format that is not read.`;
  if ("role" in body) return `${EXPECTED}, found a single message. Put it into a list: [ … ].`;
  const keys = Object.keys(body).slice(0, 5).join(", ");
  return `${EXPECTED}, found an object without these${keys === "" ? "" : ` (its keys: ${keys})`}.`;
}
