/** Tells what changed in a turn: each file once, with the declarations that were touched. */
import { isChange } from "../ledger/action.ts";
import type { ReadStep } from "../reading/read-turns.ts";
import { outlineOf } from "../shapes/outline.ts";
import { argumentsOf, deedEntry, shortPath, unit, WORTH, writtenIn } from "./deed-parts.ts";
import type { Entry, Unit } from "./story.ts";

/** What changed in a turn, a file once: what was made, how often it was changed, the declarations that were touched. */
export function changesOf(steps: readonly ReadStep[]): Entry | undefined {
  const files = new Map<string, { edits: number; how: string; names: Set<string> }>();
  for (const { calls } of steps) {
    for (const { call, deed } of calls) {
      for (const action of deed?.done ?? []) {
        if (!isChange(action) || action.path === undefined) continue;
        const path = action.to ?? action.path;
        const file = files.get(path) ?? { edits: 0, how: "", names: new Set() };
        file.edits++;
        if (action.kind === "create" && file.edits === 1) file.how = "new";
        if (action.kind === "delete") file.how = "deleted";
        if (action.kind === "move") file.how = `moved from ${action.path}`;
        if (deed!.commands.length === 0)
          for (const name of namesIn(argumentsOf(call.arguments))) file.names.add(name);
        files.set(path, file);
      }
    }
  }
  if (files.size === 0) return undefined;
  const told = [...files].map(([path, { edits, how, names }]) => {
    const about = [how, [...names].slice(0, MOST_NAMES).join(", ")].filter(Boolean).join("; ");
    return `${shortPath(path)}${edits > 1 ? ` ×${edits}` : ""}${about && ` (${about})`}`;
  });
  const units = told.map(
    (text, index): Unit => ({
      ...unit(index === 0 ? `Changed: ${text}` : `, ${text}`, WORTH.changed / Math.sqrt(1 + index / 2)),
      join: index === 0 ? "\n" : "",
      ...(index > 0 && { under: 0 }),
    }),
  );
  return deedEntry(units);
}

const MOST_NAMES = 4;

/** Declarations in what was written. */
function namesIn(values: Record<string, unknown>): readonly string[] {
  const written = writtenIn(values);
  if (written === undefined) return [];
  const lines = written.slice(0, 20_000).split("\n");
  return outlineOf(lines, (line) => line).flatMap(({ index }) => {
    const name = DECLARED.exec(lines[index]!)?.[1];
    return name === undefined ? [] : [name];
  });
}

const DECLARED =
  /\b(?:function\*?|class|interface|enum|struct|trait|def|fn|func|type|module|namespace|const|let|var)\s+(?:\([^)]{0,80}\)\s*)?([A-Za-z_$][\w$]*)/;
