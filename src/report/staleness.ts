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
      const since = judge(part, calls.get(part.pairId), later, position);
      if (since) stale.push({ position, ...since });
    }
    for (const part of parts) {
      if (part.type !== "tool-call") continue;
      for (const path of filesChanged(part, results.get(part.pairId))) later.changedAt.set(path, position);
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
  call: ToolCallPart | undefined,
  { changedAt, succeededAt }: Later,
  position: number,
): Omit<Stale, "position"> | undefined {
  if (!call) return undefined;
  const same = succeededAt.get(call.name) ?? new Map<string, number>();
  if (result.isError || FAILED.test(result.text)) {
    const since = same.get(call.arguments);
    return since === undefined
      ? undefined
      : { since, reason: `${call.name} failed here and succeeded since` };
  }
  succeededAt.set(call.name, same.set(call.arguments, position));
  const changed = filesShown(call).find((path) => changedAt.has(path));
  return changed === undefined
    ? undefined
    : { since: changedAt.get(changed)!, reason: `${changed} was changed since it was read here` };
}

const FAILED = /^\s{0,20}(?:error|fatal|traceback)\b/i;

/** What a command prints of a file may be anything. */
function filesShown(call: ToolCallPart): readonly string[] {
  const actions = actionsOf(call);
  if (actions[0]?.kind === "command") return NONE;
  return actions.flatMap(({ kind, path }) => (kind === "read" && path !== undefined ? path : []));
}

/** A call that failed changed nothing; one without a result may have. */
function filesChanged(call: ToolCallPart, result: ToolResultPart | undefined): readonly string[] {
  const actions = actionsOf(call);
  // Most calls change nothing, whatever came of them.
  if (!actions.some(isChange)) return NONE;
  const done = result ? deedOf({ pairId: call.pairId, tool: call.name, actions }, result).done : actions;
  return done.flatMap((action) => (isChange(action) && action.path !== undefined ? action.path : []));
}

const NONE: readonly string[] = [];
