/** State: how things are now, from the ledger: open todos and failures, what is changed and not committed, the last checks. */
import { commandCore } from "../ledger/command-text.ts";
import type { CommandFact, Ledger } from "../ledger/ledger.ts";
import { tellLedger } from "../ledger/render-ledger.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Sections } from "./sections.ts";

export interface State {
  readonly sections: Pick<Sections, "todos" | "errors" | "files" | "commands">;
  /** The must-keeps that found room. */
  readonly told: readonly string[];
}

/** What the headings over the lists take, at most. */
const HEADING_TOKENS = 9;

/** `others` is what may be taken by that which need not be kept. */
export function stateWithin(ledger: Ledger, room: number, counter: TokenCounter, others = room): State {
  const open = openIn(ledger);
  const lists = [open.todos, open.errors, open.files, open.commands].filter((list) => list.length > 0).length;
  const { sections, mustKeep } = tellLedger(open, {
    counter,
    maxTokens: Math.max(0, room - HEADING_TOKENS * lists),
    otherTokens: Math.max(0, others - HEADING_TOKENS * lists),
  });
  const { todos, errors, files, commands } = sections;
  return { sections: { todos, errors, files, commands }, told: mustKeep };
}

/** Of what is known, that which is not over yet. What was done stands in the story. */
function openIn(ledger: Ledger): Ledger {
  const files = ledger.files.filter(
    ({ last, edits, created, settled }) => (edits > 0 || created || last === "deleted") && !settled,
  );
  const todos = ledger.todos.some(({ status }) => status !== "done") ? ledger.todos : [];
  return {
    ...ledger,
    files,
    todos,
    errors: ledger.errors.filter(({ open }) => open),
    commands: lastChecks(ledger.commands),
    decisions: [],
    values: [],
    doubts: [],
    dropped: { files: 0, commands: 0, errors: 0, decisions: 0, values: 0, todos: 0, doubts: 0 },
  };
}

const CHECK = /\b(?:tests?|spec|pytest|jest|vitest|rspec|build|lint|typecheck|tsc|check|clippy|make)\b/i;
const MOST_CHECKS = 3;

/** The newest run of each check, the newest of them. */
function lastChecks(commands: readonly CommandFact[]): readonly CommandFact[] {
  const newest = new Map<string, CommandFact>();
  for (const command of commands)
    if (CHECK.test(command.command)) newest.set(commandCore(command.command), command);
  return [...newest.values()].sort((a, b) => a.at - b.at).slice(-MOST_CHECKS);
}
