/** Writing one openai-chat message that was changed or is new: the raw value with only the changed parts exchanged. */
import type { Message, Role } from "../../conversation/message.ts";
import {
  type Part,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  textOfPart,
} from "../../conversation/part.ts";
import { isObject, parsedJson, type WireObject, withKeys } from "../../json/wire-value.ts";
import { alignParts, pieceAt, valueUnder } from "../places.ts";
import { textOfPiece, writeResultContent } from "../result-content.ts";
import { idOfCall, places, REASONING_LIST_KEYS, REASONING_TEXT_KEYS } from "./read.ts";

/** The wire value of a message. Keys that no part stands for (names, ids, flags of the caller) stay as they are. */
export function writeMessage(message: Message): WireObject {
  const { raw, parts } = message;
  const value = raw === undefined ? {} : (valueUnder(raw, "") as WireObject);
  const changes = new Map<string, unknown>();
  if (raw === undefined) changes.set("role", WIRE_ROLES[message.role]);
  if (message.role === "tool") writeToolMessage(message, value, changes);
  else {
    changes.set("content", writeContent(message, value.content));
    writeReasoning(parts, value, changes);
    for (const key of ["refusal", "audio"]) dropUnclaimed(key, message, value, changes);
    writeCalls(message, value, changes);
  }
  return withKeys(value, changes);
}

/** `other` is written only for messages that Pith makes, and it makes none. */
const WIRE_ROLES: Readonly<Record<Role, string>> = {
  system: "system",
  user: "user",
  assistant: "assistant",
  tool: "tool",
  other: "user",
};

/** Parts that were read from a key, and new ones that belong there. */
function partsUnder(parts: readonly Part[], key: string, belongs: (part: Part) => boolean): readonly Part[] {
  return parts.filter((part) => {
    const place = places.get(part);
    return place === undefined ? belongs(part) : place.key === key;
  });
}

function writeToolMessage({ raw, parts }: Message, value: WireObject, changes: Map<string, unknown>): void {
  const result = parts.find((part) => part.type === "tool-result");
  const others = parts.filter((part) => part !== result);
  if (raw === undefined && result !== undefined) changes.set("tool_call_id", result.pairId);
  const isSame = result !== undefined && raw !== undefined && places.get(result)?.raw === raw;
  const content =
    result === undefined || isSame ? value.content : writeResultContent(result, value.content, places);
  if (result !== undefined && others.length === 0) changes.set("content", content);
  else changes.set("content", withNotes(parts, result, content));
}

/** Text that was put before or after a result, set off by blank lines. A message answers one call: more is text. */
function withNotes(parts: readonly Part[], result: ToolResultPart | undefined, content: unknown): unknown {
  if (result === undefined || !Array.isArray(content))
    return parts.map(textOfPart).filter(Boolean).join("\n\n");
  return parts.flatMap((part) => (part === result ? content : [{ type: "text", text: textOfPart(part) }]));
}

function writeContent({ raw, parts }: Message, content: unknown): unknown {
  const said = partsUnder(parts, "content", (part) => part.type !== "tool-call" && part.type !== "reasoning");
  if (said.length === 0) {
    // null is legal only beside calls, and a list may not be empty.
    if (content === "" || !parts.some(isCall)) return "";
    return raw !== undefined && content === undefined ? undefined : null;
  }
  if (!Array.isArray(content)) {
    const [only] = said;
    if (said.length === 1 && places.get(only!)?.index === -1) return pieceAt(places.get(only!)!);
    if (said.every(isText))
      return said
        .map((part) => part.text)
        .filter(Boolean)
        .join("\n\n");
  }
  const replaces = (part: Part, piece: unknown): boolean => isText(part) && textOfPiece(piece) !== undefined;
  return alignParts(said, { places, raw, key: "content", replaces }).flatMap(
    ({ part, same, piece }): readonly unknown[] => {
      // The content of a result that is gathered here may be a list itself.
      if (same && part.type === "tool-result" && Array.isArray(piece)) return piece;
      if (same) return [typeof piece === "string" ? { type: "text", text: piece } : piece];
      const text = part.type === "media" ? `[${part.kind}]` : textOfPart(part);
      return [isObject(piece) ? { ...piece, text } : { type: "text", text }];
    },
  );
}

function isCall(part: Part): part is ToolCallPart {
  return part.type === "tool-call";
}

function isText(part: Part): part is TextPart {
  return part.type === "text";
}

function writeReasoning(parts: readonly Part[], value: WireObject, changes: Map<string, unknown>): void {
  const thoughts = parts.filter((part) => part.type === "reasoning");
  for (const key of REASONING_TEXT_KEYS) {
    if (typeof value[key] !== "string" || value[key] === "") continue;
    // subtle: the second of two equal keys has no part of its own; it lives and dies with the first.
    const same = thoughts.some((part) => part.text === value[key]);
    const edited = thoughts.find((part) => !part.signed && !places.has(part));
    changes.set(key, same ? value[key] : edited?.text);
  }
  for (const key of REASONING_LIST_KEYS) {
    if (!Array.isArray(value[key])) continue;
    const kept = thoughts
      .filter((part) => places.get(part)?.key === key)
      .map((part) => pieceAt(places.get(part)!));
    changes.set(key, kept.length === 0 ? undefined : kept);
  }
}

function writeCalls(message: Message, value: WireObject, changes: Map<string, unknown>): void {
  const { raw, parts } = message;
  const { tool_calls: listed, function_call: legacy } = value;
  if (isObject(legacy) && !Array.isArray(listed)) {
    const changed = parts.find((part) => isCall(part) && !places.has(part));
    if (changed !== undefined) changes.set("function_call", withArguments(legacy, changed as ToolCallPart));
    else dropUnclaimed("function_call", message, value, changes);
    return;
  }
  dropUnclaimed("function_call", message, value, changes);
  const calls = partsUnder(parts, "tool_calls", isCall);
  dropUnclaimed("tool_calls", message, value, changes);
  if (calls.length === 0) return;
  const replaces = (part: Part, piece: unknown): boolean =>
    isCall(part) && isObject(piece) && idOfCall(piece) === part.pairId;
  const written = alignParts(calls, { places, raw, key: "tool_calls", replaces }).map(
    ({ part, same, piece }) =>
      same ? piece : writeCall(part as ToolCallPart, isObject(piece) ? piece : undefined),
  );
  const isWhole = places.get(calls[0]!)?.index === -1;
  changes.set("tool_calls", isWhole ? written[0] : written);
}

/** A key goes when the part that was read from it is gone; a null, which gave no part, stays. */
function dropUnclaimed(
  key: string,
  { parts }: Message,
  value: WireObject,
  changes: Map<string, unknown>,
): void {
  const isRead = value[key] !== undefined && value[key] !== null;
  if (isRead && !parts.some((part) => places.get(part)?.key === key)) changes.set(key, undefined);
}

function writeCall(part: ToolCallPart, call: WireObject | undefined): WireObject {
  if (call === undefined) {
    return { id: part.pairId, type: "function", function: withArguments({ name: part.name }, part) };
  }
  if (isObject(call.function)) return { ...call, function: withArguments(call.function, part) };
  if (isObject(call.custom))
    return { ...call, custom: { ...call.custom, name: part.name, input: part.arguments } };
  return withArguments(call, part);
}

/** Changed arguments are JSON whatever they became (a server that parses them would refuse the whole request). */
function withArguments(asked: WireObject, { name, arguments: text }: ToolCallPart): WireObject {
  const given = asked.arguments;
  if (text === given) return { ...asked, name };
  const parsed = parsedJson(text);
  if (isObject(given)) return { ...asked, name, arguments: parsed ?? { _raw: text } };
  return { ...asked, name, arguments: parsed === undefined ? JSON.stringify({ _raw: text }) : text };
}
