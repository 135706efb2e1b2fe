/** ledgerView: all facts of a ledger by section, and which of them the hand-off tells. */
import { commonFolder, withoutFolder } from "../ledger/file-root.ts";
import type { DroppedName, Ledger } from "../ledger/ledger.ts";
import { type ToldFact, toldFacts } from "../ledger/told-facts.ts";
import type { LedgerLine, LedgerSectionView } from "./views.ts";

export const LEDGER_SECTIONS: readonly (readonly [name: DroppedName, title: string])[] = [
  ["todos", "Todo list"],
  ["decisions", "Decisions"],
  ["files", "Files"],
  ["commands", "Commands"],
  ["errors", "Errors"],
  ["values", "Values"],
  ["doubts", "Doubts"],
];

/** @param handOff the text of the hand-off */
export function ledgerView(ledger: Ledger, handOff: string): readonly LedgerSectionView[] {
  const lines = new Set(handOff.split("\n").map((line) => line.trim()));
  const constraints = ledger.constraints.map(({ text }): LedgerLine => {
    return { text, told: handOff.includes(text), mustKeep: true };
  });
  const shortForm = shortForms(ledger);
  const sections = LEDGER_SECTIONS.map(([section, name]) => ({
    name,
    lines: toldFacts(ledger, section).map((fact): LedgerLine => {
      const { line, mustKeep } = fact;
      return { text: line, told: lines.has(line.trim()) || lines.has(shortForm(fact)), mustKeep };
    }),
  }));
  return [{ name: "Constraints", lines: constraints }, ...sections].filter(
    (section) => section.lines.length > 0,
  );
}

/** A fact's line as the hand-off may have it: without the folder that most files share. */
export function shortForms({ files }: Ledger): (fact: ToldFact) => string {
  const folder = commonFolder(files.map(({ path }) => path));
  return ({ line, path }) =>
    path === undefined ? line : withoutFolder(folder, path) + line.slice(path.length);
}
