/** codex-tui-log: the session log of the Codex terminal, one line for each event, keystroke and redraw. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { blockPieces, resultOf } from "./block-pieces.ts";
import { gather, insertEach, lineRecords, withFollowers } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type {
  FileRecord,
  Said,
  TranscriptFormat,
  TranscriptPiece,
  TranscriptReading,
  Writing,
} from "./transcript.ts";

/** A log may hold several sessions; the last one in which anything was said is read. Deltas go with what they lead to. */
export const codexTuiLog: TranscriptFormat = {
  name: "codex-tui-log",
  tells: ({ dir, kind }) =>
    typeof kind === "string" && (dir === "to_tui" || dir === "from_tui" || dir === "meta"),
  read,
  timeOf: ({ ts }) => ts,
  compose,
};

function read(source: SourceText): TranscriptReading {
  const { records, problems } = lineRecords(source);
  const sessions: Said[][] = [[]];
  let model = "";
  let configured = "";
  let id = "";
  records.forEach(({ value }, record) => {
    const event = eventOf(value);
    model = firstText(event.model, value.model) || model;
    if (event.type === "session_configured") sessions.push([]);
    const spoken = lineSaid(value, event, record);
    if (event.type === "session_configured") configured = firstText(event.session_id);
    if (spoken.length > 0) id = configured;
    sessions.at(-1)!.push(...spoken);
  });
  const said = gather(sessions.findLast((session) => session.length > 0) ?? []);
  return {
    records: withFollowers(records, said, isFree),
    said,
    problems,
    ...(model !== "" && { model }),
    session: { id },
  };
}

function eventOf({ kind, payload }: WireObject): WireObject {
  return kind === "codex_event" && isObject(payload) && isObject(payload.msg) ? payload.msg : {};
}

const MSG = ["payload", "msg"];

function lineSaid(line: WireObject, event: WireObject, record: number): readonly Said[] {
  const { payload } = line;
  if (line.kind === "op" && isObject(payload) && Array.isArray(payload.items)) {
    return [{ role: "user", pieces: blockPieces(payload.items, { record, path: ["payload", "items"] }) }];
  }
  const one = (role: Said["role"], piece: TranscriptPiece): readonly Said[] => [{ role, pieces: [piece] }];
  const id = firstText(event.call_id);
  switch (event.type) {
    case "agent_message":
      return one("assistant", {
        kind: "text",
        text: firstText(event.message),
        record,
        path: [...MSG, "message"],
      });
    case "agent_reasoning":
      return one("assistant", {
        kind: "thinking",
        text: firstText(event.text),
        signed: false,
        record,
        path: [...MSG, "text"],
      });
    case "exec_command_begin":
      return one("assistant", call(id, "shell", { command: event.command }, record));
    case "patch_apply_begin":
      return one("assistant", call(id, "apply_patch", { changes: event.changes }, record));
    case "mcp_tool_call_begin": {
      const asked = isObject(event.invocation) ? event.invocation : {};
      return one("assistant", call(id, firstText(asked.tool), asked.arguments, record));
    }
    case "exec_command_end":
      return one("user", outputOf(event, id, Number(event.exit_code) !== 0, record));
    case "patch_apply_end":
      return one("user", outputOf(event, id, event.success === false, record));
    case "mcp_tool_call_end":
      return one("user", {
        ...resultOf(event.result, id),
        record,
        path: [...MSG, "result"],
        fixed: true,
      } as TranscriptPiece);
    default:
      return [];
  }
}

/** The program would not read other arguments there than its own. */
function call(id: string, name: string, input: unknown, record: number): TranscriptPiece {
  return { kind: "call", id, name, input, record, path: [...MSG, "call_id"], fixed: true };
}

function outputOf(event: WireObject, id: string, isError: boolean, record: number): TranscriptPiece {
  const key = firstText(event.stdout) === "" && firstText(event.stderr) !== "" ? "stderr" : "stdout";
  return { ...resultOf(event[key], id, isError), record, path: [...MSG, key] } as TranscriptPiece;
}

function isFree({ value }: FileRecord): boolean {
  return isObject(value) && value.dir !== "meta" && eventOf(value).type !== "session_configured";
}

function compose(writing: Writing) {
  const { records } = writing.reading;
  return insertEach(writing, ({ text, before, after }) => {
    const near = records[before ?? after ?? 0]?.value;
    const ts = isObject(near) ? near.ts : undefined;
    return {
      ts,
      dir: "from_tui",
      kind: "op",
      payload: { type: "user_input", items: [{ type: "text", text }] },
    };
  });
}
