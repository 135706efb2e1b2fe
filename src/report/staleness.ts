/** Staleness: tool results that no longer tell the truth: a file read before it was edited, an error fixed since. */
import { callsById, type Message } from "../conversation/message.ts";
import type { ToolCallPart, ToolResultPart } from "../conversation/part.ts";
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
  const results = resultsById(messages);
  const later: Later = { changedAt: new Map(), succeededAt: new Map() };
  const stale: Stale[] = [];
  for (let position = messages.length - 1; position >= 0; position--) {
    const { parts } = messages[position]!;
    for (const part of parts) {
      if (part.type !== "tool-result") continue;
      const call = calls.get(part.pairId);
      const judged = call && judge(part, call, later, position);
      if (judged) stale.push(judged);
    }
    for (const part of parts) {
      // Most calls change nothing, whatever came of them.
      if (part.type === "tool-call" && actionsOf(part).some(isChange)) {
        for (const path of filesChanged(part, results.get(part.pairId))) later.changedAt.set(path, position);
      }
    }
  }
  return stale.reverse();
}

function resultsById(messages: readonly Message[]): ReadonlyMap<string, ToolResultPart> {
  const results = new Map<string, ToolResultPart>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.type === "tool-result") results.set(part.pairId, part);
  }
  return results;
}

/** Where it last happened after the message that is judged. */
interface Later {
  readonly changedAt: Map<string, number>;
  /** By the tool, then by what it was given. */
  readonly succeededAt: Map<string, Map<string, number>>;
}

function judge(
  result: ToolResultPart,
  call: ToolCallPart,
  { changedAt, succeededAt }: Later,
  position: number,
): Stale | undefined {
  const { name, arguments: given } = call;
  let same = succeededAt.get(name);
  if (result.isError || FAILED.test(result.text)) {
    const since = same?.get(given);
    return since === undefined
      ? undefined
      : { position, since, reason: `${name} failed here and succeeded since` };
  }
  if (same === undefined) {
    same = new Map();
    succeededAt.set(name, same);
  }
  same.set(given, position);
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
  for (const { kind, path } of actions) {
    const since = kind === "read" && path !== undefined ? changedAt.get(path) : undefined;
    if (since !== undefined) return { position, since, reason: `${path} was changed since it was read here` };
  }
  return undefined;
}

/** A call that failed changed nothing; one without a result may have. */
function filesChanged(call: ToolCallPart, result: ToolResultPart | undefined): readonly string[] {
  const actions = actionsOf(call);
  const done = result ? deedOf({ pairId: call.pairId, tool: call.name, actions }, result).done : actions;
  return done.flatMap((action) => (isChange(action) && action.path !== undefined ? action.path : []));
}
