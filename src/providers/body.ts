/** Body: a request body around its messages, given as text or as a value, and written back as the same kind. */
import type { Message, RawMessage } from "../conversation/message.ts";
import { InputError } from "../errors/input-error.ts";
import { placeAt } from "../json/fault.ts";
import {
  isLoneText,
  type JsonSource,
  LIST_KEYS,
  type ListKey,
  missingMessages,
  parseSlice,
  readAnySource,
} from "../json/source.ts";
import { isObject, kindOfValue, type WireObject, withKeys } from "../json/wire-value.ts";
import { spliceBody } from "./splice-body.ts";

export interface Body {
  /** What was given; an untouched conversation is written back as exactly this. */
  readonly input: unknown;
  /** The wire value of each message. */
  readonly values: readonly WireObject[];
  /** Under which key the body has its messages. */
  readonly key: ListKey;
  /** The whole body, of which only the keys beside the list are to be read; empty for a bare list. */
  readonly rest: WireObject;
  /** Where everything is, when the input was text. */
  readonly source?: JsonSource;
}

/** What a format keeps in `Conversation.envelope`: the body, and the messages as they were read. */
export interface Envelope {
  readonly body: Body;
  readonly messages: readonly Message[];
  /** The system prompt that the body keeps beside its messages. */
  readonly system?: RawMessage;
}

/** One message to write. */
export interface WireItem {
  /** An original, or a new value. */
  readonly raw: RawMessage;
  /** The original that a rewritten value stands for. */
  readonly origin?: RawMessage;
}

/** Reads text or a value. A Body is given back as it is, so that detecting and reading share one scan. */
export function readBody(input: unknown): Body {
  if (bodies.has(input as Body)) return input as Body;
  const body = typeof input === "string" ? bodyOfText(input) : bodyOfValue(input);
  bodies.add(body);
  return body;
}

/** The raw message at an index, with its very source when the body was text. */
export function rawMessageAt({ values, source }: Body, index: number): RawMessage {
  const slice = source?.elements[index];
  const value = values[index];
  return slice === undefined ? { value } : { value, source: source!.text.slice(slice.start, slice.end) };
}

/** Writes the messages into the body they came from; `system` undefined leaves or makes the body without one. */
export function writeBody(envelope: Envelope, items: readonly WireItem[], system?: WireItem): unknown {
  const { body } = envelope;
  const untouched =
    system?.raw === envelope.system &&
    items.length === envelope.messages.length &&
    items.every((item, index) => item.raw === envelope.messages[index]!.raw);
  if (untouched) return body.input;
  if (body.source !== undefined) return spliceBody(body.source, envelope, items, system);
  const messages = items.flatMap((item) => item.raw.value);
  if (Array.isArray(body.input)) return messages;
  const changes = new Map<string, unknown>([[body.key, messages]]);
  if (system?.raw !== envelope.system) changes.set(LIST_KEYS[body.key], system?.raw.value);
  return withKeys(body.rest, changes);
}

/** The body as one value, for looking at; its text, if any, is not parsed again. */
export function bodyValue(body: Body): unknown {
  if (isLoneText(body.rest)) return { ...body.rest, [body.key]: body.values };
  if (body.source === undefined) return body.input;
  return body.source.rest === undefined ? body.values : { ...body.rest, [body.key]: body.values };
}

const bodies = new WeakSet<Body>();

function bodyOfText(text: string): Body {
  const source = readAnySource(text);
  const values = source.elements.map((slice, index) => {
    const value = parseSlice(source.text, slice);
    if (!isObject(value)) throw notAMessage(value, index, placeAt(source.text, slice.start));
    return value;
  });
  return { input: text, values, key: source.key, rest: source.rest ?? {}, source };
}

function bodyOfValue(input: unknown): Body {
  if (ArrayBuffer.isView(input)) throw new InputError("The input is bytes. Decode it to a string first.");
  if (isObject(input) && isLoneText(input))
    return { input, values: [{ role: "user", content: input.input }], key: "input", rest: input };
  const key =
    isObject(input) && !Array.isArray(input.messages) && Array.isArray(input.input) ? "input" : "messages";
  const messages = Array.isArray(input) ? input : isObject(input) ? input[key] : undefined;
  if (!Array.isArray(messages)) {
    const found = isObject(input)
      ? missingMessages(input)
      : `Expected text, a list of messages, or an object with a \`messages\` or \`input\` list, found ${kindOfValue(input)}.`;
    throw new InputError(found);
  }
  for (let index = 0; index < messages.length; index++) {
    if (!isObject(messages[index])) throw notAMessage(messages[index], index);
  }
  return { input, values: messages, key, rest: Array.isArray(input) ? {} : (input as WireObject) };
}

function notAMessage(
  value: unknown,
  index: number,
  place: { line?: number; column?: number } = {},
): InputError {
  const path = `messages[${index}]`;
  const where = place.line === undefined ? "" : ` (line ${place.line}, column ${place.column})`;
  return new InputError(
    `${path}${where} is ${kindOfValue(value)}; each message must be an object with a \`role\`.`,
    { ...place, path },
  );
}
