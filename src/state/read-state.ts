/** readState: checks a state that comes back from a caller's checkpoint, where anything may have happened to it. */

import { OptionsError } from "../errors/options-error.ts";
import { readLedger } from "../ledger/read-ledger.ts";
import { readLessons } from "../weights/lessons.ts";
import { type CompactionState, initialState } from "./compaction-state.ts";
import { readSummarizerState } from "./summarizer-state.ts";

/**
 * Absent: the initial state. Otherwise a state of version 1 with every field in order, or OptionsError naming the
 * field. Fields this version does not know are left out.
 */
export function readState(value: unknown): CompactionState {
  if (value === undefined || value === null) return initialState;
  const state = fieldsOf("state", value);
  if (state.version !== 1) {
    throw wrong("version", `1, the only version this release reads${hint(state.version)}`, state.version);
  }
  return {
    version: 1,
    compactions: count("compactions", state.compactions),
    strikes: count("strikes", state.strikes),
    recentResults: readResults(state.recentResults),
    ...optional(state, "lastAttemptAt", count),
    ...optional(state, "blockedUntil", count),
    ...optional(state, "blockedReason", text),
    ...optional(state, "blockEndsAtTokens", count),
    ...optional(state, "rearmTokens", count),
    ...optional(state, "actedOnUsage", count),
    ...optional(state, "model", text),
    ...optional(state, "honouredRequest", text),
    ...optional(state, "summarizer", (_field, value) => readSummarizerState(value)),
    ...optional(state, "conversation", text),
    ...optional(state, "lastCompaction", text),
    ...optional(state, "ledger", (_field, value) => readLedger(value)),
    ...optional(state, "lessons", (_field, value) => readLessons(value)),
    ...optional(state, "systemNoted", flag),
    ...optional(state, "pendingVerdict", (field, verdict) => ({
      thresholdTokens: count(`${field}.thresholdTokens`, fieldsOf(field, verdict).thresholdTokens),
    })),
    ...optional(state, "anchor", readAnchor),
  };
}

function readResults(value: unknown): CompactionState["recentResults"] {
  if (!Array.isArray(value)) throw wrong("recentResults", "a list", value);
  return value.slice(-8).map((result: unknown, index) => {
    const fields = fieldsOf(`recentResults[${index}]`, result);
    return {
      at: count(`recentResults[${index}].at`, fields.at),
      tokensBefore: count(`recentResults[${index}].tokensBefore`, fields.tokensBefore),
      tokensAfter: count(`recentResults[${index}].tokensAfter`, fields.tokensAfter),
    };
  });
}

function readAnchor(field: string, value: unknown): NonNullable<CompactionState["anchor"]> {
  const anchor = fieldsOf(field, value);
  return {
    promptTokens: count(`${field}.promptTokens`, anchor.promptTokens),
    messages: count(`${field}.messages`, anchor.messages),
  };
}

/** JSON has no `undefined`: an absent field and a null one mean the same. */
function optional<Name extends string, Value>(
  state: Record<string, unknown>,
  name: Name,
  read: (field: string, value: unknown) => Value,
): { [Key in Name]?: Value } {
  const value = state[name];
  return value === undefined || value === null
    ? {}
    : ({ [name]: read(name, value) } as { [Key in Name]?: Value });
}

function fieldsOf(field: string, value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw wrong(field, "an object", value);
}

function count(field: string, value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw wrong(field, "a number, 0 or more", value);
}

function text(field: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw wrong(field, "text", value);
}

function flag(field: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw wrong(field, "true or false", value);
}

function hint(version: unknown): string {
  return typeof version === "number" && version > 1 ? "; a newer one wrote this state" : "";
}

function wrong(field: string, expected: string, found: unknown): OptionsError {
  const shown =
    typeof found === "object" && found !== null ? "an object" : JSON.stringify(found)?.slice(0, 60);
  return new OptionsError(
    field === "state" ? "state" : `state.${field}`,
    `The compaction state cannot be used: \`${field}\` must be ${expected}; it is ${shown ?? "missing"}. ` +
      "Give back what the last call returned, or leave `state` out to start afresh.",
  );
}
