/** Draft: a ledger opened for writing while messages are read, and closed again. Nothing is lost on the way. */
import type { PendingCall, TodoFact } from "../reading/calls/action.ts";
import { fileKey } from "../reading/calls/file-path.ts";
import { errorKey } from "./error-key.ts";
import type { CommandFact, ErrorFact, FileFact, Ledger, SaidFact, ValueFact } from "./ledger.ts";
import { type RecentFacts, recentFacts } from "./recent-facts.ts";
import { valueKey } from "./value-key.ts";

export interface LedgerDraft {
  messages: number;
  readonly files: RecentFacts<FileFact>;
  readonly forgotten: Set<number>;
  readonly commands: RecentFacts<CommandFact>;
  readonly errors: RecentFacts<ErrorFact>;
  /** Every source of an open error, and perhaps some whose errors were dropped. */
  readonly failing: Set<string>;
  readonly decisions: RecentFacts<SaidFact>;
  readonly constraints: Map<string, SaidFact>;
  readonly values: RecentFacts<ValueFact>;
  readonly doubts: RecentFacts<SaidFact>;
  todos: readonly TodoFact[];
  droppedTodos: number;
  latest: Ledger["latest"];
  asks: readonly number[];
  readonly pending: PendingCall[];
}

/** How long each list may get; the user's constraints are never dropped. */
export const LEDGER_LIMITS = {
  files: 1_000,
  commands: 200,
  errors: 100,
  decisions: 100,
  values: 200,
  doubts: 40,
} as const;

export function openDraft(ledger: Ledger): LedgerDraft {
  const { dropped } = ledger;
  const open = <Fact extends { readonly at: number }>(
    name: keyof typeof LEDGER_LIMITS,
    facts: readonly Fact[],
    keyOf: (fact: Fact) => string,
  ) => recentFacts(facts, keyOf, { limit: LEDGER_LIMITS[name], dropped: dropped[name] });
  return {
    messages: ledger.messages,
    files: open("files", ledger.files, ({ path }) => fileKey(path)),
    forgotten: new Set(ledger.forgotten),
    commands: open("commands", ledger.commands, ({ command }) => command),
    errors: open("errors", ledger.errors, errorKey),
    failing: new Set(ledger.errors.flatMap(({ open, source }) => (open ? [source] : []))),
    decisions: open("decisions", ledger.decisions, ({ text }) => text),
    constraints: new Map(ledger.constraints.map((fact) => [fact.text, fact])),
    values: open("values", ledger.values, ({ key }) => valueKey(key)),
    doubts: open("doubts", ledger.doubts, ({ text }) => text),
    todos: ledger.todos,
    droppedTodos: dropped.todos,
    latest: ledger.latest,
    asks: ledger.asks ?? [],
    pending: [...ledger.pending],
  };
}

export function closeDraft(draft: LedgerDraft): Ledger {
  const { files, commands, errors, decisions, values, doubts } = draft;
  return {
    version: 1,
    messages: draft.messages,
    files: [...files.byKey.values()],
    commands: [...commands.byKey.values()],
    errors: [...errors.byKey.values()],
    decisions: [...decisions.byKey.values()],
    constraints: [...draft.constraints.values()],
    values: [...values.byKey.values()],
    todos: draft.todos,
    doubts: [...doubts.byKey.values()],
    dropped: {
      files: files.dropped,
      commands: commands.dropped,
      errors: errors.dropped,
      decisions: decisions.dropped,
      values: values.dropped,
      todos: draft.droppedTodos,
      doubts: doubts.dropped,
    },
    forgotten: [...draft.forgotten],
    latest: draft.latest,
    ...(draft.asks.length > 0 && { asks: draft.asks }),
    pending: draft.pending,
  };
}
