/** readLedger: checks a ledger that comes back from a caller's checkpoint. */
import { checkStored, type Stored, type StoredFields } from "../json/check-stored.ts";
import { MAX_ITEMS } from "../reading/calls/read-todos.ts";
import { LEDGER_LIMITS } from "./draft.ts";
import { emptyLedger, type Ledger } from "./ledger.ts";

/** A ledger with every field in order, or OptionsError naming the field. One that was read before is not checked again. */
export function readLedger(value: unknown): Ledger {
  if (typeof value === "object" && value !== null && checked.has(value)) return value as Ledger;
  const ledger = checkStored("state.ledger", value, LEDGER) as Ledger;
  checked.add(ledger);
  return ledger;
}

const checked = new WeakSet<object>();

const said: StoredFields = {
  fields: { text: "text", role: { oneOf: ["user", "assistant"] }, at: "count" },
};
const remedy: StoredFields = { fields: { label: "text", at: "count" } };
const counts: Stored = { each: "count" };

const LEDGER: StoredFields = {
  fields: {
    version: { version: 1 },
    messages: "count",
    files: {
      each: {
        fields: {
          path: "text",
          reads: "count",
          edits: "count",
          created: "flag",
          last: { oneOf: ["read", "edited", "created", "deleted"] },
          at: "count",
          "settled?": "flag",
          "mayBeOlder?": "flag",
        },
      },
      most: LEDGER_LIMITS.files,
    },
    commands: {
      each: {
        fields: {
          command: "text",
          runs: "count",
          outcome: { oneOf: ["ok", "failed", "unknown"] },
          "exitCode?": "number",
          line: "text",
          at: "count",
          "stale?": "flag",
        },
      },
      most: LEDGER_LIMITS.commands,
    },
    errors: {
      each: { fields: { text: "text", source: "text", open: "flag", "resolvedBy?": "text", at: "count" } },
      most: LEDGER_LIMITS.errors,
    },
    decisions: { each: said, most: LEDGER_LIMITS.decisions },
    constraints: { each: said },
    values: {
      each: { fields: { key: "text", value: "text", at: "count" } },
      most: LEDGER_LIMITS.values,
    },
    todos: {
      each: { fields: { "id?": "text", text: "text", status: { oneOf: ["open", "active", "done"] } } },
      most: MAX_ITEMS,
    },
    doubts: { each: said, most: LEDGER_LIMITS.doubts },
    dropped: { fields: Object.fromEntries(Object.keys(emptyLedger.dropped).map((name) => [name, "count"])) },
    forgotten: counts,
    latest: { fields: { "edit?": remedy, "code?": remedy, "command?": remedy, "commit?": remedy } },
    "asks?": counts,
    pending: { each: { fields: { pairId: "text", tool: "text", actions: { each: "anything" } } } },
  },
};
