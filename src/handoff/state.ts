/** State: how things are now, from the ledger: open todos and failures, what is changed and not committed, the last checks. */

import type { CommandFact, Ledger } from "../ledger/ledger.ts";
import { checksOf, openErrors, passedSince } from "../ledger/open-errors.ts";
import { tellLedger } from "../ledger/render-ledger.ts";
import { PLAN_FILE } from "../reading/agents/instruction-files.ts";
import { isNarrow } from "../reading/calls/checks.ts";
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

/** Of what is known, that which is not over yet. What was done is in the story. */
function openIn(ledger: Ledger): Ledger {
  const changed = ledger.files.filter(
    ({ last, edits, created, settled }) => (edits > 0 || created || last === "deleted") && !settled,
  );
  const lasting = changed.filter(({ path }) => !TEMPORARY.test(path) && !PLAN_FILE.test(path));
  const files = lasting.length > 0 ? lasting : changed;
  const todos = ledger.todos.some(({ status }) => status !== "done") ? ledger.todos : [];
  return {
    ...ledger,
    files,
    todos,
    errors: openErrors(ledger),
    commands: lastChecks(ledger),
    decisions: [],
    values: [],
    doubts: [],
    dropped: { files: 0, commands: 0, errors: 0, decisions: 0, values: 0, todos: 0, doubts: 0 },
  };
}

/** Where nobody commits, unless all of the work is there. */
export const TEMPORARY = /^(?:\/private)?\/tmp\/|\/var\/folders\/|[\\/]Temp[\\/]/;
const MOST_CHECKS = 3;
/** Of a success the figures tell, and not that it is one. */
const SAYS_OK = /^(?:ok|PASS|Done|Built|Compiled)\b(?!.*\d+ )/;

/** Checks that read documentation. */
const PROSE = /\b(?:md|markdown\w*|docs?|vale|spell\w*|links?|prettier|format)\b/i;

/** The newest run of each check before the messages that stay, the newest of them, as long as no other answers for it. */
function lastChecks({ commands, latest, messages }: Ledger): readonly CommandFact[] {
  const newest = new Map<string, CommandFact>();
  const runs = commands.map((fact) => ({ fact, checks: checksOf(fact) }));
  for (const { fact, checks } of runs.toSorted((a, b) => a.fact.at - b.fact.at))
    for (const { name } of checks) newest.set(name, fact);
  const told = runs.flatMap(({ fact, checks }): readonly CommandFact[] => {
    const own = checks.filter(({ name }) => newest.get(name) === fact);
    const isPassed = own.every(
      (check) =>
        (fact.outcome === "failed" || isNarrow(check)) && passedSince(check, fact.line, fact.at, commands),
    );
    if (fact.at > messages || own.length === 0 || isPassed) return [];
    // Which of several failed is not known.
    const command = fact.outcome === "failed" ? fact.command : own.map(({ name }) => name).join(", ");
    const line = fact.outcome === "ok" && SAYS_OK.test(fact.line) ? "" : fact.line;
    // A ledger that was stored before code was told apart knows only the newest edit.
    const changed = own.some(({ name }) => PROSE.test(name)) ? latest.edit : (latest.code ?? latest.edit);
    const stale = fact.stale || (changed?.at ?? 0) > fact.at;
    return [{ ...fact, command, line, runs: 1, ...(stale && { stale }) }];
  });
  return told.sort((a, b) => a.at - b.at).slice(-MOST_CHECKS);
}
