/** Replaces tool results whose whole text is again in a later result by a pointer to that one. */
import { callsById, type Message, withParts } from "../../conversation/message.ts";
import type { ToolCallPart, ToolResultPart } from "../../conversation/part.ts";
import { actionsOf } from "../../reading/calls/read-call.ts";
import type { Edit } from "../plan.ts";
import { holdsLines } from "./holds-lines.ts";
import type { Stage } from "./stage.ts";

const MIN_CHARS = 200;

export const dropDuplicates: Stage = {
  name: "drop-duplicates",
  propose(messages, { policy, counter, editable, tokensToSave, marks }) {
    if (!policy.dropDuplicates) return [];
    const later = laterTwins(messages);
    const edits: Edit[] = [];
    let saved = 0;
    for (const message of messages) {
      if (saved >= tokensToSave) break;
      if (!editable.has(message.position) || !message.parts.some((part) => later.has(part))) continue;
      const parts = message.parts.map((part) => {
        const twin = later.get(part);
        return twin && part.type === "tool-result"
          ? { ...part, text: pointer(twin, marks?.text(part.text)) }
          : part;
      });
      const replaced = withParts(message, parts);
      const saving = counter.message(message) - counter.message(replaced);
      if (saving <= 0) continue;
      saved += saving;
      edits.push({
        kind: "replace",
        position: message.position,
        message: replaced,
        reason: "a later result has the same output in full",
      });
    }
    return edits;
  },
};

/** The results that pointers lead to: their text must stay visible as it is. */
export function pointedAt(messages: readonly Message[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type !== "tool-result") continue;
      const id = POINTER.exec(part.text)?.[1];
      if (id !== undefined) ids.add(id);
    }
  }
  return ids;
}

interface Twin {
  readonly call: ToolCallPart | undefined;
  readonly pairId: string;
}

const POINTER =
  /^\[pith: this output is shown in full by the later .{1,80} result of call (\S+?)(?:; it is pith:[0-9a-z]+)?\]$/;

function pointer({ call, pairId }: Twin, id: string | undefined): string {
  const name = call?.name.replace(/\s+/g, " ").trim().slice(0, 80) || "tool";
  const own = id === undefined ? "" : `; it is ${id}`;
  return `[pith: this output is shown in full by the later ${name} result of call ${pairId}${own}]`;
}

/** For each result part whose text a later result holds whole: that later one. Newest copies stay. */
function laterTwins(messages: readonly Message[]): ReadonlyMap<unknown, Twin> {
  const calls = callsById(messages);
  const newestByText = new Map<string, Twin>();
  const newestByTarget = new Map<string, { text: string; twin: Twin }>();
  const twins = new Map<unknown, Twin>();
  for (const message of messages.toReversed()) {
    for (const part of message.parts.toReversed()) {
      if (part.type !== "tool-result" || !isComparable(part)) continue;
      const call = calls.get(part.pairId);
      const same = newestByText.get(part.text);
      const target = call && readTarget(call);
      const newer = target ? newestByTarget.get(target) : undefined;
      const twin = same ?? (newer && holdsLines(newer.text, part.text) ? newer.twin : undefined);
      if (twin) {
        twins.set(part, twin);
        continue;
      }
      const own = { call, pairId: part.pairId };
      newestByText.set(part.text, own);
      if (target) newestByTarget.set(target, { text: part.text, twin: own });
    }
  }
  return twins;
}

/** A pointer names the call, so the id must be one that can be read back from it. */
function isComparable(part: ToolResultPart): boolean {
  const { text, attachments, pairId, server } = part;
  return text.length >= MIN_CHARS && attachments.length === 0 && /^\S+$/.test(pairId) && !server;
}

/** Every compaction of a conversation asks for the same calls again. */
const targetBy = new WeakMap<ToolCallPart, string>();

/** What a call looked at: the same tool on the same file, place or address, whatever range it asked for; empty where it names none. */
function readTarget(call: ToolCallPart): string {
  let target = targetBy.get(call);
  if (target === undefined) {
    const [action] = actionsOf(call);
    target = action?.path === undefined ? "" : `${call.name} ${action.path}`;
    targetBy.set(call, target);
  }
  return target;
}
