/** Response items: what the OpenAI Responses API calls the pieces of a conversation, as Codex logs them. */
import { firstText, isObject, jsonText, type WireObject } from "../json/wire-value.ts";
import { blockPieces, resultOf } from "./block-pieces.ts";
import type { Content, Path, Said, TranscriptPiece } from "./transcript.ts";

/** The item at a path of a record; `drop` is what goes with it where it is not the whole record. */
export function itemSaid(item: unknown, record: number, path: Path, drop?: Path): Said | undefined {
  if (!isObject(item)) return undefined;
  const one = (role: Said["role"], content: Content, key: string, fixed = false): Said => {
    const place = { record, path: [...path, key], ...(drop && { drop }), ...(fixed && { fixed }) };
    return { role, pieces: [{ ...content, ...place } as TranscriptPiece] };
  };
  const type = firstText(item.type) || (item.role === undefined ? "" : "message");
  const id = firstText(item.call_id, item.id);
  const name = firstText(item.name);
  switch (type) {
    case "message":
      return message(item, record, path, drop);
    case "reasoning":
      return one("assistant", reasoning(item), "summary", true);
    case "function_call":
      return one("assistant", { kind: "call", id, name, input: item.arguments }, "arguments");
    case "custom_tool_call":
      return one("assistant", { kind: "call", id, name, input: item.input }, "input");
    case "local_shell_call":
      return one("assistant", { kind: "call", id, name: "shell", input: item.action }, "action", true);
    case "tool_search_call":
      return one(
        "assistant",
        { kind: "call", id, name: "tool_search", input: item.arguments },
        "arguments",
        true,
      );
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
      return output(item, id, record, path, drop);
    case "tool_search_output":
      return one("user", { kind: "result", id, text: jsonText(item.tools) }, "tools", true);
    case "ghost_snapshot":
    case "item_reference":
    case "":
      return undefined;
    default:
      return one(
        "assistant",
        { kind: "other", type, text: jsonText(item.action ?? item.query ?? "") },
        "type",
        true,
      );
  }
}

function message(item: WireObject, record: number, path: Path, drop: Path | undefined): Said {
  const { role } = item;
  const pieces = blockPieces(item.content, { record, path: [...path, "content"], ...(drop && { drop }) });
  return {
    role: role === "assistant" ? "assistant" : role === "system" || role === "developer" ? "system" : "user",
    // subtle: an item whose only block goes is to go itself, or an empty message would be left.
    pieces: drop && pieces.length === 1 ? pieces.map((piece) => ({ ...piece, drop })) : pieces,
  };
}

function reasoning({ summary, content, encrypted_content: encrypted }: WireObject): Content {
  const texts = [content, summary].flatMap((list) => (Array.isArray(list) ? list : []));
  const text = texts.flatMap((each) => (isObject(each) ? [firstText(each.text)] : [])).join("\n");
  return { kind: "thinking", text, signed: firstText(encrypted) !== "" };
}

/** The output is a string, blocks, or an object that holds either as its `content`. */
function output(item: WireObject, id: string, record: number, path: Path, drop: Path | undefined): Said {
  const inner = isObject(item.output) ? item.output.content : item.output;
  const at = [...path, "output", ...(isObject(item.output) ? ["content"] : [])];
  return {
    role: "user",
    pieces: [{ ...resultOf(inner, id), record, path: at, ...(drop && { drop }) } as TranscriptPiece],
  };
}
