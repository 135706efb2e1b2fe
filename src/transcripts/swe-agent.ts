/** swe-agent: the trajectory files of SWE-agent; their `history` is what the model reads. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { chatSaid } from "./chat-pieces.ts";
import { elementRecords, insertEach } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type { Said, TranscriptFormat, TranscriptReading, Writing } from "./transcript.ts";

/**
 * Messages with tool calls are read as such. In older files the action is in the assistant's text and its
 * observation is the user's message after it: these are read as a call and its result. The log of steps is left alone.
 */
export const sweAgent: TranscriptFormat = {
  name: "swe-agent",
  detect: ({ json }) => {
    const whole = json();
    return isObject(whole) && Array.isArray(whole.history) && Array.isArray(whole.trajectory) ? 1 : 0;
  },
  read,
  keepsMerged: true,
  compose,
};

function read(source: SourceText): TranscriptReading {
  const { records, problems } = elementRecords(source, [{ path: ["history"] }]);
  const said: Said[] = [];
  let asked: string | undefined;
  records.forEach(({ value }, record) => {
    const one = chatSaid(value, record);
    if (one === undefined || !isObject(value)) return;
    if (asked !== undefined && value.role === "user" && one.pieces.every(({ kind }) => kind === "text")) {
      said.push({
        role: "user",
        pieces: one.pieces.map((piece) => ({
          ...piece,
          kind: "result",
          id: asked!,
          text: "text" in piece ? piece.text : "",
        })),
      });
      asked = undefined;
      return;
    }
    const action = actionOf(value);
    asked = action === "" ? undefined : `step-${record}`;
    said.push(
      asked === undefined ? one : { ...one, pieces: [...one.pieces, stepCall(asked, action, record)] },
    );
  });
  return { records, said, problems };
}

/** The action of an assistant's message that has no tool calls. */
function actionOf({ role, action, tool_calls: calls }: WireObject): string {
  return role === "assistant" && !Array.isArray(calls) ? firstText(action).trim() : "";
}

/** Only its first line: the whole action is in the message's text. */
function stepCall(id: string, action: string, record: number) {
  const [line = ""] = action.split("\n");
  const name = /^\w+/.exec(line)?.[0] ?? "run";
  return {
    kind: "call",
    id,
    name,
    input: { command: line.slice(0, 200) },
    record,
    path: ["action"],
    drop: ["action"],
    fixed: true,
  } as const;
}

function compose(writing: Writing) {
  const { records } = writing.reading;
  return insertEach(writing, ({ text, role, before, after }) => {
    const near = records[before ?? after ?? 0]?.value;
    const neighbour = isObject(near) ? near : {};
    return {
      ...("message_type" in neighbour && { message_type: role === "user" ? "observation" : "action" }),
      role,
      content: text,
      ...("agent" in neighbour && { agent: neighbour.agent }),
    };
  });
}
