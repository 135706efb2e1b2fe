/** rideOf: the conversation as its own model has it in the cache, so that a summary can be asked for at its end. */

import { type Conversation, withMessages } from "../conversation/conversation.ts";
import type { Message } from "../conversation/message.ts";
import { endsInFlight } from "../conversation/turn.ts";
import { textStart } from "../json/scan.ts";
import { parsedJson } from "../json/wire-value.ts";
import { formatNamed } from "../providers/detect.ts";
import type { Ride } from "./summarizer.ts";

/**
 * None where a call is still unanswered, since nobody may speak before its result; and none where a message is not, or
 * no longer, what was sent.
 */
export function rideOf(conversation: Conversation): Ride | undefined {
  const { messages, tools } = conversation;
  const asSent = messages.every(({ raw, changed }) => raw !== undefined && !changed);
  const besides = fieldsBesides(conversation);
  if (!besides || !asSent || messages.length === 0 || endsInFlight(messages)) return undefined;
  // What the wire keeps beside its list of messages was read as a system message before it.
  const apart =
    besides.system !== undefined &&
    JSON.stringify(besides.system) === JSON.stringify(messages[0]!.raw!.value);
  const cached = CACHED_FIELDS.flatMap((name) => (name in besides ? [[name, besides[name]]] : []));
  // The user may not come after a program's words.
  const end = messages.findLastIndex(({ placed }) => !placed) + 1;
  return {
    messages: messages.slice(apart ? 1 : 0, end).map(jsonOf),
    ...(apart && { system: jsonOf(messages[0]!) }),
    fields: { ...Object.fromEntries(cached), ...(tools.length > 0 && { tools }) },
  };
}

/** The request's body as JSON: the conversation's own characters, then one more message of the user. */
export function rideBody(
  { messages, system, fields }: Ride,
  prompt: string,
  own: Readonly<Record<string, unknown>>,
): string {
  const last = JSON.stringify({ role: "user", content: prompt });
  const rest = Object.entries({ ...fields, ...own }).map(
    ([name, value]) => `"${name}":${JSON.stringify(value)}`,
  );
  const apart = system === undefined ? [] : [`"system":${system}`];
  return `{${[...rest, ...apart, `"messages":[${[...messages, last].join(",")}]`].join(",")}}`;
}

/** Of the request's other fields those that decide what is cached and where; the rest shapes answers. */
const CACHED_FIELDS = ["thinking", "reasoning_effort", "cache_control", "prompt_cache_key"];

/** The body without its messages; nothing for a bare list, and undefined for text that is no JSON in itself. */
function fieldsBesides(conversation: Conversation): Readonly<Record<string, unknown>> | undefined {
  const { messages, format } = conversation;
  const lead = messages[0]?.role === "system" ? messages.slice(0, 1) : [];
  const written = formatNamed(format).write(withMessages(conversation, lead));
  const body = typeof written === "string" ? parsedJson(written.slice(textStart(written))) : written;
  if (typeof body !== "object" || body === null) return undefined;
  return Array.isArray(body) ? {} : (body as Record<string, unknown>);
}

function jsonOf({ raw }: Message): string {
  return raw?.source ?? JSON.stringify(raw?.value);
}
