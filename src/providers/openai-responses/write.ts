/** Writing the items of one openai-responses message that was changed or is new, reusing what nobody changed. */
import type { Message, Role } from "../../conversation/message.ts";
import { type Part, type ToolCallPart, type ToolResultPart, textOfPart } from "../../conversation/part.ts";
import { firstText, isObject, parsedJson, type WireObject } from "../../json/wire-value.ts";
import { pieceAt, valueUnder } from "../places.ts";
import { textOfPiece, writeResultContent } from "../result-content.ts";
import { argumentsKey, hasContent, isCall, isOutput, places, typeOf, withoutBulk } from "./read.ts";

/** The items of a message, in order. */
export function writeMessage(message: Message): readonly WireObject[] {
  const { raw, role } = message;
  const stored = raw === undefined ? [] : valueUnder(raw, "");
  const items: readonly WireObject[] = Array.isArray(stored) ? stored : [];
  const written: WireObject[] = [];
  // What is added to a message that was one item stays in it.
  const home = items.length === 1 && hasContent(typeOf(items[0]!)) ? 0 : -1;
  let open: { readonly index: number; readonly blocks: unknown[] } | undefined;
  const close = (): void => {
    if (open) written.push(messageItem(items[open.index], role, open.blocks));
    open = undefined;
  };
  for (const { part, index, block } of sourcesOf(message, items)) {
    if (part.type === "tool-call" || part.type === "tool-result") {
      close();
      written.push(
        part.type === "tool-call" ? writeCall(part, items[index]) : writeOutput(part, items[index]),
      );
    } else if (index >= 0 && block === undefined && !hasContent(typeOf(items[index]!))) {
      close();
      written.push(items[index]!);
    } else {
      const at = index < 0 ? home : index;
      if (open?.index !== at) close();
      open ??= { index: at, blocks: [] };
      open.blocks.push(block ?? newBlock(part, role));
    }
  }
  close();
  return withoutOrphans(written, items);
}

/** `instructions` with what was added to them. */
export function writeInstructions({ parts }: Message): string {
  return parts.map(textOfPart).filter(Boolean).join("\n\n");
}

interface Sourced {
  readonly part: Part;
  /** The item that it came from or takes the place of; -1 for a new one. */
  readonly index: number;
  /** The content block to write; absent where the part is the whole item, and for new ones. */
  readonly block?: unknown;
}

/** Unchanged parts are their pieces; calls and results take the next free item with their id, a changed text the next text's place. */
function sourcesOf({ parts, raw }: Message, items: readonly WireObject[]): readonly Sourced[] {
  const placesOf = parts.map((part) => places.get(part));
  const taken = new Set(
    placesOf.flatMap((place) => (place && place.raw === raw ? [`${place.index} ${place.inner ?? 0}`] : [])),
  );
  const texts = items.flatMap((item, index) =>
    textBlocks(item).map(({ at, block }) => ({ index, at, block })),
  );
  let from = 0;
  return parts.map((part, order) => {
    const place = placesOf[order];
    if (place && place.raw !== raw) return { part, index: -1, block: pieceAt(place) };
    if (place) {
      const { index, inner } = place;
      const content = items[index]?.content;
      const block = inner !== undefined && Array.isArray(content) ? content[inner] : wholeText(content);
      return { part, index, ...(block !== undefined && { block }) };
    }
    if (part.type === "tool-call" || part.type === "tool-result") {
      const fits = part.type === "tool-call" ? isCall : isOutput;
      const index = items.findIndex(
        (item, at) =>
          !taken.has(`${at} 0`) && fits(typeOf(item)) && firstText(item.call_id, item.id) === part.pairId,
      );
      taken.add(`${index} 0`);
      return { part, index };
    }
    if (part.type !== "text") return { part, index: -1 };
    const next = texts.findIndex(({ index, at }, each) => each >= from && !taken.has(`${index} ${at}`));
    if (next < 0) return { part, index: -1 };
    from = next + 1;
    const { index, block } = texts[next]!;
    return { part, index, block: isObject(block) ? { ...block, text: part.text } : part.text };
  });
}

function textBlocks(item: WireObject): readonly { readonly at: number; readonly block: unknown }[] {
  if (!hasContent(typeOf(item))) return [];
  const { content } = item;
  if (!Array.isArray(content)) return typeof content === "string" ? [{ at: 0, block: content }] : [];
  return content.flatMap((block, at) => (textOfPiece(block) === undefined ? [] : [{ at, block }]));
}

function wholeText(content: unknown): unknown {
  return Array.isArray(content) || content === undefined ? undefined : content;
}

/** A content that was one string stays one where it can. */
function messageItem(item: WireObject | undefined, role: Role, blocks: readonly unknown[]): WireObject {
  const known =
    item !== undefined && hasContent(typeOf(item)) ? item : { type: "message", role: WIRE_ROLES[role] };
  if (typeof item?.content === "string" && blocks.every((block) => typeof block === "string"))
    return { ...known, content: blocks.join("\n\n") };
  return {
    ...known,
    content: blocks.map((block) => (typeof block === "string" ? textBlock(block, role) : block)),
  };
}

const WIRE_ROLES: Readonly<Record<Role, string>> = {
  system: "system",
  user: "user",
  assistant: "assistant",
  tool: "user",
  other: "user",
};

function textBlock(text: string, role: Role): WireObject {
  return { type: role === "assistant" ? "output_text" : "input_text", text };
}

function newBlock(part: Part, role: Role): unknown {
  return textBlock(part.type === "media" ? `[${part.kind}]` : textOfPart(part), role);
}

/** Of what is called with a shape of the provider's own, only values are changed. */
function writeCall(part: ToolCallPart, item: WireObject | undefined): WireObject {
  if (item === undefined) {
    return { type: "function_call", call_id: part.pairId, name: part.name, arguments: part.arguments };
  }
  const type = typeOf(item);
  const key = argumentsKey(type);
  const given = item[key];
  if (given === part.arguments || places.has(part)) return item;
  if (part.shaped || isObject(given)) return { ...item, [key]: parsedJson(part.arguments) ?? given };
  const isValid = type !== "function_call" || parsedJson(part.arguments) !== undefined;
  return { ...item, [key]: isValid ? part.arguments : JSON.stringify({ _raw: part.arguments }) };
}

function writeOutput(part: ToolResultPart, item: WireObject | undefined): WireObject {
  if (item === undefined) return { type: "function_call_output", call_id: part.pairId, output: part.text };
  if (places.has(part) || part.shaped) return item;
  const output = writeResultContent(part, item.output, places);
  return { ...item, output: Array.isArray(output) ? output.map(asInput) : output };
}

function asInput(block: unknown): unknown {
  return isObject(block) && block.type === "text" ? { ...block, type: "input_text" } : block;
}

/**
 * The API knows by its id that an item came with thinking, and refuses it without: as a new item it may be alone. What
 * the provider ran itself has no other form than the one with its id, so that it is told instead; and so is an approval
 * that nothing asks for any more.
 */
function withoutOrphans(written: readonly WireObject[], items: readonly WireObject[]): readonly WireObject[] {
  const thinks = (list: readonly WireObject[]) => list.filter((item) => typeOf(item) === "reasoning").length;
  const isThought = thinks(written) === thinks(items);
  const ids = new Set(written.map(({ id }) => id));
  return written.map((item) => {
    const type = typeOf(item);
    const answers = type === "mcp_approval_response" && !ids.has(item.approval_request_id);
    if (answers && items.some(({ id }) => id === item.approval_request_id)) return told(item);
    if (isThought || STANDS_ALONE.has(type) || isOutput(type)) return item;
    if (type !== "message" && !isCall(type)) return told(item);
    const { id, ...rest } = item;
    return id === undefined || (isCall(type) && item.call_id === undefined) ? item : rest;
  });
}

const STANDS_ALONE: ReadonlySet<string> = new Set(["reasoning", "compaction", "item_reference"]);

function told(item: WireObject): WireObject {
  const { id: _id, status: _status, ...rest } = withoutBulk(item);
  return messageItem(undefined, "assistant", [JSON.stringify(rest)]);
}
