/** readLedger: checks a ledger that comes back from a caller's checkpoint, where anything may have happened to it. */
import { OptionsError } from "../errors/options-error.ts";
import { MAX_ITEMS } from "../reading/calls/read-todos.ts";
import { LEDGER_LIMITS } from "./draft.ts";
import { type DroppedName, emptyLedger, type Ledger } from "./ledger.ts";

/** A ledger with every field in order, or OptionsError naming the field. One that was read before is not checked again. */
export function readLedger(value: unknown): Ledger {
  if (typeof value === "object" && value !== null && checked.has(value)) return value as Ledger;
  const ledger = check(fieldsOf("", value));
  checked.add(ledger);
  return ledger;
}

const checked = new WeakSet<object>();

type Kind = "text" | "count" | "number" | "flag" | "list" | readonly string[];
/** What each field of a fact must be; with a question mark at its end it may be absent. */
type Shape = Readonly<Record<string, Kind>>;

const SAID: Shape = { text: "text", role: ["user", "assistant"], at: "count" };
const FACTS = {
  files: {
    path: "text",
    reads: "count",
    edits: "count",
    created: "flag",
    last: ["read", "edited", "created", "deleted"],
    at: "count",
    "settled?": "flag",
  },
  commands: {
    command: "text",
    runs: "count",
    outcome: ["ok", "failed", "unknown"],
    "exitCode?": "number",
    line: "text",
    at: "count",
    "stale?": "flag",
  },
  errors: { text: "text", source: "text", open: "flag", "resolvedBy?": "text", at: "count" },
  decisions: SAID,
  values: { key: "text", value: "text", at: "count" },
  doubts: SAID,
  constraints: SAID,
  todos: { "id?": "text", text: "text", status: ["open", "active", "done"] },
  pending: { pairId: "text", tool: "text", actions: "list" },
} as const satisfies Partial<Record<keyof Ledger, Shape>>;

function check(ledger: Record<string, unknown>): Ledger {
  if (ledger.version !== 1) throw wrong("version", "1, the only version this release reads");
  const list = <Name extends keyof typeof FACTS>(name: Name, limit?: number) =>
    listOf(name, ledger[name], FACTS[name]).slice(
      limit === undefined ? 0 : -limit,
    ) as unknown as Ledger[Name];
  const { edit, command, commit } = fieldsOf("latest", ledger.latest);
  const dropped = fieldsOf("dropped", ledger.dropped);
  for (const name of Object.keys(emptyLedger.dropped)) checkField(`dropped.${name}`, "count", dropped[name]);
  return {
    version: 1,
    messages: checkField("messages", "count", ledger.messages) as number,
    files: list("files", LEDGER_LIMITS.files),
    commands: list("commands", LEDGER_LIMITS.commands),
    errors: list("errors", LEDGER_LIMITS.errors),
    decisions: list("decisions", LEDGER_LIMITS.decisions),
    constraints: list("constraints"),
    values: list("values", LEDGER_LIMITS.values),
    todos: list("todos", MAX_ITEMS),
    doubts: list("doubts", LEDGER_LIMITS.doubts),
    dropped: dropped as Record<DroppedName, number>,
    forgotten: numbersOf("forgotten", ledger.forgotten),
    latest: { ...stepOf("edit", edit), ...stepOf("command", command), ...stepOf("commit", commit) },
    ...(ledger.asks !== undefined && { asks: numbersOf("asks", ledger.asks) }),
    pending: list("pending"),
  };
}

function stepOf(name: keyof Ledger["latest"], value: unknown): Ledger["latest"] {
  if (value === undefined || value === null) return {};
  const step = checkFact(`latest.${name}`, value, { label: "text", at: "count" });
  return { [name]: step } as Ledger["latest"];
}

function numbersOf(place: string, value: unknown): readonly number[] {
  if (!Array.isArray(value)) throw wrong(place, "a list");
  for (const [at, each] of value.entries()) checkField(`${place}[${at}]`, "count", each);
  return value as readonly number[];
}

function listOf(place: string, value: unknown, shape: Shape): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(place, "a list");
  return value.map((each: unknown, at) => checkFact(`${place}[${at}]`, each, shape));
}

function checkFact(place: string, value: unknown, shape: Shape): Record<string, unknown> {
  const fact = fieldsOf(place, value);
  for (const [name, kind] of Object.entries(shape)) {
    const field = name.endsWith("?") ? name.slice(0, -1) : name;
    const told = fact[field];
    if (field === name || (told !== undefined && told !== null)) checkField(`${place}.${field}`, kind, told);
  }
  return fact;
}

function checkField(place: string, kind: Kind, value: unknown): unknown {
  if (typeof kind !== "string") {
    if (kind.includes(value as string)) return value;
    throw wrong(place, `one of ${kind.join(", ")}`);
  }
  const fits = {
    text: typeof value === "string",
    count: typeof value === "number" && Number.isFinite(value) && value >= 0,
    number: typeof value === "number" && Number.isFinite(value),
    flag: typeof value === "boolean",
    list: Array.isArray(value),
  };
  if (!fits[kind]) throw wrong(place, kind === "count" ? "a number, 0 or more" : `a ${kind}`);
  return value;
}

function fieldsOf(place: string, value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw wrong(place, "an object");
}

function wrong(place: string, expected: string): OptionsError {
  const option = ["state.ledger", place].filter(Boolean).join(".");
  return new OptionsError(
    option,
    `The compaction state cannot be used: \`${option}\` must be ${expected}. ` +
      "Give back what the last call returned, or leave `state` out to start afresh.",
  );
}
