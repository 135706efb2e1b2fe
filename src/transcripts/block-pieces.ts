/** Block pieces: the content of a message in blocks, as the Anthropic API and those who follow it have it. */
import { firstText, isObject, jsonText, type WireObject } from "../json/wire-value.ts";
import type { Content, Path, TranscriptPiece } from "./transcript.ts";

export interface BlockOptions {
  readonly record: number;
  /** Where in the record the content is. */
  readonly path: Path;
  /** What goes when all of the content goes, for content that is a string. */
  readonly drop?: Path;
}

/** A string is one piece; in a list each block is one. */
export function blockPieces(
  content: unknown,
  { record, path, drop }: BlockOptions,
): readonly TranscriptPiece[] {
  if (typeof content === "string") {
    if (content === "") return [];
    return [{ kind: "text", text: content, record, path, ...(drop && { drop }) }];
  }
  if (!Array.isArray(content)) return [];
  return content.flatMap((block, index): readonly TranscriptPiece[] => {
    const at = [...path, index];
    const found =
      typeof block === "string"
        ? { ...said(block), path: at }
        : isObject(block)
          ? readBlock(block, at)
          : undefined;
    return found === undefined ? [] : [{ ...found, record, drop: at }];
  });
}

function said(text: string): Content {
  return { kind: "text", text };
}

function readBlock(
  block: WireObject,
  at: Path,
): (Content & { readonly path: Path; readonly fixed?: boolean }) | undefined {
  const type = firstText(block.type);
  switch (type) {
    case "text":
    case "input_text":
    case "output_text":
      return typeof block.text === "string" ? { ...said(block.text), path: [...at, "text"] } : undefined;
    case "thinking":
      return {
        kind: "thinking",
        text: firstText(block.thinking, block.text),
        signed: firstText(block.signature, block.thinkingSignature, block.thoughtSignature) !== "",
        ...(firstText(block.signature) !== "" && { signature: firstText(block.signature) }),
        path: at,
      };
    case "redacted_thinking":
      return { kind: "thinking", text: "", signed: true, path: at };
    case "tool_use":
      return {
        kind: "call",
        id: firstText(block.id, block.tool_use_id),
        name: firstText(block.name),
        input: block.input,
        path: [...at, "input"],
      };
    case "toolCall":
      return {
        kind: "call",
        id: firstText(block.id),
        name: firstText(block.name),
        input: block.arguments,
        path: [...at, "arguments"],
      };
    case "tool_result": {
      const id = firstText(block.tool_use_id, block.tool_call_id, block.id);
      return { ...resultOf(block.content, id, block.is_error === true), path: [...at, "content"] };
    }
    case "image":
    case "document":
      return { kind: "image", ...(isObject(block.source) && { block }), path: at };
    case "image_url":
    case "input_image":
      return { kind: "image", ...imageBlock(block.image_url), path: at };
    default: {
      const key = ["text", "content"].find((each) => typeof block[each] === "string");
      const text = key === undefined ? jsonText(block) : (block[key] as string);
      const other = { kind: "other", type: type || "unknown", text } as const;
      return key === undefined ? { ...other, path: at, fixed: true } : { ...other, path: [...at, key] };
    }
  }
}

/** An image by its address, which may hold the data itself. */
function imageBlock(image: unknown): { readonly block?: object } {
  const url = isObject(image) ? firstText(image.url) : firstText(image);
  if (url === "") return {};
  const [, media_type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  const source = data === undefined ? { type: "url", url } : { type: "base64", media_type, data };
  return { block: { type: "image", source } };
}

/** A result's content: a string, or blocks of text and images. */
export function resultOf(content: unknown, id: string, isError = false): Content {
  if (!Array.isArray(content)) {
    const text =
      typeof content === "string"
        ? content
        : content === undefined || content === null
          ? ""
          : jsonText(content);
    return { kind: "result", id, text, isError };
  }
  const texts: string[] = [];
  let images = 0;
  for (const block of content) {
    if (typeof block === "string") texts.push(block);
    else if (isObject(block) && typeof block.text === "string") texts.push(block.text);
    else images++;
  }
  return { kind: "result", id, text: texts.join("\n"), isError, images };
}
