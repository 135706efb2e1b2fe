/** Reads a ledger back from the lines of an earlier hand-off: all that the lines say, and no more. */
import { readFolderLine, withFolder } from "./file-root.ts";
import { type DroppedName, emptyLedger, type Ledger } from "./ledger.ts";
import {
  readCommandLine,
  readErrorLine,
  readFileLine,
  readMoreLine,
  readSaidLine,
  readTodoLine,
  readValueLine,
} from "./ledger-lines.ts";
import type { LedgerSections } from "./render-ledger.ts";

/** Facts are in the order of their lines, none newer than what is read next; lines of no known form are left out. */
export function readLedgerLines(sections: Partial<LedgerSections>): Ledger {
  const factsOf = <Fact>(section: DroppedName, read: (line: string) => Fact | undefined): readonly Fact[] =>
    (sections[section] ?? []).flatMap((line) => {
      const fact = readMoreLine(line) > 0 ? undefined : read(line);
      return fact === undefined ? [] : [fact];
    });
  const filesOf = (lines: readonly string[]) => {
    const folder = lines.map(readFolderLine).find((each) => each !== undefined) ?? "";
    return factsOf("files", readFileLine).map((file) => ({ ...file, path: withFolder(folder, file.path) }));
  };
  const droppedOf = (section: DroppedName): number =>
    (sections[section] ?? []).reduce((sum, line) => sum + readMoreLine(line), 0);
  return {
    ...emptyLedger,
    files: filesOf(sections.files ?? []),
    commands: factsOf("commands", readCommandLine),
    errors: factsOf("errors", readErrorLine),
    decisions: factsOf("decisions", readSaidLine),
    values: factsOf("values", readValueLine),
    todos: factsOf("todos", readTodoLine),
    doubts: factsOf("doubts", readSaidLine),
    dropped: {
      files: droppedOf("files"),
      commands: droppedOf("commands"),
      errors: droppedOf("errors"),
      decisions: droppedOf("decisions"),
      values: droppedOf("values"),
      todos: droppedOf("todos"),
      doubts: droppedOf("doubts"),
    },
  };
}
