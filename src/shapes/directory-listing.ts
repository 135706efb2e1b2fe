/** Shape of a listing: the first entries of every folder, and counts by extension for what is left out. */
import { rankLines } from "./choose-lines.ts";
import { findErrorLines } from "./error-lines.ts";
import {
  keepByTurns,
  mustKeep,
  renderSelection,
  roomFor,
  shownOf,
  startSelection,
  tryKeep,
} from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { grouped, type Note, withNote } from "./shape-note.ts";

const LONG_ENTRY = /^[-dlbcps][-rwxsStT]{9}[@+.]? /;
const TREE_ENTRY = /^[│ ]*[├└]──|^\s*- \S/;
const PATH_ENTRY = /^(?:[A-Za-z]:|~|\.{1,2})?[\\/]?[\w.@+[\]()$~-]+(?:[\\/][\w.@+ [\]()$~,=-]+)*[\\/]?$/;

export const directoryListing: Shape = {
  kind: "directory-listing",
  recognises: ({ text }, { kind }) => {
    const lines = text
      .slice(0, 6_000)
      .split("\n", 60)
      .slice(0, -1)
      .filter((line) => line !== "");
    if (lines.length < 8) return 0;
    const share = lines.filter(isEntry).length / lines.length;
    if (kind === "directory-listing") return share > 0.5 ? 0.9 : 0.35;
    if (kind === "file-read" || kind === "log" || kind === "test-run") return 0;
    const paths = lines.filter((line) => /[\\/.]/.test(line)).length / lines.length;
    const sentences =
      lines.filter((line) => PATH_ENTRY.test(line) && line.includes(" ")).length / lines.length;
    return share > 0.85 && paths > 0.7 && sentences < 0.5 ? 0.8 : 0;
  },
  shape:
    ({ text }) =>
    (context) => {
      const lines = text.split("\n");
      const selection = startSelection(lines, roomFor(text.length, context, { most: 5_000 }));
      for (const index of findErrorLines(lines, "output"))
        if (!isEntry(lines[index]!)) mustKeep(selection, index);
      const { deviations, failures } = rankLines(lines, "output");
      const odd = deviations.filter((index) => LONG_ENTRY.test(lines[index]!) || !isEntry(lines[index]!));
      const told = failures.told.filter((index) => !isEntry(lines[index]!));
      for (const index of [...told, ...odd]) tryKeep(selection, index, selection.budget * 0.5);
      const groups = new Map<string, number[]>();
      lines.forEach((line, index) => {
        const group = groupOf(line);
        const at = groups.get(group);
        if (at === undefined) groups.set(group, [index]);
        else at.push(index);
      });
      keepByTurns(selection, [...groups.values()]);
      const body = renderSelection(
        selection,
        context.isQuoted ? undefined : (start, end) => describeEntries(lines, start, end),
      );
      const note: Note = {
        kind: "directory-listing",
        ...shownOf(selection, body, "entries"),
      };
      return withNote(body, { ...note, again: "list a folder of it again" }, context);
    },
};

function isEntry(line: string): boolean {
  return (
    line.length < 400 &&
    (PATH_ENTRY.test(line) || LONG_ENTRY.test(line) || TREE_ENTRY.test(line) || /^total \d/.test(line))
  );
}

/** The folder of a path; for entries without one, their extension. */
function groupOf(line: string): string {
  const name = line.slice(-300);
  const slash = Math.max(name.lastIndexOf("/", name.length - 2), name.lastIndexOf("\\", name.length - 2));
  return slash > 0 && !LONG_ENTRY.test(line) ? name.slice(0, slash) : `.${extensionOf(line)}`;
}

function extensionOf(line: string): string {
  const name = line.slice(-80).trimEnd();
  if (name.endsWith("/") || line.startsWith("d")) return "folders";
  return /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1] ?? "other";
}

/** `[… 120 entries: 90 .ts, 30 .json …]` */
function describeEntries(lines: readonly string[], start: number, end: number): string {
  const counts = new Map<string, number>();
  for (let index = start; index < end; index++) {
    if (lines[index] === "") continue;
    const extension = extensionOf(lines[index]!);
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  const named = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(
      ([extension, count]) =>
        `${grouped(count)} ${extension === "folders" || extension === "other" ? extension : `.${extension}`}`,
    );
  return `[… ${grouped(end - start)} entries: ${named.join(", ")} …]`;
}
