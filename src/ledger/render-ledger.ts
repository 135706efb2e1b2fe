/** Tells a ledger in lines within a budget: what must be kept first, then what is worth most per token. */
import { quotedLine } from "../reading/handoffs/quoted.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { commonFolder, folderLine, withoutFolder } from "./file-root.ts";
import type { DroppedName, Ledger } from "./ledger.ts";
import { moreLine } from "./ledger-lines.ts";
import { toldFacts } from "./told-facts.ts";

/** Lines by section, oldest fact first; files, todos and errors that are not told are counted in a last line (`… 41 more files read`). */
export type LedgerSections = Readonly<Record<DroppedName, readonly string[]>>;

export interface LedgerLinesOptions {
  readonly counter: TokenCounter;
  /** All lines together never take more than this. */
  readonly maxTokens: number;
  /** What need not be kept takes no more than this of it. @default maxTokens */
  readonly otherTokens?: number;
}

export interface ToldLedger {
  readonly sections: LedgerSections;
  /** The must-keeps among the lines, with their paths in full. */
  readonly mustKeep: readonly string[];
}

export function ledgerLines(ledger: Ledger, options: LedgerLinesOptions): LedgerSections {
  return tellLedger(ledger, options).sections;
}

export function tellLedger(
  ledger: Ledger,
  { counter, maxTokens, otherTokens = maxTokens }: LedgerLinesOptions,
): ToldLedger {
  const folder = commonFolder(ledger.files.map(({ path }) => path));
  const candidates = SECTIONS.flatMap((section) => candidatesOf(ledger, section, folder)).sort(byWorth);
  const counts = COUNTED.filter((section) => mayCount(ledger, section)).length;
  const chosen = new Set<Candidate>();
  let room =
    maxTokens - COUNT_TOKENS * counts - (folder === "" ? 0 : counter.text(`${folderLine(folder)}\n`));
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
  let sections = assemble(ledger, candidates, chosen, folder);
  const order = [...chosen];
  while (tokensOf(sections, counter) > maxTokens) {
    const last = order.pop();
    if (last === undefined) return { sections: NOTHING, mustKeep: [] };
    chosen.delete(last);
    sections = assemble(ledger, candidates, chosen, folder);
  }
  return { sections, mustKeep: order.flatMap(({ mustKeep, full }) => (mustKeep ? [full] : [])) };
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
  /** As it will be. */
  readonly line: string;
  /** The same as the fact has it, with the path in full. */
  readonly full: string;
  readonly leavesFolderOut: boolean;
  /** Where it is among the facts of its list, oldest first. */
  readonly order: number;
  readonly mustKeep: boolean;
  /** Salience per token. */
  readonly worth: number;
  readonly what: string;
}

function candidatesOf(ledger: Ledger, section: DroppedName, folder: string): readonly Candidate[] {
  const told = toldFacts(ledger, section);
  const newest = Math.max(1, ledger.messages);
  return told
    .map((fact, index) => ({ ...fact, index }))
    .sort((a, b) => a.at - b.at || a.index - b.index)
    .map(({ line: full, path, at, mustKeep, weight, what, index }, order) => {
      const short = path === undefined ? full : withoutFolder(folder, path) + full.slice(path.length);
      const line = quotedLine(short);
      // Of equal age in messages, the later in the list is newer.
      const recency = at / newest + (index + 1) / (told.length * 1_000);
      const worth = (weight * (0.25 + recency)) / (4 + line.length / 4);
      const place = section === "todos" ? index : order;
      return { section, line, full, leavesFolderOut: short !== full, order: place, mustKeep, worth, what };
    });
}

function byWorth(a: Candidate, b: Candidate): number {
  return Number(b.mustKeep) - Number(a.mustKeep) || b.worth - a.worth;
}

/** The chosen lines in order, and the counts of the rest. */
function assemble(
  ledger: Ledger,
  candidates: readonly Candidate[],
  chosen: ReadonlySet<Candidate>,
  folder: string,
): LedgerSections {
  const sections = SECTIONS.map((section) => {
    const own = candidates.filter((candidate) => candidate.section === section);
    const told = own.filter((candidate) => chosen.has(candidate)).sort((a, b) => a.order - b.order);
    const head = told.some(({ leavesFolderOut }) => leavesFolderOut) ? [folderLine(folder)] : [];
    const lines = [...head, ...told.map(({ line }) => line)];
    return [
      section,
      mayCount(ledger, section) ? [...lines, ...countLines(ledger, section, own, chosen)] : lines,
    ];
  });
  return Object.fromEntries(sections) as unknown as LedgerSections;
}

function countLines(
  ledger: Ledger,
  section: DroppedName,
  candidates: readonly Candidate[],
  chosen: ReadonlySet<Candidate>,
): readonly string[] {
  const rest = new Map<string, number>();
  for (const candidate of candidates) {
    if (!chosen.has(candidate)) rest.set(candidate.what, (rest.get(candidate.what) ?? 0) + 1);
  }
  const dropped = ledger.dropped[section];
  if (dropped > 0) rest.set(section, (rest.get(section) ?? 0) + dropped);
  return [...rest].map(([what, count]) => moreLine(count, what));
}

/** The only file is named or not told: that there is one tells nothing. */
function mayCount(ledger: Ledger, section: DroppedName): boolean {
  return COUNTED.includes(section) && totalOf(ledger, section) > (section === "files" ? 1 : 0);
}

function totalOf(ledger: Ledger, section: DroppedName): number {
  return ledger[section].length + ledger.dropped[section];
}

function tokensOf(sections: LedgerSections, counter: TokenCounter): number {
  const lines = SECTIONS.flatMap((section) => sections[section]);
  return lines.length === 0 ? 0 : counter.text(lines.join("\n"));
}
