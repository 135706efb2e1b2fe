/** askedAgain: a request that was sent, once more with one more message of the user; all before it is the very same text. */
import { elementsAt, membersAt, skipSpace, textStart } from "../json/scan.ts";
import { isObject, type WireObject } from "../json/wire-value.ts";
import type { SummaryRequest } from "./summarizer.ts";

/** The wire formats of requests that can be sent again. */
export type AskedFormat = "openai-chat" | "openai-responses" | "anthropic-messages";

/**
 * The body of the request, as JSON. Without a ride in the request, the prompt holds the transcript: then nothing of the
 * conversation is sent beside it.
 *
 * @param sent the body as it was sent
 */
export function askedAgain(
  sent: string,
  format: AskedFormat,
  { prompt, ride, targetTokens }: SummaryRequest,
): string {
  const list = format === "openai-responses" ? "input" : "messages";
  const members = membersOf(sent).filter(([name]) => ride !== undefined || !OF_CONVERSATION.has(name));
  const changes = changesFor[format](new Map(members), targetTokens);
  const message = JSON.stringify({ role: "user", content: prompt });
  const written = members.flatMap(([name, value]) => {
    if (name === list) return [`"${name}":${ride ? `${inside(value, format)},${message}]` : `[${message}]`}`];
    if (!changes.has(name)) return [`${JSON.stringify(name)}:${value}`];
    const now = changes.get(name);
    changes.delete(name);
    return now === undefined ? [] : [`"${name}":${JSON.stringify(now)}`];
  });
  const added = [...changes].flatMap(([name, value]) =>
    value === undefined ? [] : [`"${name}":${JSON.stringify(value)}`],
  );
  return `{${[...written, ...added].join(",")}}`;
}

/** What is of the conversation besides its messages. */
const OF_CONVERSATION = new Set([
  ...["system", "instructions", "tools", "tool_choice", "functions"],
  // Refused where there are no tools.
  "parallel_tool_calls",
]);

/** Tokens that every model of Anthropic's wire can write: a client that wants less at a time still gets a whole summary. */
const ANY_MODEL_WRITES = 4_096;

type Members = ReadonlyMap<string, string>;

/** Fields that shape the agent's answers and must not shape a summary; undefined: they are left out. No other is touched. */
const changesFor: Readonly<
  Record<AskedFormat, (sent: Members, targetTokens: number) => Map<string, unknown>>
> = {
  "openai-chat": (sent) =>
    new Map<string, unknown>([
      ...leftOut("max_tokens", "max_completion_tokens", "n", "stop", "response_format", "function_call"),
      ...leftOut("logprobs", "top_logprobs", "logit_bias", "prediction", "modalities", "audio"),
      ...noCalls(sent),
      ...(sent.get("stream") === "true" ? [["stream_options", { include_usage: true }] as const] : []),
    ]),
  "openai-responses": (sent) =>
    new Map<string, unknown>([
      ...leftOut("max_output_tokens", "max_tool_calls", "top_logprobs", "background"),
      ...withoutFormat(sent, "text"),
      ...noCalls(sent),
    ]),
  "anthropic-messages": (sent, targetTokens) => {
    // The cap counts thinking too, and must be above what is set aside for it.
    const thinking = Number(objectIn(sent, "thinking").budget_tokens ?? 0);
    const wanted = Math.min(32_000, Math.max(8_192, targetTokens * 4));
    // More than the model can write is refused: what the client allows, it can.
    const allowed = Math.max(ANY_MODEL_WRITES, (Number(sent.get("max_tokens")) || wanted) - thinking);
    const most = Math.min(wanted, allowed) + thinking;
    // subtle: another choice than before empties the cache of all messages; it is changed only where it demands a call.
    const isForced = ["any", "tool"].includes(String(objectIn(sent, "tool_choice").type));
    return new Map<string, unknown>([
      ["max_tokens", most],
      ...leftOut("stop_sequences", "output_format"),
      ...withoutFormat(sent, "output_config"),
      ...(isForced ? [["tool_choice", { type: "none" }] as const] : []),
    ]);
  },
};

function leftOut(...names: readonly string[]): (readonly [string, undefined])[] {
  return names.map((name) => [name, undefined] as const);
}

/** On OpenAI's wires the choice is no part of what is cached. */
function noCalls(sent: Members): (readonly [string, string])[] {
  return sent.has("tools") ? [["tool_choice", "none"]] : [];
}

function withoutFormat(sent: Members, name: string): (readonly [string, unknown])[] {
  const { format, ...rest } = objectIn(sent, name);
  if (format === undefined) return [];
  return [[name, Object.keys(rest).length === 0 ? undefined : rest]];
}

function objectIn(sent: Members, name: string): WireObject {
  const value: unknown = JSON.parse(sent.get(name) ?? "{}");
  return isObject(value) ? value : {};
}

/** A list without its last bracket, and without a program's words at its end: the user may not come after them. */
function inside(list: string, format: AskedFormat): string {
  const whole = list.slice(0, list.lastIndexOf("]")).trimEnd();
  if (format !== "anthropic-messages") return whole;
  const elements = elementsAt(list, skipSpace(list, 0));
  const end = elements.findLastIndex(({ start, end }) => !isSystem(list.slice(start, end)));
  return end < 0 ? whole : list.slice(0, elements[end]!.end);
}

function isSystem(element: string): boolean {
  const value: unknown = JSON.parse(element);
  return isObject(value) && value.role === "system";
}

/** The members of a JSON object in their order, each value in its own characters. */
function membersOf(text: string): readonly (readonly [name: string, value: string])[] {
  const members = membersAt(text, skipSpace(text, textStart(text)));
  return members.map(({ key, value }) => [key, text.slice(value.start, value.end)]);
}
