/** Tells a ledger in lines within a budget: what must be kept first, then what is worth most per token. */
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { DroppedName, Ledger } from "./ledger.ts";
import { commandLine, errorLine, fileLine, moreLine, saidLine, todoLine, valueLine } from "./ledger-lines.ts";

/** Lines by section, oldest fact first; files, todos and errors that are not told are counted in a last line (`… 41 more files read`). */
export type LedgerSections = Readonly<Record<DroppedName, readonly string[]>>;

export interface LedgerLinesOptions {
  readonly counter: TokenCounter;
  /** All lines together never take more than this. */
  readonly maxTokens: number;
  /** What need not be kept takes no more than this of it. @default maxTokens */
  readonly otherTokens?: number;
}

export function ledgerLines(
  ledger: Ledger,
  { counter, maxTokens, otherTokens = maxTokens }: LedgerLinesOptions,
): LedgerSections {
  const candidates = SECTIONS.flatMap((section) => candidatesOf(ledger, section)).sort(byWorth);
  const chosen = new Set<Candidate>();
  let room = maxTokens - COUNT_TOKENS * COUNTED.filter((section) => totalOf(ledger, section) > 0).length;
  let others = otherTokens;
  for (const candidate of candidates) {
    const left = candidate.mustKeep ? room : Math.min(room, others);
    if (left < LEAST_TOKENS && !candidate.mustKeep) break;
    // subtle: a line has at least a token for every 16 characters or so; what cannot fit need not be counted.
    if (candidate.line.length / 16 > left) continue;
    const tokens = counter.text(`${candidate.line}\n`);
    if (tokens > left) continue;
    chosen.add(candidate);
    room -= tokens;
    if (!candidate.mustKeep) others -= tokens;
  }
  let sections = assemble(ledger, candidates, chosen);
  const order = [...chosen];
  while (tokensOf(sections, counter) > maxTokens) {
    const last = order.pop();
    if (last === undefined) return NOTHING;
    chosen.delete(last);
    sections = assemble(ledger, candidates, chosen);
  }
  return sections;
}

/** The lines that no hand-off may be without: open errors, open todos, changed files; the newest first. */
export function mustKeepLines(ledger: Ledger): readonly string[] {
  return SECTIONS.flatMap((section) => toldOf(ledger, section))
    .filter((fact) => fact.mustKeep)
    .sort((a, b) => b.at - a.at)
    .map((fact) => fact.line);
}

/** What a line of counts takes, at most. */
const COUNT_TOKENS = 9;
/** No line takes less. */
const LEAST_TOKENS = 4;
/** What of these is not told is counted; of the others nobody needs the number. */
const COUNTED: readonly DroppedName[] = ["todos", "files", "errors"];

const NOTHING: LedgerSections = {
  todos: [],
  decisions: [],
  files: [],
  commands: [],
  errors: [],
  values: [],
  doubts: [],
};
const SECTIONS = Object.keys(NOTHING) as readonly DroppedName[];

interface Candidate {
  readonly section: DroppedName;
  readonly line: string;
  /** Where it stands among the facts of its list, oldest first. */
  readonly order: number;
  /** Must be kept: told before anything that is merely useful. */
  readonly mustKeep: boolean;
  /** Salience per token. */
  readonly worth: number;
  /** What a count of such facts calls them. */
  readonly what: string;
}

interface Told {
  readonly line: string;
  readonly at: number;
  readonly mustKeep: boolean;
  readonly weight: number;
  readonly what: string;
}

function candidatesOf(ledger: Ledger, section: DroppedName): readonly Candidate[] {
  const told = toldOf(ledger, section);
  const newest = Math.max(1, ledger.messages);
  return told
    .map((fact, index) => ({ ...fact, index }))
    .sort((a, b) => a.at - b.at || a.index - b.index)
    .map(({ line, at, mustKeep, weight, what, index }, order) => {
      // Of equal age in messages, the later in the list is newer.
      const recency = at / newest + (index + 1) / (told.length * 1_000);
      const worth = (weight * (0.25 + recency)) / (4 + line.length / 4);
      return { section, line, order: section === "todos" ? index : order, mustKeep, worth, what };
    });
}

/** The facts of a list, with what each weighs: failures, decisions and values over what merely happened. */
function toldOf(ledger: Ledger, section: DroppedName): readonly Told[] {
  switch (section) {
    case "todos":
      return ledger.todos.map((todo) => {
        const mustKeep = todo.status !== "done";
        return {
          line: todoLine(todo),
          at: ledger.messages,
          mustKeep,
          weight: mustKeep ? 6 : 1,
          what: section,
        };
      });
    case "files":
      return ledger.files.map((file) => {
        const mustKeep = file.edits > 0 || file.created || file.last === "deleted";
        const what = mustKeep ? "files changed" : "files read";
        return {
          line: fileLine(file),
          at: file.at,
          mustKeep,
          weight: (mustKeep ? 4 : 1) + Math.min(2, file.reads / 4),
          what,
        };
      });
    case "commands":
      return ledger.commands.map((command) => {
        const weight =
          (command.outcome === "failed" ? 2 : 1) +
          (command.line === "" ? 0 : 1) +
          Math.min(2, command.runs / 3);
        return { line: commandLine(command), at: command.at, mustKeep: false, weight, what: section };
      });
    case "errors":
      return ledger.errors.map((error) => {
        const weight = error.open ? 6 : 2;
        return { line: errorLine(error), at: error.at, mustKeep: error.open, weight, what: section };
      });
    case "values":
      return ledger.values.map((value) => ({
        line: valueLine(value),
        at: value.at,
        mustKeep: false,
        weight: 2,
        what: section,
      }));
    default: {
      const weight = section === "decisions" ? 4 : 2;
      return ledger[section].map((said) => ({
        line: saidLine(said),
        at: said.at,
        mustKeep: false,
        weight,
        what: section,
      }));
    }
  }
}

function byWorth(a: Candidate, b: Candidate): number {
  return Number(b.mustKeep) - Number(a.mustKeep) || b.worth - a.worth;
}

/** The chosen lines in order, and the counts of the rest. */
function assemble(
  ledger: Ledger,
  candidates: readonly Candidate[],
  chosen: ReadonlySet<Candidate>,
): LedgerSections {
  const sections = SECTIONS.map((section) => {
    const own = candidates.filter((candidate) => candidate.section === section);
    const lines = own.filter((candidate) => chosen.has(candidate)).sort((a, b) => a.order - b.order);
    if (!COUNTED.includes(section)) return [section, lines.map(({ line }) => line)] as const;
    const rest = new Map<string, number>();
    for (const { what } of own.filter((candidate) => !chosen.has(candidate)))
      rest.set(what, (rest.get(what) ?? 0) + 1);
    const dropped = ledger.dropped[section];
    if (dropped > 0) rest.set(section, (rest.get(section) ?? 0) + dropped);
    const counts = [...rest].map(([what, count]) => moreLine(count, what));
    return [section, [...lines.map(({ line }) => line), ...counts]] as const;
  });
  return Object.fromEntries(sections) as unknown as LedgerSections;
}

function totalOf(ledger: Ledger, section: DroppedName): number {
  return ledger[section].length + ledger.dropped[section];
}

function tokensOf(sections: LedgerSections, counter: TokenCounter): number {
  const lines = SECTIONS.flatMap((section) => sections[section]);
  return lines.length === 0 ? 0 : counter.text(lines.join("\n"));
}
