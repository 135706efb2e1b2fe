/** Wire body: what was said in a transcript as a request body, results right after their calls, and back to its pieces. */
import { isObject, parsedJson, type WireObject } from "../json/wire-value.ts";
import type { Said, TranscriptBody, TranscriptPiece, TranscriptReading } from "./transcript.ts";

/** A body, and which piece each of its blocks stands for. */
export interface WireBody {
  readonly body: TranscriptBody;
  /** What each message was made of, by its position in the conversation. */
  readonly said: readonly Said[];
}

const pieces = new WeakMap<object, TranscriptPiece>();

/** The piece that a block was made of. */
export function pieceOfBlock(block: unknown): TranscriptPiece | undefined {
  return isObject(block) ? pieces.get(block) : undefined;
}

export function wireBody({ said, model }: TranscriptReading): WireBody {
  const spoken = answersAfterCalls(said.filter(({ pieces: each }) => each.length > 0));
  const first = spoken.findIndex(({ role }) => role !== "system");
  const start = first < 0 ? spoken.length : first;
  const leading = spoken.slice(0, start).flatMap(({ pieces: each }) => each);
  const rest = spoken.slice(start);
  const system: readonly Said[] = leading.length > 0 ? [{ role: "system", pieces: leading }] : [];
  return {
    body: {
      ...(model === undefined ? {} : { model }),
      ...(leading.length > 0 && { system: leading.map(blockOf) }),
      messages: rest.map(({ role, pieces: each }) => ({ role, content: each.map(blockOf) })),
    },
    said: [...system, ...rest],
  };
}

/**
 * Programs log a reply in pieces, and answers as they come in; the wire wants all answers to a message's calls right
 * after it. Only the order in the body is changed, never that in the file.
 */
function answersAfterCalls(said: readonly Said[]): readonly Said[] {
  const callers = new Map<string, number>();
  said.forEach(({ pieces: each }, index) => {
    for (const piece of each) if (piece.kind === "call" && piece.id !== "") callers.set(piece.id, index);
  });
  const answers = new Map<number, TranscriptPiece[]>();
  const others = said.map(({ pieces: each }, index) =>
    each.filter((piece) => {
      const caller = piece.kind === "result" ? callers.get(piece.id) : undefined;
      if (caller === undefined || caller >= index) return true;
      answers.set(caller, [...(answers.get(caller) ?? []), piece]);
      return false;
    }),
  );
  return said.flatMap((each, index): readonly Said[] => {
    const answered = answers.get(index);
    return [
      ...(others[index]!.length > 0 ? [{ ...each, pieces: others[index]! }] : []),
      ...(answered === undefined ? [] : [{ role: "user" as const, pieces: answered }]),
    ];
  });
}

function blockOf(piece: TranscriptPiece): WireObject {
  const block = contentOf(piece);
  pieces.set(block, piece);
  return block;
}

function contentOf(piece: TranscriptPiece): WireObject {
  switch (piece.kind) {
    case "text":
      return { type: "text", text: piece.text };
    case "thinking":
      return {
        type: "thinking",
        thinking: piece.text,
        ...(piece.signed && { signature: piece.signature ?? FOREIGN_SIGNATURE }),
      };
    case "call":
      return { type: "tool_use", id: piece.id, name: piece.name, input: inputOf(piece.input) };
    case "result":
      return {
        type: "tool_result",
        tool_use_id: piece.id,
        content: piece.images ? [{ type: "text", text: piece.text }, ...images(piece.images)] : piece.text,
        ...(piece.isError && { is_error: true }),
      };
    case "image":
      return { ...(piece.block ?? { type: "image" }) };
    case "other":
      return { type: piece.type, text: piece.text };
  }
}

/** Stands for a seal that is not the API's own: the engine may drop such a thought but not change it. */
export const FOREIGN_SIGNATURE = "sealed by the program";

/** The key under which arguments that are plain text, such as a patch, are in the body. */
export const PLAIN_INPUT = "input";

function inputOf(input: unknown): unknown {
  if (typeof input !== "string") return isObject(input) ? input : (input ?? {});
  const parsed = parsedJson(input);
  return isObject(parsed) ? parsed : input === "" ? {} : { [PLAIN_INPUT]: input };
}

function images(count: number): readonly WireObject[] {
  return Array.from({ length: count }, () => ({ type: "image" }));
}
