/** Tells what changed in a turn: each file once, with the declarations that were touched. */
import type { ToolCallPart } from "../conversation/part.ts";
import { isChange } from "../reading/calls/action.ts";
import { argumentsOf } from "../reading/calls/call-reading.ts";
import type { ReadCall, ReadStep } from "../reading/read-turns.ts";
import { isOutlined } from "../shapes/outline.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { deedEntry, shortPath, WORTH, writtenIn } from "./deed-parts.ts";
import { DECLARED, editsIn, editText } from "./edit-lines.ts";
import { type Entry, type Story, type Unit, unit, unitsIn } from "./story.ts";

interface Change {
  readonly edits: number;
  readonly how: string;
  /** The declarations that were touched, the first few of them. */
  readonly names: ReadonlySet<string>;
  readonly calls: readonly ToolCallPart[];
}

/** A change while it is read. */
interface ChangeDraft {
  edits: number;
  how: string;
  readonly names: Set<string>;
  readonly calls: ToolCallPart[];
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
  const told = editText(edits, [...names]);
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

export function isChangedLine(line: string): boolean {
  return line.startsWith(CHANGED);
}

const MOST_IN_HAND = 6;

/** In the order of the last change. */
function changesIn(steps: readonly ReadStep[]): ReadonlyMap<string, Change> {
  const files = new Map<string, ChangeDraft>();
  for (const { calls } of steps) for (const read of calls) addChanges(files, read);
  return files;
}

function addChanges(files: Map<string, ChangeDraft>, { call, deed }: ReadCall): void {
  if (deed === undefined) return;
  for (let at = 0; at < deed.done.length; at++) {
    const action = deed.done[at]!;
    if (!isChange(action) || action.path === undefined) continue;
    const path = action.to ?? action.path;
    const change = files.get(path) ?? { edits: 0, how: "", names: new Set(), calls: [] };
    if (action.kind === "delete") change.how = "deleted";
    else if (action.kind === "move") change.how = `moved from ${action.path}`;
    else if (action.kind === "create" && change.edits === 0) change.how = "new";
    change.edits++;
    if (deed.commands.length === 0) {
      change.calls.push(call);
      // Declarations beyond those that are told are not looked for.
      if (change.names.size < MOST_NAMES) addNames(change.names, namesBy(call));
    }
    files.delete(path);
    files.set(path, change);
  }
}

function addNames(names: Set<string>, more: readonly string[]): void {
  for (let at = 0; at < more.length && names.size < MOST_NAMES; at++) names.add(more[at]!);
}

function fileText(path: string, { edits, how, names }: Change): string {
  const named = [...names].join(", ");
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
  const names: string[] = [];
  written
    .slice(0, 20_000)
    .split("\n")
    .forEach((each) => {
      // A patch marks the lines that it adds.
      const line = each.startsWith("+") ? each.slice(1) : each;
      const name = DECLARED.exec(line)?.[1];
      if (name !== undefined && isOutlined(line)) names.push(name);
    });
  return names;
}
