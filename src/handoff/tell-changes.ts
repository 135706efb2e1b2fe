/** Tells what changed in a turn: each file once, with the declarations that were touched. */
import type { ToolCallPart } from "../conversation/part.ts";
import { type Action, isChange } from "../reading/calls/action.ts";
import { argumentsOf } from "../reading/calls/call-reading.ts";
import type { ReadCall, ReadStep } from "../reading/read-turns.ts";
import { isOutlined } from "../shapes/outline.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { deedEntry, replacedIn, shortPath, WORTH, writtenIn } from "./deed-parts.ts";
import { DECLARED, editsIn, editText } from "./edit-lines.ts";
import { type FilesThere, isThere, noFiles, noteThere } from "./files-there.ts";
import { TEMPORARY } from "./state.ts";
import { type Entry, type Story, type Unit, unit, unitsIn } from "./story.ts";

interface Change {
  readonly edits: number;
  readonly how: string;
  /** The declarations that were touched and are still there. */
  readonly names: readonly string[];
  readonly calls: readonly ToolCallPart[];
}

/** A change while it is read. */
interface ChangeDraft {
  edits: number;
  how: string;
  /** The file was surely not there before it was made. */
  wasMissing: boolean;
  names: readonly string[];
  readonly calls: ToolCallPart[];
}

/**
 * What changed in a turn, a file once: what was made, how often it was changed, the declarations that were touched. Of the
 * turn in hand the files that were changed last are told by themselves, and under them what went and what came: nobody has
 * reported it yet, and nobody is to do it again. `there` are the files that were known before the turn.
 */
export function changesOf(
  steps: readonly ReadStep[],
  isInHand: boolean,
  there: FilesThere = noFiles(),
): readonly Entry[] {
  const files = [...changesIn(steps, there)];
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
  const told = editText(edits, names.slice(0, MOST_NAMES));
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
function changesIn(steps: readonly ReadStep[], before: FilesThere): ReadonlyMap<string, Change> {
  const files: ChangedFiles = { drafts: new Map(), before, there: noFiles() };
  for (const { calls } of steps) for (const read of calls) addChanges(files, read);
  return files.drafts;
}

interface ChangedFiles {
  readonly drafts: Map<string, ChangeDraft>;
  /** What was there before the turn, and what its own calls have shown so far. */
  readonly before: FilesThere;
  readonly there: FilesThere;
}

function addChanges(files: ChangedFiles, read: ReadCall): void {
  if (read.deed === undefined) return;
  for (let at = 0; at < read.deed.done.length; at++) {
    const action = read.deed.done[at]!;
    if (isChange(action) && action.path !== undefined && !action.remade) addChange(files, action, read, at);
    noteThere(files.there, action);
  }
}

function addChange(files: ChangedFiles, action: Action, read: ReadCall, at: number): void {
  const { drafts } = files;
  const known = drafts.get(action.path!);
  const isMade = known?.how === NEW;
  if (action.kind === "delete" && known?.wasMissing) {
    // What was made and went again in one turn was never there.
    drafts.delete(action.path!);
    return;
  }
  const path = action.to ?? action.path!;
  const change = drafts.get(path) ?? { edits: 0, how: "", wasMissing: false, names: [], calls: [] };
  if (isMade && action.kind === "move") {
    drafts.delete(action.path!);
    takeOver(change, known);
  } else noteChange(change, files, action, read, at);
  drafts.delete(path);
  drafts.set(path, change);
}

/** `jq … > tmp.json && mv tmp.json package.json`: what was made elsewhere takes the place of what may have been there. */
function takeOver(change: ChangeDraft, { edits, names, calls }: ChangeDraft): void {
  change.edits += edits;
  if (change.how === DELETED) change.how = "";
  change.names = withNames(change.names, { gone: [], came: names });
  change.calls.push(...calls);
}

function noteChange(
  change: ChangeDraft,
  files: ChangedFiles,
  action: Action,
  read: ReadCall,
  at: number,
): void {
  const { call, actions, deed } = read;
  const isNew = action.kind === "create" && change.edits === 0 && !isKnown(files, action.path!);
  change.wasMissing = isNew ? isSurelyMade(action.path!, read) : change.wasMissing && action.kind !== "move";
  change.how = isNew ? NEW : howAfter(change, action);
  change.edits++;
  if (deed!.commands.length > 0) return;
  change.calls.push(call);
  const known = actions[at]?.kind === "create" ? [] : change.names;
  change.names = withNames(known, namesBy(call));
}

function isKnown({ before, there }: ChangedFiles, path: string): boolean {
  return isThere(before, path) || isThere(there, path);
}

/** A redirection, or a tool that says no more than `ok`, may have written over a file that was there. */
function isSurelyMade(path: string, { deed, result }: ReadCall): boolean {
  if (TEMPORARY.test(path)) return true;
  const answer = result?.text.slice(0, MOST_ANSWER) ?? "";
  return deed!.commands.length === 0 && (SAYS_MADE.test(answer) || LISTS_ADDED.test(answer));
}

const MOST_ANSWER = 2_000;
/** In its first line, and not as a part of a file's name. */
const SAYS_MADE = /^[^\n]{0,1200}?(?<![\w/.-])(?:created|new file)(?![\w/-]|\.\w)/i;
const LISTS_ADDED = /^A \S/m;

const NEW = "new";
const DELETED = "deleted";

function howAfter({ how }: ChangeDraft, { kind, path }: Action): string {
  if (kind === "delete") return DELETED;
  if (kind === "move") return `moved from ${path}`;
  return how === DELETED ? "" : how;
}

/** What came in the place of a declaration takes its place. */
function withNames(names: readonly string[], { gone, came }: Names): readonly string[] {
  if (gone.length === 0 && names.length >= MOST_NOTED) return names;
  const were = new Set(gone);
  const place = names.findIndex((name) => were.has(name));
  const kept = names.filter((name) => !were.has(name));
  const now = new Set(place < 0 ? kept : [...kept.slice(0, place), ...came, ...kept.slice(place)]);
  for (let at = 0; at < came.length && now.size < MOST_NOTED; at++) now.add(came[at]!);
  return [...now].slice(0, MOST_NOTED);
}

function fileText(path: string, { edits, how, names }: Change): string {
  const named = names.slice(0, MOST_NAMES).join(", ");
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

/** Declarations that a call took out of a file, and those in what it wrote. */
interface Names {
  readonly gone: readonly string[];
  readonly came: readonly string[];
}

const namesByCall = new WeakMap<ToolCallPart, Names>();

function namesBy(call: ToolCallPart): Names {
  let names = namesByCall.get(call);
  if (names === undefined) {
    names = readNames(argumentsOf(call));
    namesByCall.set(call, names);
  }
  return names;
}

const MOST_NAMES = 4;
/** So many of a file are kept in mind: those that are told may go again. */
const MOST_NOTED = 40;

function readNames(values: Record<string, unknown>): Names {
  const written = writtenIn(values);
  const came = written === undefined ? [] : namesIn(written, "+");
  const replaced = replacedIn(values);
  if (replaced === undefined && !written?.startsWith("*** ")) return { gone: [], came };
  const kept = new Set(came);
  return { gone: namesIn(replaced ?? written!, "-").filter((name) => !kept.has(name)), came };
}

/** Declarations in a text; of a patch in the lines that open with that mark. */
function namesIn(text: string, mark: "+" | "-"): readonly string[] {
  const isPatch = text.startsWith("*** ");
  const names: string[] = [];
  text
    .slice(0, 20_000)
    .split("\n")
    .forEach((each) => {
      const isMarked = each.startsWith(mark);
      if (isPatch && !isMarked && mark === "-") return;
      const line = isMarked ? each.slice(1) : each;
      const name = DECLARED.exec(line)?.[1];
      if (name !== undefined && isOutlined(line)) names.push(name);
    });
  return names;
}
