/** Tells what changed in a turn: each file once, with the declarations that were touched. */
import type { ToolCallPart } from "../conversation/part.ts";
import { isChange } from "../reading/calls/action.ts";
import type { ReadStep } from "../reading/read-turns.ts";
import { outlineOf } from "../shapes/outline.ts";
import { argumentsOf, deedEntry, oneLine, shortPath, unit, WORTH, writtenIn } from "./deed-parts.ts";
import type { Entry, Unit } from "./story.ts";

interface Change {
  readonly edits: number;
  readonly how: string;
  /** The declarations that were touched. */
  readonly names: ReadonlySet<string>;
  /** The first line that the last edit put in. */
  readonly line: string;
}

/**
 * What changed in a turn, a file once: what was made, how often it was changed, the declarations that were touched. Of the
 * turn in hand the files that were changed last stand by themselves, with what was put in: nobody is to do it again.
 */
export function changesOf(steps: readonly ReadStep[], isInHand: boolean): readonly Entry[] {
  const files = [...changesIn(steps)];
  const before = isInHand ? files.slice(0, -MOST_IN_HAND) : files;
  const told = before.map(([path, change]) => fileText(path, change));
  const entries = told.length === 0 ? [] : [deedEntry(unitsOf(told))];
  if (!isInHand || files.length === 0) return entries;
  const latest = files
    .slice(-MOST_IN_HAND)
    .map(([path, change], at, all) => fileText(path, change, at >= all.length - MOST_WITH_LINES));
  const line = unit(`${CHANGED}${latest.join(", ")}`, WORTH.changed);
  return [...entries, deedEntry([{ ...line, lasting: true }])];
}

const CHANGED = "Changed: ";
const MOST_IN_HAND = 6;
const MOST_WITH_LINES = 3;

/** In the order of the last change. */
function changesIn(steps: readonly ReadStep[]): ReadonlyMap<string, Change> {
  const files = new Map<string, Change>();
  for (const { calls } of steps) {
    for (const { call, deed } of calls) {
      for (const action of deed?.done ?? []) {
        if (!isChange(action) || action.path === undefined) continue;
        const path = action.to ?? action.path;
        const known = files.get(path) ?? { edits: 0, how: "", names: new Set(), line: "" };
        const put = deed!.commands.length === 0 ? putBy(call) : NOTHING_PUT;
        const made = action.kind === "create" && known.edits === 0 ? "new" : known.how;
        files.delete(path);
        files.set(path, {
          edits: known.edits + 1,
          how:
            action.kind === "delete"
              ? "deleted"
              : action.kind === "move"
                ? `moved from ${action.path}`
                : made,
          names: new Set([...known.names, ...put.names]),
          line: put.line || known.line,
        });
      }
    }
  }
  return files;
}

function fileText(path: string, { edits, how, names, line }: Change, withLine = false): string {
  const named = [...names].slice(0, MOST_NAMES).join(", ");
  const about = [how, named || (withLine ? line : "")].filter(Boolean).join("; ");
  return `${shortPath(path)}${edits > 1 ? ` ×${edits}` : ""}${about && ` (${about})`}`;
}

function unitsOf(told: readonly string[]): readonly Unit[] {
  return told.map(
    (text, index): Unit => ({
      ...unit(index === 0 ? `${CHANGED}${text}` : `, ${text}`, WORTH.changed / Math.sqrt(1 + index / 2)),
      join: index === 0 ? "\n" : "",
      ...(index > 0 && { under: 0 }),
    }),
  );
}

/** What a call put into its file: the declarations, and the first line. */
interface Put {
  readonly names: readonly string[];
  readonly line: string;
}

const NOTHING_PUT: Put = { names: [], line: "" };
const putByCall = new WeakMap<ToolCallPart, Put>();

function putBy(call: ToolCallPart): Put {
  let put = putByCall.get(call);
  if (put === undefined) {
    const values = argumentsOf(call.arguments);
    put = { names: namesIn(values), line: lineIn(values) };
    putByCall.set(call, put);
  }
  return put;
}

/** What was put in: the first line with words that was not there before. */
function lineIn(values: Record<string, unknown>): string {
  const before = new Set(OLD_KEYS.flatMap((key) => linesOf(values[key])));
  const line = linesOf(writtenIn(values)).find((each) => /\w{3}/.test(each) && !before.has(each));
  return line === undefined ? "" : oneLine(line, MOST_LINE);
}

const OLD_KEYS = ["old_string", "old_str", "oldText", "oldString", "old_text"];
const MOST_LINE = 48;

function linesOf(text: unknown): readonly string[] {
  return typeof text === "string"
    ? text
        .slice(0, 20_000)
        .split("\n")
        .map((line) => line.trim())
    : [];
}

const MOST_NAMES = 4;

/** Declarations in what was written. */
function namesIn(values: Record<string, unknown>): readonly string[] {
  const written = writtenIn(values);
  if (written === undefined) return [];
  const lines = written.slice(0, 20_000).split("\n");
  return outlineOf(lines, (line) => line).flatMap(({ index }) => {
    const name = DECLARED.exec(lines[index]!)?.[1];
    return name === undefined ? [] : [name];
  });
}

const DECLARED =
  /\b(?:function\*?|class|interface|enum|struct|trait|def|fn|func|type|module|namespace|const|let|var)\s+(?:\([^)]{0,80}\)\s*)?([A-Za-z_$][\w$]*)/;
