/** Staleness: tool results that no longer tell the truth: a file read before it was edited, an error fixed since. */
import { callsById, type Message } from "../conversation/message.ts";
import type { Part, ToolCallPart, ToolResultPart } from "../conversation/part.ts";
import { isChange } from "../reading/calls/action.ts";
import { deedOf } from "../reading/calls/deed.ts";
import { actionsOf } from "../reading/calls/read-call.ts";

export interface Stale {
  /** Place of the stale message in the list. */
  readonly position: number;
  /** Place of the message that made it stale. */
  readonly since: number;
  readonly reason: string;
}

/** One walk from the end: what is known of the later messages judges the earlier ones. */
export function findStale(messages: readonly Message[]): readonly Stale[] {
  const calls = callsById(messages);
  const known = readResults(messages, calls);
  const later: Later = { ...known, calls, changedAt: new Map(), succeededAt: new Map() };
  const stale: Stale[] = [];
  for (let position = messages.length - 1; position >= 0; position--)
    judgeMessage(messages[position]!.parts, position, later, stale);
  return stale.reverse();
}

function judgeMessage(parts: readonly Part[], position: number, later: Later, stale: Stale[]): void {
  // By index: until it is compiled, an iterator makes an object for each step.
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (part.type !== "tool-result") continue;
    const call = later.calls.get(part.pairId);
    const judged = call && judge(part, call, later, position);
    if (judged) stale.push(judged);
  }
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    // Most calls change nothing, whatever came of them.
    if (part.type === "tool-call" && actionsOf(part).some(isChange)) noteChanges(part, later, position);
  }
}

function readResults(
  messages: readonly Message[],
  calls: Later["calls"],
): Pick<Later, "results" | "failedLengths"> {
  const results = new Map<string, ToolResultPart>();
  const failedLengths = new Set<number>();
  const readParts = ({ parts }: Message): void => {
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!;
      if (part.type !== "tool-result") continue;
      results.set(part.pairId, part);
      if (isFailed(part)) failedLengths.add(calls.get(part.pairId)?.arguments.length ?? -1);
    }
  };
  messages.forEach(readParts);
  return { results, failedLengths };
}

function isFailed({ isError, text }: ToolResultPart): boolean {
  return isError || FAILED.test(text);
}

/** What is known of the messages, and where it last happened after the one that is judged. */
interface Later {
  readonly calls: ReadonlyMap<string, ToolCallPart>;
  readonly results: ReadonlyMap<string, ToolResultPart>;
  /** How long the arguments of failed calls are: only a success of such a length is remembered, as few are. */
  readonly failedLengths: ReadonlySet<number>;
  readonly changedAt: Map<string, number>;
  /** By the tool, then by what it was given. */
  readonly succeededAt: Map<string, Map<string, number>>;
}

function judge(
  result: ToolResultPart,
  call: ToolCallPart,
  { changedAt, succeededAt, failedLengths }: Later,
  position: number,
): Stale | undefined {
  const { name, arguments: given } = call;
  if (isFailed(result)) {
    const since = succeededAt.get(name)?.get(given);
    return since === undefined
      ? undefined
      : { position, since, reason: `${name} failed here and succeeded since` };
  }
  if (failedLengths.has(given.length)) {
    const same = succeededAt.get(name) ?? new Map<string, number>();
    succeededAt.set(name, same.set(given, position));
  }
  return changedSince(call, changedAt, position);
}

const FAILED = /^\s{0,20}(?:error|fatal|traceback)\b/i;

/** What a command prints of a file may be anything. */
function changedSince(
  call: ToolCallPart,
  changedAt: ReadonlyMap<string, number>,
  position: number,
): Stale | undefined {
  const actions = actionsOf(call);
  if (actions[0]?.kind === "command") return undefined;
  for (let at = 0; at < actions.length; at++) {
    const { kind, path } = actions[at]!;
    const since = kind === "read" && path !== undefined ? changedAt.get(path) : undefined;
    if (since !== undefined) return { position, since, reason: `${path} was changed since it was read here` };
  }
  return undefined;
}

/** A call that failed changed nothing; one without a result may have. */
function noteChanges(call: ToolCallPart, { results, changedAt }: Later, position: number): void {
  const actions = actionsOf(call);
  const result = results.get(call.pairId);
  const done = result ? deedOf({ pairId: call.pairId, tool: call.name, actions }, result).done : actions;
  for (const action of done)
    if (isChange(action) && action.path !== undefined) changedAt.set(action.path, position);
}
