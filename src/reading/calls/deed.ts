/** Deed: what a call came to, by its result. */
import type { ToolResultPart } from "../../conversation/part.ts";
import type { PendingCall } from "./action.ts";
import { type Action, isChange } from "./action.ts";
import { type CallEnd, callEnd } from "./call-end.ts";
import { checksIn } from "./checks.ts";
import { commandCore, commandText, onlyLooks } from "./command-text.ts";
import { type GitFiles, gitFilesIn, movesTree } from "./git-files.ts";
import { foundNothing, hidesEnd } from "./hidden-end.ts";
import { type Lasting, lastingIn } from "./lasting.ts";
import { leftOutOf } from "./left-out.ts";
import { actionsDone } from "./read-call.ts";
import { shortLine } from "./said.ts";
import { tellingLine } from "./telling-line.ts";

export interface Deed extends Pick<CallEnd, "failed" | "declined" | "running"> {
  readonly exitCode: number | undefined;
  /** The exit code that is known is not that of the check which was run, and its output does not say either how it ended, or is left out. */
  readonly hidden: boolean;
  /** Of what the call set out to do, that which was done. */
  readonly done: readonly Action[];
  /** The commands that were run, each on one line. */
  readonly commands: readonly string[];
  /** `npm test`, or `Edit src/a.ts`: the command without its trimmings, or the tool and its file. */
  readonly source: string;
  /** The line that mattered: what failed, or what a command that succeeded came to. */
  readonly line: string;
  /** A failure that is an error, with what the tool said; reads, listings and searches that find nothing are answers. */
  readonly error: string | undefined;
  /** A success that may have made an error go away: a change of a file, or a command that does more than look. */
  readonly step: Step | undefined;
  /** What no edit takes back. */
  readonly lasting: readonly Lasting[];
  /** What git said of changed files. */
  readonly git: GitFiles | undefined;
}

interface Step {
  readonly isEdit: boolean;
  /** It changed what a check may see: files that are neither documentation nor temporary. */
  readonly isCode: boolean;
  readonly label: string;
}

/** A result that was read is read again by every later compaction of the same conversation. */
const memo = new WeakMap<ToolResultPart, { readonly actions: readonly Action[]; readonly deed: Deed }>();

export function deedOf({ tool, actions }: PendingCall, result: ToolResultPart): Deed {
  const known = memo.get(result);
  if (known?.actions === actions) return known.deed;
  const deed = readDeed(tool, actions, callEnd(tool, actions, result));
  memo.set(result, { actions, deed });
  return deed;
}

function readDeed(tool: string, actions: readonly Action[], told: CallEnd): Deed {
  const end = withoutSearch(actions, told);
  const { failed, declined, running, exitCode } = end;
  const done = actionsDone(actions, end);
  const commands = commandsIn(done);
  const source = commands.length > 0 ? commandCore(commands[0]!) : fileSource(tool, failed ? actions : done);
  const isError = failed && isErrorSource(source, actions);
  const lasting = declined || running ? NONE : lastingOf(actions, told);
  const isLeftOut = leftOutOf(end.text) !== undefined;
  const hidden = !failed && !running && (isLeftOut || done.some(({ command }) => hides(command, end)));
  const step = failed || running ? undefined : stepOf(tool, done, commands[0], source, end.text);
  return {
    failed,
    declined,
    running,
    exitCode,
    hidden,
    done,
    commands,
    source,
    line: failed || (commands.length > 0 && !isLeftOut) ? tellingLine(end, hidden) : "",
    error: isError ? end.text : undefined,
    step,
    lasting,
    git: declined || running ? undefined : gitOf(actions, end, lasting),
  };
}

/** A search that found nothing is an answer. */
function withoutSearch(actions: readonly Action[], end: CallEnd): CallEnd {
  const command = end.failed ? actions[0]?.command : undefined;
  if (command === undefined || !foundNothing(command, end.exitCode, end.text)) return end;
  return { ...end, failed: false, exitCode: undefined, lines: NONE, text: NO_MATCH };
}

const NO_MATCH = "no match";

/** Whether it is open how a check in a command ended. Where the last search found nothing, also a check that was told by its exit code may be what failed. */
function hides(command: string | undefined, { text }: CallEnd): boolean {
  if (command === undefined) return false;
  return hidesEnd(command, text) || (text === NO_MATCH && checksIn(command).length > 0);
}

function lastingOf(actions: readonly Action[], { text, failed }: CallEnd): readonly Lasting[] {
  let all: readonly Lasting[] = NONE;
  // By index: until it is compiled, an iterator makes an object for each step.
  for (let at = 0; at < actions.length; at++) {
    const { command } = actions[at]!;
    const lasting = command === undefined ? NONE : lastingIn(command, text, failed);
    if (lasting.length > 0) all = [...all, ...lasting];
  }
  return all;
}

function gitOf(
  actions: readonly Action[],
  { text }: CallEnd,
  lasting: readonly Lasting[],
): GitFiles | undefined {
  const command = actions[0]?.command;
  return command?.includes("git ") ? gitFilesIn(command, text, lasting) : undefined;
}

function commandsIn(actions: readonly Action[]): readonly string[] {
  if (actions[0]?.command === undefined) return NONE;
  const commands: string[] = [];
  for (let at = 0; at < actions.length; at++) {
    const { command } = actions[at]!;
    if (command !== undefined) commands.push(commandText(command));
  }
  return commands;
}

const NONE: readonly never[] = [];

function fileSource(tool: string, actions: readonly Action[]): string {
  for (let at = 0; at < actions.length; at++) {
    const { kind, path } = actions[at]!;
    if (path !== undefined && FILE_SOURCES.has(kind)) return shortLine(`${tool} ${path}`, MAX_SOURCE);
  }
  return shortLine(tool, MAX_SOURCE);
}

const MAX_SOURCE = 300;
const FILE_SOURCES = new Set(["read", "edit", "create", "delete", "move", "list"]);

function isErrorSource(source: string, actions: readonly Action[]): boolean {
  const [first] = actions;
  if (first === undefined) return true;
  const { kind, command } = first;
  return (
    kind !== "search" && kind !== "read" && kind !== "list" && (command === undefined || !onlyLooks(source))
  );
}

function stepOf(
  tool: string,
  done: readonly Action[],
  command: string | undefined,
  source: string,
  answer: string,
): Deed["step"] {
  const change = done.find(isChange);
  const isCode = change !== undefined && done.some(changesCode);
  if (command !== undefined) {
    const isMoved = movesTree(command, answer);
    if (change === undefined && !isMoved && onlyLooks(source)) return undefined;
    return stepWith(change !== undefined, isCode || isMoved, command);
  }
  if (change?.path === undefined) return undefined;
  const label = change === done[0] ? source : shortLine(`${tool} ${change.path}`, MAX_SOURCE);
  return stepWith(true, isCode, label);
}

function stepWith(isEdit: boolean, isCode: boolean, label: string): Step {
  return { isEdit, isCode, label };
}

function changesCode(action: Action): boolean {
  return isChange(action) && !DOCUMENT.test(action.to ?? action.path ?? "");
}

/** What no check reads, as a rule: prose, and what is outside the work. */
const DOCUMENT = /\.(?:md|markdown|rst|adoc|txt)$|^(?:\/private)?\/tmp\/|\/var\/folders\/|[\\/]Temp[\\/]/i;
