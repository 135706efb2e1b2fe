/** What edits did to a file, by its lines: those that are gone and those that came, without what a later edit took back. */

import { isObject } from "../json/wire-value.ts";
import { REPLACED_KEYS, REPLACEMENT_KEYS } from "../reading/agents/tool-vocabulary.ts";
import { oneLine } from "./deed-parts.ts";

export interface EditLines {
  readonly gone: readonly string[];
  readonly came: readonly string[];
}

export const NO_EDIT: EditLines = { gone: [], came: [] };

/** What one call replaced; nothing where it says only what a file holds now. */
export function editIn(values: Readonly<Record<string, unknown>>): EditLines {
  return replacementsIn(values).reduce(afterEdit, NO_EDIT);
}

/** `{old_string, new_string}`, or several of them one level down. */
function replacementsIn(values: Readonly<Record<string, unknown>>): readonly EditLines[] {
  const inner = Object.values(values).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return [values, ...inner.filter(isObject)].flatMap((each) => {
    const [before, after] = [REPLACED_KEYS, REPLACEMENT_KEYS].map((keys) =>
      keys.map((key) => each[key]).find((value) => typeof value === "string"),
    );
    if (typeof before !== "string" || typeof after !== "string") return [];
    const [old, now] = [linesOf(before), linesOf(after)];
    const [kept, were] = [new Set(now), new Set(old)];
    return [{ gone: old.filter((line) => !kept.has(line)), came: now.filter((line) => !were.has(line)) }];
  });
}

/** One edit after another: what came and went again was never there. */
export function afterEdit(before: EditLines, edit: EditLines): EditLines {
  const [gone, came] = [new Set(edit.gone), new Set(edit.came)];
  const [goneBefore, cameBefore] = [new Set(before.gone), new Set(before.came)];
  return {
    gone: [
      ...before.gone.filter((line) => !came.has(line)),
      ...edit.gone.filter((line) => !cameBefore.has(line) && !goneBefore.has(line)),
    ],
    came: [
      ...before.came.filter((line) => !gone.has(line)),
      ...edit.came.filter((line) => !goneBefore.has(line) && !cameBefore.has(line)),
    ],
  };
}

/**
 * `−7 +2 lines: − func validate(id string) error { ⏎ + import "checkpoint"`, without the declarations that are named beside it;
 * empty where nothing is left to say.
 */
export function editText({ gone, came }: EditLines, named: readonly string[]): string {
  const shown = [
    ...tellingOf(gone, MOST_GONE, named).map((line) => `− ${line}`),
    ...tellingOf(came, MOST_CAME, named).map((line) => `+ ${line}`),
  ];
  if (shown.length === 0) return "";
  const counts = [gone.length && `−${gone.length}`, came.length && `+${came.length}`].filter(Boolean);
  return `${counts.join(" ")} ${gone.length + came.length === 1 ? "line" : "lines"}: ${shown.join(" ⏎ ")}`;
}

const MOST_GONE = 2;
const MOST_CAME = 3;
const MOST_LINE_CHARS = 90;

/** Declarations before other code, and that before comments; in the order of the file. */
function tellingOf(lines: readonly string[], most: number, named: readonly string[]): readonly string[] {
  const isNamed = (line: string) => named.includes(DECLARED.exec(line)?.[1] ?? "");
  const rankOf = (line: string) => (COMMENT.test(line) ? 2 : DECLARED.test(line) ? 0 : 1);
  const all = [...new Set(lines)].filter((line) => !isNamed(line));
  const chosen = new Set(all.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, most));
  return all.filter((line) => chosen.has(line)).map((line) => oneLine(line, MOST_LINE_CHARS));
}

const COMMENT = /^(?:\/[/*]|[#*]|--|<!--)/;

/** What is declared in a line of code, by its name. */
export const DECLARED =
  /\b(?:function\*?|class|interface|enum|struct|trait|def|fn|func|type|module|namespace|const|let|var)\s+(?:\([^)]{0,80}\)\s*)?([A-Za-z_$][\w$]*)/;

/** The lines that say something. */
function linesOf(text: string): readonly string[] {
  return text
    .slice(0, MOST_CHARS)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => WORD.test(line));
}

const MOST_CHARS = 20_000;
const WORD = /\w{3}/;
