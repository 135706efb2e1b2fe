/** Chat pieces: one message in the form of the OpenAI chat API, or close to it. */
import { firstText, isObject } from "../json/wire-value.ts";
import { blockPieces, resultOf } from "./block-pieces.ts";
import type { Path, Said, TranscriptPiece } from "./transcript.ts";

const ROLES: Readonly<Record<string, Said["role"]>> = {
  system: "system",
  developer: "system",
  user: "user",
  human: "user",
  assistant: "assistant",
  ai: "assistant",
  model: "assistant",
  tool: "user",
  function: "user",
};

/** The message at a path of a record; a role that has no name here speaks as the user. */
export function chatSaid(message: unknown, record: number, path: Path = []): Said | undefined {
  if (!isObject(message)) return undefined;
  const { role, content } = message;
  const known = typeof role === "string" && Object.hasOwn(ROLES, role) ? ROLES[role]! : "user";
  const answers = Array.isArray(message.tool_call_ids) ? message.tool_call_ids : [];
  const id = firstText(message.tool_call_id, message.call_id, ...answers);
  const at: Path = [...path, "content"];
  if (role === "tool" || role === "function" || (known === "user" && id !== "")) {
    return {
      role: "user",
      pieces: [
        { ...resultOf(content, id || firstText(message.name), message.is_error === true), record, path: at },
      ],
    };
  }
  const pieces: TranscriptPiece[] = [];
  for (const key of ["reasoning_content", "reasoning"]) {
    const text = message[key];
    if (typeof text !== "string" || text === "") continue;
    pieces.push({
      kind: "thinking",
      text,
      signed: false,
      record,
      path: [...path, key],
      drop: [...path, key],
    });
    break;
  }
  pieces.push(...blockPieces(content, { record, path: at }));
  if (Array.isArray(message.tool_calls)) {
    message.tool_calls.forEach((call, index) => {
      if (isObject(call)) pieces.push(callPiece(call, record, [...path, "tool_calls", index]));
    });
  }
  return { role: known, pieces };
}

function callPiece(call: Readonly<Record<string, unknown>>, record: number, path: Path): TranscriptPiece {
  const inner = ["function", "custom"].find((key) => isObject(call[key]));
  const asked = inner === undefined ? call : (call[inner] as Readonly<Record<string, unknown>>);
  const key = ["arguments", "input", "args"].find((name) => asked[name] !== undefined) ?? "arguments";
  return {
    kind: "call",
    id: firstText(call.call_id, call.id, call.tool_call_id),
    name: firstText(asked.name),
    input: asked[key],
    record,
    path: [...path, ...(inner === undefined ? [] : [inner]), key],
    drop: path,
  };
}
