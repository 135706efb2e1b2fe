/** One event of the OpenHands SDK as what was said: messages, actions and observations, told apart by `kind`. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { blockPieces, resultOf } from "./block-pieces.ts";
import { chatSaid } from "./chat-pieces.ts";
import type { Said, TranscriptPiece } from "./transcript.ts";

export const sdkKinds: ReadonlySet<string> = new Set([
  "SystemPromptEvent",
  "MessageEvent",
  "ActionEvent",
  "ObservationEvent",
  "UserRejectObservation",
  "AgentErrorEvent",
  "Condensation",
]);

export function readSdkEvent(event: WireObject, record: number): readonly Said[] {
  const id = firstText(event.tool_call_id);
  switch (event.kind) {
    case "SystemPromptEvent": {
      const { system_prompt: prompt } = event;
      const path = isObject(prompt) ? ["system_prompt", "text"] : ["system_prompt"];
      const content = isObject(prompt) ? prompt.text : prompt;
      return [{ role: "system", pieces: blockPieces(content, { record, path }) }];
    }
    case "MessageEvent": {
      const said = chatSaid(event.llm_message, record, ["llm_message"]);
      return said === undefined ? [] : [said];
    }
    case "ActionEvent":
      return [{ role: "assistant", pieces: actionPieces(event, record) }];
    case "ObservationEvent": {
      const { observation } = event;
      const key = isObject(observation)
        ? (["content", "output", "text"].find((each) => observation[each]) ?? "content")
        : "";
      const content = isObject(observation) ? observation[key] : observation;
      const failed = isObject(observation) && observation.is_error === true;
      const path = isObject(observation) ? ["observation", key] : ["observation"];
      return [
        { role: "user", pieces: [{ ...resultOf(content, id, failed), record, path } as TranscriptPiece] },
      ];
    }
    case "UserRejectObservation":
      return [failure(event, "rejection_reason", id, record)];
    case "AgentErrorEvent":
      return [failure(event, "error", id, record)];
    default:
      return [];
  }
}

function failure(event: WireObject, key: string, id: string, record: number): Said {
  return {
    role: "user",
    pieces: [{ ...resultOf(event[key], id, true), record, path: [key] } as TranscriptPiece],
  };
}

function actionPieces(event: WireObject, record: number): readonly TranscriptPiece[] {
  const { reasoning_content: reasoning, thought, thinking_blocks: blocks, tool_call: call } = event;
  const pieces: TranscriptPiece[] = [];
  const signed = blockPieces(blocks, { record, path: ["thinking_blocks"] });
  pieces.push(...signed.map((piece) => ({ ...piece, fixed: true })));
  if (signed.length === 0 && firstText(reasoning) !== "") {
    const path = ["reasoning_content"];
    pieces.push({ kind: "thinking", text: firstText(reasoning), signed: false, record, path, drop: path });
  }
  pieces.push(...blockPieces(thought, { record, path: ["thought"] }));
  if (isObject(call)) {
    const inner = isObject(call.function) ? call.function : call;
    const path = isObject(call.function)
      ? ["tool_call", "function", "arguments"]
      : ["tool_call", "arguments"];
    const name = firstText(inner.name, event.tool_name);
    pieces.push({
      kind: "call",
      id: firstText(event.tool_call_id, call.id),
      name,
      input: inner.arguments,
      record,
      path,
    });
  }
  return pieces;
}
