/** Writing one anthropic-messages message that was changed or is new, so that the API's rules for blocks hold. */
import {
  type Message,
  messageOf,
  messageWith,
  type RawMessage,
  type Role,
} from "../../conversation/message.ts";
import type { Part, ToolCallPart, ToolResultPart } from "../../conversation/part.ts";
import { isObject, parsedJson, type WireObject, withKeys } from "../../json/wire-value.ts";
import { alignParts, pieceAt, valueUnder } from "../places.ts";
import { writeResultContent } from "../result-content.ts";
import { idOfCall, idOfResult, isServerResult, places } from "./read.ts";

/** The API refuses a message without content and a blank text block; this says as little as it can. */
export const NO_CONTENT = "(no content)";

/** The wire value of a message. Keys beside `content` stay as they are. */
export function writeMessage(message: Message): WireObject {
  const { raw, parts } = message;
  const value = raw === undefined ? {} : (valueUnder(raw, "") as WireObject);
  const content = writeContent(resultsFirst(parts, value.role ?? WIRE_ROLES[message.role]), raw, "content");
  const changes = new Map<string, unknown>([["content", content]]);
  if (raw === undefined) return { role: WIRE_ROLES[message.role], content };
  return withKeys(value, changes);
}

/** The wire value of `system`: strings joined, or blocks. */
export function writeSystem(messages: readonly Message[]): unknown {
  const [first] = messages;
  if (messages.length === 1) return writeContent(first!.parts, first!.raw, "");
  const parts = messages.flatMap((message) => message.parts);
  return writeContent(parts, first?.raw, "");
}

/**
 * Placed messages as one, without the parts that do not stay: the API takes none beside another. Of other fields, such as the
 * effort from here on, the last word holds; only what is all of one turn goes with that turn.
 */
export function joinPlaced(messages: readonly Message[], stays: (part: Part) => boolean): Message {
  const values = messages.map(({ raw }) => raw!.value as WireObject);
  const { clear_at: clearAt, ...fields } = Object.assign({}, ...values) as WireObject;
  const isOfTurn = clearAt !== undefined && values.every((value) => value.clear_at === clearAt);
  const content = messages.flatMap(({ parts }, at) => {
    const own = values[at]!.content;
    const blocks = Array.isArray(own) ? own : [{ type: "text", text: own }];
    return parts.flatMap((part, order) => (stays(part) ? [blocks[order]] : []));
  });
  const value = { ...fields, ...(isOfTurn && { clear_at: clearAt }), role: "system", content };
  const parts = messages.flatMap((message) => message.parts.filter(stays));
  const message = messageOf({ role: "system", parts, position: -1, raw: { value } });
  return messageWith(message, { placed: true });
}

/** Results go in user messages; a system message that cannot lead the conversation is said by the user. */
const WIRE_ROLES: Readonly<Record<Role, string>> = {
  system: "user",
  user: "user",
  assistant: "assistant",
  tool: "user",
  other: "user",
};

/** The API wants the results of a turn before anything else that the user says. */
function resultsFirst(parts: readonly Part[], role: unknown): readonly Part[] {
  if (role !== "user") return parts;
  const isResult = (part: Part): boolean => part.type === "tool-result" && !part.server;
  return [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))];
}

function writeContent(parts: readonly Part[], raw: RawMessage | undefined, key: string): unknown {
  const content = raw === undefined ? undefined : valueUnder(raw, key);
  if (!Array.isArray(content)) {
    const [only] = parts;
    if (parts.length === 1 && places.get(only!)?.index === -1) return pieceAt(places.get(only!)!);
    if (parts.every((part) => part.type === "text")) {
      const texts = parts.map((part) => part.text).filter((text) => text.trim() !== "");
      return texts.length === 0 ? NO_CONTENT : texts.join("\n\n");
    }
  }
  const blocks = alignParts(parts, { places, raw, key, replaces }).flatMap(
    ({ part, same, piece }): readonly unknown[] => {
      if (part.type === "text" && part.text.trim() === "") return [];
      if (same) return typeof piece === "string" ? [{ type: "text", text: piece }] : [piece];
      return writeBlock(part, isObject(piece) ? piece : undefined);
    },
  );
  return blocks.length === 0 ? [{ type: "text", text: NO_CONTENT }] : blocks;
}

/** Whether a changed part may take over a raw block. */
function replaces(part: Part, block: unknown): boolean {
  if (!isObject(block)) return false;
  switch (part.type) {
    case "text":
      return block.type === "text";
    case "reasoning":
      return block.type === "thinking" || block.type === "redacted_thinking";
    case "tool-call":
      return (
        typeof block.type === "string" && block.type.endsWith("tool_use") && idOfCall(block) === part.pairId
      );
    case "tool-result":
      return (
        typeof block.type === "string" &&
        block.type.endsWith("tool_result") &&
        idOfResult(block) === part.pairId
      );
    default:
      return false;
  }
}

/** A changed or new block; none for what the API would refuse. */
function writeBlock(part: Part, block: WireObject | undefined): readonly WireObject[] {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ ...(block ?? { type: "text" }), text: part.text }];
    case "reasoning":
      // Only thinking that the provider signed may be sent, and only as it was signed.
      if (block === undefined) return [];
      return [part.signed || block.signature ? block : { ...block, thinking: part.text }];
    case "tool-call":
      return [writeCall(part, block)];
    case "tool-result":
      return [writeResult(part, block)];
    case "media":
      return [{ type: "text", text: `[${part.kind}]` }];
    case "opaque":
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
  }
}

/** `input` must be an object: arguments that are none are kept as text inside one. */
function writeCall(part: ToolCallPart, block: WireObject | undefined): WireObject {
  const parsed = parsedJson(part.arguments === "" ? "{}" : part.arguments);
  const input = isObject(parsed) ? parsed : { _raw: part.arguments };
  return { ...(block ?? { type: "tool_use", id: part.pairId }), name: part.name, input };
}

function writeResult(part: ToolResultPart, block: WireObject | undefined): WireObject {
  const result = block ?? { type: "tool_result", tool_use_id: part.pairId };
  // What a server tool answered is the provider's own record and stays as it is.
  if (isServerResult(result) && typeof result.content !== "string") return result;
  const changes = new Map<string, unknown>([["content", writeResultContent(part, result.content, places)]]);
  if (part.isError !== (result.is_error === true)) changes.set("is_error", part.isError ? true : undefined);
  return withKeys(result, changes);
}
