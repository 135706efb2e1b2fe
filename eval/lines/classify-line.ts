/** Classifies a line of a hand-off: a quote of the source, a ledger line of a documented form, or neither. */
import { readFolderLine } from "../../src/ledger/file-root.ts";
import {
  commandLine,
  errorLine,
  fileLine,
  readCommandLine,
  readErrorLine,
  readFileLine,
  readMoreLine,
  readNames,
  readTodoLine,
  readValueLine,
  todoLine,
  valueLine,
} from "../../src/ledger/ledger-lines.ts";
import type { SourceText, Unit } from "./source-text.ts";

export type LineKind = Unit | "ledger" | "note" | "neither";

/** `section` is its name in the hand-off's Sections. */
export function classifyLine(section: string, line: string, source: SourceText): LineKind {
  if (isNote(section, line)) return "note";
  if (isLedgerLine(section, line, source)) return "ledger";
  return quotedUnit(line, source) ?? "neither";
}

function quotedUnit(line: string, source: SourceText): Unit | undefined {
  const own = source.unitOf(line);
  if (own) return own;
  const [, speaker, said] = /^([^\s:](?:[^:\n]|:(?=[/\\])){0,200}?): (.+)$/s.exec(line) ?? [];
  const isSpoken = speaker !== undefined && source.speakers.has(speaker);
  const unit = isSpoken ? source.unitOf(said!) : undefined;
  const areLeaves = isCallLine(line, source) || isDataLine(isSpoken ? said! : line, source);
  return unit ?? (areLeaves ? "key/value" : undefined);
}

/** `Edit replace_all: false, file_path: src/a.ts`: the keys and whole values of a call, with or without the tool's name. */
function isCallLine(line: string, source: SourceText): boolean {
  return line.split(/, (?=[\w-]+: )/).every((entry) => {
    const [, tool, key, value] = /^(?:(\S+) )?([\w-]+): (.+)$/s.exec(entry) ?? [];
    const isKnown = tool === undefined || source.speakers.has(tool);
    return key !== undefined && isKnown && source.hasLeaf(key, value!);
  });
}

/** `flights: flight_number: HAT110, origin: ATL`, `reservations: M05KNL, UHDAHF`: leaves of an answer, with or without the key they are under. */
function isDataLine(line: string, source: SourceText): boolean {
  const [, branch, rest] = /^([^\s:]+): (.+)$/s.exec(line) ?? [];
  if (branch !== undefined && source.hasBranch(branch)) {
    const areListed = rest!.split(", ").every((value) => source.hasLeaf(branch, value));
    return areListed || isDataLine(rest!, source);
  }
  return line.split(/, (?=[^\s:,]+: )/).every((entry) => {
    const [, key, value] = /^([^\s:]+): (.+)$/s.exec(entry) ?? [];
    return key !== undefined && source.hasLeaf(key, value!);
  });
}

/** The two lines that docs/handoff.md describes and that quote only in part. */
function isNote(section: string, line: string): boolean {
  if (section === "uncertainty") return /^\[Archived \d+ messages\./.test(line);
  return section === "instructions" && /: loaded (?:by|from) /.test(line);
}

type Reader = (line: string, source: SourceText) => boolean;

/** A form holds when the line reads, writes back as itself, and what it names stands in the source. */
const forms: Readonly<Record<string, Reader>> = {
  files: (told, source) => {
    const folder = readFolderLine(told);
    if (folder !== undefined)
      return source.holds(folder) || source.holds(JSON.stringify(folder).slice(1, -1));
    const { line, names } = readNames(told);
    const fact = readFileLine(line);
    const isLine = fact ? fileLine(fact) === line : names.length > 0;
    const areNames = names.every((group) => group.split(" ").every((name) => source.holds(name)));
    return isLine && areNames && source.holds(lastParts(fact?.path ?? line));
  },
  commands: (line, source) => {
    const fact = readCommandLine(line);
    return fact !== undefined && commandLine(fact) === line && holdsWords(source, fact.command);
  },
  errors: (line, source) => {
    const fact = readErrorLine(line);
    return fact !== undefined && errorLine(fact) === line && holdsWords(source, fact.text);
  },
  todos: (line, source) => {
    const fact = readTodoLine(line);
    return fact !== undefined && todoLine(fact) === line && holdsWords(source, fact.text);
  },
  values: (line, source) => {
    const fact = readValueLine(line);
    return fact !== undefined && valueLine(fact) === line && source.holds(fact.value);
  },
};

function isLedgerLine(section: string, line: string, source: SourceText): boolean {
  return readMoreLine(line) > 0 || (forms[section]?.(line, source) ?? false);
}

function lastParts(path: string): string {
  return path.split(/[\\/]/).slice(-2).join("/").split("/").at(-1)!;
}

/** A ledger cuts long texts short: what stands before the cut must be the source's. */
function holdsWords(source: SourceText, text: string): boolean {
  const [start = ""] = text.split("…");
  return source.holds(start.trim()) || source.holds(JSON.stringify(start.trim()).slice(1, -1));
}
