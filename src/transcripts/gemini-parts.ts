/** Gemini parts: the content of a message of the Gemini API: text, thoughts, function calls and responses. */
import { firstText, isObject, jsonText, type WireObject } from "../json/wire-value.ts";
import { resultOf } from "./block-pieces.ts";
import type { Path, Said, TranscriptPiece } from "./transcript.ts";

/** Content is a string, a part, or a list of both. Calls without an id are known by their name. */
export function partsSaid(role: Said["role"], content: unknown, record: number, path: Path): readonly Said[] {
  const parts = Array.isArray(content) ? content : [content];
  const pieces = parts.flatMap((part, index): readonly TranscriptPiece[] => {
    const at = Array.isArray(content) ? [...path, index] : path;
    const drop = Array.isArray(content) ? { drop: at } : {};
    if (typeof part === "string")
      return part === "" ? [] : [{ kind: "text", text: part, record, path: at, ...drop }];
    return isObject(part)
      ? partPieces(part, at).map((piece) => ({ ...piece, record, ...drop }) as TranscriptPiece)
      : [];
  });
  return pieces.length === 0 ? [] : [{ role, pieces }];
}

type Unplaced = Record<string, unknown> & { readonly kind: TranscriptPiece["kind"]; readonly path: Path };

function partPieces(part: WireObject, at: Path): readonly Unplaced[] {
  const { functionCall: call, functionResponse: answer } = part;
  if (isObject(call)) {
    const asked = { id: firstText(call.id, call.name), name: firstText(call.name), input: call.args ?? {} };
    return [{ kind: "call", ...asked, path: [...at, "functionCall", "args"] }];
  }
  if (isObject(answer)) {
    const { response } = answer;
    const key = isObject(response)
      ? ["output", "error", "content"].find((each) => response[each] !== undefined)
      : undefined;
    const value = isObject(response) && key !== undefined ? response[key] : response;
    const path = [...at, "functionResponse", "response", ...(key === undefined ? [] : [key])];
    const result = resultOf(value, firstText(answer.id, answer.name), key === "error");
    return [{ ...result, path, ...(key === undefined && { fixed: true }) }];
  }
  if (typeof part.text === "string") {
    if (part.thought === true) {
      return [
        {
          kind: "thinking",
          text: part.text,
          signed: part.thoughtSignature !== undefined,
          path: [...at, "text"],
          fixed: true,
        },
      ];
    }
    return part.text === "" ? [] : [{ kind: "text", text: part.text, path: [...at, "text"] }];
  }
  if (isObject(part.inlineData) || isObject(part.fileData)) return [{ kind: "image", path: at }];
  return [{ kind: "other", type: "part", text: jsonText(part), path: at, fixed: true }];
}
