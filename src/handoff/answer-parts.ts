/** What a call answered: as text without what clients put around it, as one record, as a detail for where there is room. */
import type { ToolResultPart } from "../conversation/part.ts";
import { REMINDER } from "../reading/agents/program-tags.ts";
import { printsFiles } from "../reading/calls/shell-files.ts";
import { withoutProgramBlocks } from "../reading/program-blocks.ts";
import type { ReadCall } from "../reading/read-turns.ts";
import { withoutNotice } from "../reading/without-notice.ts";
import { parseCutJson, parseJson } from "../shapes/json.ts";
import { isRows } from "../shapes/record-cells.ts";
import { unwrap } from "../shapes/unwrap.ts";
import type { Detail } from "./story.ts";

/** What a call answered, for where there is room for it: only there its text is read, and what a command printed is judged. */
export function answerDetail(read: ReadCall, result: ToolResultPart, kind?: Detail["kind"]): Detail {
  return new AnswerDetail(kind, result, read);
}

/** A class: an object with a getter of its own takes ten times the room, and there are thousands. */
class AnswerDetail implements Detail {
  #kind: Detail["kind"] | undefined;
  readonly #command: string;
  readonly of: ToolResultPart;
  readonly toolName: string;
  readonly toolArguments: string;

  constructor(kind: Detail["kind"] | undefined, result: ToolResultPart, { call, actions }: ReadCall) {
    this.#kind = kind;
    this.#command = actions[0]?.command ?? "";
    this.of = result;
    this.toolName = call.name;
    this.toolArguments = call.arguments;
  }

  /** Files can be read again. */
  get kind(): Detail["kind"] {
    this.#kind ??= printsFiles(this.#command) ? "read" : "printed";
    return this.#kind;
  }

  get text(): string {
    return plain(this.of);
  }
}

const plainBy = new WeakMap<ToolResultPart, string>();

/** What a tool said, without what clients put around it. */
export function plain(result: ToolResultPart): string {
  let text = plainBy.get(result);
  if (text === undefined) {
    text = withoutWrapping(result);
    plainBy.set(result, text);
  }
  return text;
}

function withoutWrapping(result: ToolResultPart): string {
  const { text } = unwrap({
    text: withoutNotice(result.text),
    isError: result.isError,
    toolName: "",
    toolArguments: "",
  });
  // Trimmed before as well: what is before a block at the end is then a slice of the text and no copy.
  return text.includes(REMINDER) ? withoutProgramBlocks(text.trimEnd()).trimEnd() : text;
}

const recordBy = new WeakMap<ToolResultPart, Record<string, unknown>>();

/** The one record that a call answered; without keys where it is none. */
export function recordIn({ result }: ReadCall): Record<string, unknown> {
  if (result === undefined) return {};
  let record = recordBy.get(result);
  if (record === undefined) {
    const value = valueIn(result);
    record = value === undefined || Array.isArray(value) ? {} : (value as Record<string, unknown>);
    recordBy.set(result, record);
  }
  return record;
}

/** The list of records that a call answered, an empty one included; undefined where it is none. */
export function rowsIn({ result }: ReadCall): readonly Record<string, unknown>[] | undefined {
  // An error or a page is no list, and long.
  if (result === undefined || !/^\s*(?:\[|meta=|\{)/.test(result.text.slice(0, 40))) return undefined;
  const value = valueIn(result);
  if (!Array.isArray(value)) return undefined;
  return value.length === 0 ? [] : isRows(value) ? value : undefined;
}

function valueIn(result: ToolResultPart): unknown {
  const text = plain(result).trim();
  return parseJson(text) ?? parseCutJson(text);
}
