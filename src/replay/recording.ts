/** Recording: a conversation that was held, cut into the requests it was made of, to be held again under other conditions. */
import type { Message } from "../conversation/message.ts";
import { InputError } from "../errors/input-error.ts";
import { LIST_KEYS } from "../json/source.ts";
import { readBody } from "../providers/body.ts";
import { type ReadOptions, readConversation } from "../providers/detect.ts";

/** What happens between two requests: an answer came, and things were said after it. */
export interface RecordedExchange {
  /** What is new in this request. */
  readonly added: readonly Message[];
  /** The assistant's answer, which is part of what the next request adds. */
  readonly answer: Message;
  /** Milliseconds since the epoch, where the answer says. */
  readonly at?: number;
}

export interface Recording {
  readonly format: string;
  /** The request with no messages: what is around them stays the same throughout. */
  readonly frame: unknown;
  readonly exchanges: readonly RecordedExchange[];
  readonly model?: string;
}

/** A request goes before each message of the assistant. Throws InputError where there is none. */
export function readRecording(input: unknown, options: ReadOptions = {}): Recording {
  const conversation = readConversation(input, options);
  const { key, rest } = readBody(input);
  const isOutside = rest[LIST_KEYS[key]] !== undefined && conversation.messages[0]?.role === "system";
  const messages = isOutside ? conversation.messages.slice(1) : conversation.messages;
  const exchanges: RecordedExchange[] = [];
  let added: Message[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      exchanges.push({ added, answer: message, ...timeOf(message) });
      added = [];
    }
    added.push(message);
  }
  if (exchanges.length === 0)
    throw new InputError("There is no message of an assistant in it, so there was no request to replay.");
  const isList = Object.keys(rest).length === 0;
  return {
    format: conversation.format,
    frame: isList ? [] : { ...rest, [key]: [] },
    exchanges,
    ...(conversation.model !== undefined && { model: conversation.model }),
  };
}

/** The request with more messages at its end. */
export function appended(body: unknown, messages: readonly Message[]): unknown {
  // In some formats one message is several items of the list.
  const values = messages.flatMap(({ raw }) => raw!.value);
  if (Array.isArray(body)) return [...body, ...values];
  const fields = body as Record<string, unknown>;
  const key = Object.keys(LIST_KEYS).find((name) => Array.isArray(fields[name]))!;
  return { ...fields, [key]: [...(fields[key] as readonly unknown[]), ...values] };
}

/** Some recorders stamp their messages; the wire formats themselves have no time. */
function timeOf({ raw }: Message): { readonly at?: number } {
  const { timestamp, created_at } = [raw!.value].flat()[0] as Record<string, unknown>;
  const stamp = timestamp ?? created_at;
  const at = typeof stamp === "number" ? (stamp < 1e11 ? stamp * 1000 : stamp) : Date.parse(String(stamp));
  return Number.isFinite(at) ? { at } : {};
}
