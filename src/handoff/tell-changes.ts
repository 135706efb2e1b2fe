/** Tells what changed in a turn: each file once, with the declarations that were touched. */
import type { ToolCallPart } from "../conversation/part.ts";
import { isChange } from "../reading/calls/action.ts";
import { argumentsOf } from "../reading/calls/call-arguments.ts";
import type { ReadStep } from "../reading/read-turns.ts";
import { outlineOf } from "../shapes/outline.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { deedEntry, shortPath, WORTH, writtenIn } from "./deed-parts.ts";
import { DECLARED, editsIn, editText } from "./edit-lines.ts";
import { type Entry, type Story, type Unit, unit, unitsIn } from "./story.ts";

interface Change {
  readonly edits: number;
  readonly how: string;
  /** The declarations that were touched. */
  readonly names: ReadonlySet<string>;
  readonly calls: readonly ToolCallPart[];
}

/**
 * What changed in a turn, a file once: what was made, how often it was changed, the declarations that were touched. Of the
 * turn in hand the files that were changed last are told by themselves, and under them what went and what came: nobody has
 * reported it yet, and nobody is to do it again.
 */
export function changesOf(steps: readonly ReadStep[], isInHand: boolean): readonly Entry[] {
  const files = [...changesIn(steps)];
  const before = isInHand ? files.slice(0, -MOST_IN_HAND) : files;
  const told = before.map(([path, change]) => fileText(path, change));
  const entries = told.length === 0 ? [] : [deedEntry(unitsOf(told))];
  if (!isInHand || files.length === 0) return entries;
  const latest = files.slice(-MOST_IN_HAND);
  const line = unit(
    `${CHANGED}${latest.map(([path, change]) => fileText(path, change)).join(", ")}`,
    WORTH.changed,
  );
  return [...entries, deedEntry([{ ...line, lasting: true }, ...latest.flatMap(editUnits)])];
}

function editUnits([path, { calls, names }]: readonly [string, Change]): readonly Unit[] {
  const edits = calls.flatMap((call) => editsIn(argumentsOf(call)));
  const told = editText(edits, [...names].slice(0, MOST_NAMES));
  if (told === "") return [];
  return [{ ...unit(`  ${shortPath(path)} ${told}`, WORTH.wrote), under: 0, minor: "printed", isEdit: true }];
}

/** The story with the edits that nobody has reported yet as what must be told, the newest first, in that room. */
export function withEdits(story: Story, room: number, counter: TokenCounter): Story {
  if (story.at(-1)?.standing === "answered") return story;
  let left = room;
  const must = new Set<Unit>();
  const edits = unitsIn(story, ({ isEdit }) => isEdit);
  for (const edit of edits.toReversed()) {
    left -= counter.text(edit.text) + 1;
    if (left < 0) break;
    must.add(edit);
  }
  if (must.size === 0) return story;
  const told = (entry: Entry): Entry => {
    if (!entry.units.some((each) => must.has(each))) return entry;
    const units = entry.units.map((each, at) =>
      at === 0 || must.has(each) ? { ...each, must: true } : each,
    );
    return { ...entry, units };
  };
  return story.map((turn) => ({ ...turn, entries: turn.entries.map(told) }));
}

const CHANGED = "Changed: ";
const MOST_IN_HAND = 6;

/** In the order of the last change. */
function changesIn(steps: readonly ReadStep[]): ReadonlyMap<string, Change> {
  const files = new Map<string, Change>();
  for (const { calls } of steps) {
    for (const { call, deed } of calls) {
      for (const action of deed?.done ?? []) {
        if (!isChange(action) || action.path === undefined) continue;
        const path = action.to ?? action.path;
        const known = files.get(path) ?? { edits: 0, how: "", names: new Set(), calls: [] };
        const isTool = deed!.commands.length === 0;
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
          names: isTool ? new Set([...known.names, ...namesBy(call)]) : known.names,
          calls: isTool ? [...known.calls, call] : known.calls,
        });
      }
    }
  }
  return files;
}

function fileText(path: string, { edits, how, names }: Change): string {
  const named = [...names].slice(0, MOST_NAMES).join(", ");
  const about = [how, named].filter(Boolean).join("; ");
  return `${shortPath(path)}${edits > 1 ? ` ×${edits}` : ""}${about && ` (${about})`}`;
}

function unitsOf(told: readonly string[]): readonly Unit[] {
  return told.map(
    (text, index): Unit => ({
      ...unit(
        index === 0 ? `${CHANGED}${text}` : `, ${text}`,
        WORTH.changed / Math.sqrt(1 + index / 2),
        index === 0 ? "\n" : "",
      ),
      under: index === 0 ? undefined : 0,
    }),
  );
}

const namesByCall = new WeakMap<ToolCallPart, readonly string[]>();

function namesBy(call: ToolCallPart): readonly string[] {
  let names = namesByCall.get(call);
  if (names === undefined) {
    names = namesIn(argumentsOf(call));
    namesByCall.set(call, names);
  }
  return names;
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
