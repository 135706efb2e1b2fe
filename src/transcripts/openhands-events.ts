/** One event of OpenHands as what was said: actions are calls, observations their results. */
import { firstText, isObject, jsonText, type WireObject } from "../json/wire-value.ts";
import { resultOf } from "./block-pieces.ts";
import { readSdkEvent, sdkKinds } from "./openhands-sdk.ts";
import type { Path, Said, TranscriptPiece } from "./transcript.ts";

/** Whether a value is an event, old or new. */
export function eventIsKnown(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (typeof value.kind === "string") return sdkKinds.has(value.kind);
  if (typeof value.observation === "string") return "content" in value;
  return (
    typeof value.action === "string" &&
    ("args" in value || "is_confirmed" in value || "wait_for_response" in value)
  );
}

export function readEvent(events: readonly WireObject[], record: number): readonly Said[] {
  const event = events[record]!;
  if (typeof event.kind === "string") return readSdkEvent(event, record);
  if (typeof event.observation === "string") return observationSaid(events, record);
  return typeof event.action === "string" ? actionSaid(events, record) : [];
}

/** Actions that only steer the program. */
const SILENT: ReadonlySet<unknown> = new Set([
  "recall",
  "change_agent_state",
  "condensation",
  "condensation_request",
  "null",
  "pause",
  "resume",
  "stop",
]);

function actionSaid(events: readonly WireObject[], record: number): readonly Said[] {
  const event = events[record]!;
  const { action, source } = event;
  if (SILENT.has(action)) return [];
  const base: Path = isObject(event.args) ? ["args"] : [];
  const fields = isObject(event.args) ? event.args : event;
  const text = (role: Said["role"], key: string): readonly Said[] =>
    firstText(fields[key]) === ""
      ? []
      : [{ role, pieces: [{ kind: "text", text: firstText(fields[key]), record, path: [...base, key] }] }];
  if (action === "system") return text("system", "content");
  if (action === "message") return text(source === "agent" ? "assistant" : "user", "content");
  const reply = replyOf(events, record);
  if (reply !== undefined) return [{ role: "assistant", pieces: reply }];
  if (action === "finish" || action === "reject")
    return text("assistant", firstText(fields.final_thought) ? "final_thought" : "thought");
  if (action === "summarize") return text("user", "summary");
  const [thought] = text("assistant", "thought");
  return [{ role: "assistant", pieces: [...(thought?.pieces ?? []), bareCall(event, fields, record)] }];
}

/** What the model itself said, which the event carries along: its text once, and this action's call. */
function replyOf(events: readonly WireObject[], record: number): readonly TranscriptPiece[] | undefined {
  const metadata = events[record]!.tool_call_metadata;
  const response =
    isObject(metadata) && isObject(metadata.model_response) ? metadata.model_response : undefined;
  const choice = Array.isArray(response?.choices) ? response.choices[0] : undefined;
  const message = isObject(choice) && isObject(choice.message) ? choice.message : undefined;
  if (!isObject(metadata) || response === undefined || message === undefined) return undefined;
  const at: Path = ["tool_call_metadata", "model_response", "choices", 0, "message"];
  const pieces: TranscriptPiece[] = [];
  const text = firstText(message.content);
  const isFirst = !events
    .slice(0, record)
    .some((event) => "action" in event && responseId(event) === response.id);
  if (text !== "" && (isFirst || response.id === undefined)) {
    pieces.push({ kind: "text", text, record, path: [...at, "content"] });
  }
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const index = calls.findIndex((call) => isObject(call) && call.id === metadata.tool_call_id);
  const call: unknown = calls[index];
  const asked = isObject(call) && isObject(call.function) ? call.function : {};
  pieces.push({
    kind: "call",
    id: callId(events[record]!, record),
    name: firstText(metadata.function_name, asked.name),
    input: asked.arguments ?? {},
    record,
    path: [...at, "tool_calls", Math.max(0, index), "function", "arguments"],
    ...(index < 0 && { fixed: true }),
  });
  return pieces;
}

/** The id of the model's reply that an action was part of. */
export function responseId({ tool_call_metadata: metadata }: WireObject): unknown {
  return isObject(metadata) && isObject(metadata.model_response) ? metadata.model_response.id : undefined;
}

/** Models reuse ids; an event's own id is unique. */
function callId({ id }: WireObject, record: number): string {
  return `event-${id ?? `at-${record}`}`;
}

const NOT_ARGUMENTS: ReadonlySet<string> = new Set([
  "action",
  "thought",
  "is_confirmed",
  "action_risk",
  "keep_prompt",
  "confirmation_state",
  "kernel_init_code",
  "args",
  "message",
  "id",
  "timestamp",
  "source",
]);

/** The call of an action that carries no reply of the model: its own fields are the arguments. */
function bareCall(event: WireObject, fields: WireObject, record: number): TranscriptPiece {
  const input = Object.fromEntries(Object.entries(fields).filter(([key]) => !NOT_ARGUMENTS.has(key)));
  return {
    kind: "call",
    id: callId(event, record),
    name: firstText(event.action),
    input,
    record,
    path: ["action"],
    fixed: true,
  };
}

function observationSaid(events: readonly WireObject[], record: number): readonly Said[] {
  const event = events[record]!;
  const { observation, cause, content } = event;
  if (observation === "recall" || observation === "agent_state_changed" || observation === "null") return [];
  const at = typeof cause === "number" ? events.findIndex(({ id }) => id === cause) : record - 1;
  const action = events[at];
  const isAnswer =
    action !== undefined && typeof action.action === "string" && actionSaid(events, at).some(hasCall);
  if (!isAnswer) {
    const text = typeof content === "string" ? content : jsonText(content);
    if (text === "" || text === '""') return [];
    const type = firstText(observation) || "observation";
    return [{ role: "user", pieces: [{ kind: "other", type, text, record, path: ["content"] }] }];
  }
  const failed = observation === "error" || observation === "user_rejected";
  return [
    {
      role: "user",
      pieces: [
        { ...resultOf(content, callId(action, at), failed), record, path: ["content"] } as TranscriptPiece,
      ],
    },
  ];
}

function hasCall({ pieces }: Said): boolean {
  return pieces.some(({ kind }) => kind === "call");
}
