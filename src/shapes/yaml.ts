/** Shape of YAML, line by line: outer keys stay, inner ones while there is room. It is never parsed. */
import { findErrorLines } from "./error-lines.ts";
import { keepByTurns, mustKeep, renderSelection, roomFor, shownOf, startSelection } from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { type Note, withNote } from "./shape-note.ts";

const KEY_LINE = /^\s*(?:- )*(?:["']?[\w./$ -]{1,80}["']?:(?:\s|$)|- \S|#|---$)/;
const FAILURE =
  /^\s*(?:- )*["']?(?:status|state|phase|result|conclusion|error|reason)["']?:\s*["']?(?:error|fail|crash|fatal|unhealthy|evict|oom|\S*BackOff)/i;

export const yaml: Shape = {
  kind: "yaml",
  recognises: ({ text }, { path, kind }) => {
    const named = /\.ya?ml$/i.test(path);
    if (!named && kind !== undefined && kind !== "api-response") return 0;
    return looksLikeYaml(text) ? (named ? 0.85 : 0.6) : 0;
  },
  shape:
    ({ text }) =>
    (context) => {
      const lines = text.split("\n");
      const selection = startSelection(lines, roomFor(text.length, context));
      for (const index of findErrorLines(lines, "content", (line) => line.trimStart()))
        mustKeep(selection, index);
      const levels: number[][][] = [];
      const lastAt: number[] = [];
      for (let index = 0; index < lines.length; index++) {
        const line = lines[index]!;
        if (FAILURE.test(line.slice(0, 200))) mustKeep(selection, index);
        const depth = Math.min(40, line.length - line.trimStart().length);
        // Siblings are in one group until a line less deep comes between them.
        const outer = lastAt.findLastIndex((at, level) => level < depth && at !== undefined);
        levels[depth] ??= [];
        const groups = levels[depth];
        const since = outer < 0 ? -1 : lastAt[outer]!;
        const open = groups.at(-1);
        if (open !== undefined && open.at(-1)! > since) open.push(index);
        else groups.push([index]);
        lastAt.length = depth + 1;
        lastAt[depth] = index;
      }
      for (const groups of levels) if (groups !== undefined) keepByTurns(selection, groups);
      const body = renderSelection(selection);
      const note: Note = { kind: "yaml", ...shownOf(selection, body) };
      return withNote(body, note, context);
    },
};

/** Every line is an item of one flat list, or a comment. */
export function isYamlList(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.every((line) => /^\s*(?:- \S|#|---\s*$)/.test(line));
}

/** Most of the first lines are keys, items or comments, and there is at least some nesting or a list. */
export function looksLikeYaml(text: string): boolean {
  const lines = text
    .slice(0, 3_000)
    .split("\n", 40)
    .filter((line) => line.trim() !== "");
  if (lines.length < 4 || /^\s*[{[]/.test(lines[0]!) || lines.some((line) => line.startsWith("\t")))
    return false;
  // YAML has each outer key once; `ID: 1`, `ID: 2`, … is a list in some other form.
  const outer = lines
    .map((line) => /^["']?([\w./$-]{1,80})["']?:(?:\s|$)/.exec(line)?.[1])
    .filter((key) => key !== undefined);
  if (new Set(outer).size < outer.length) return false;
  const keys = lines.filter((line) => KEY_LINE.test(line)).length;
  const pairs = lines.filter((line) => /^\s*(?:- )*["']?[\w./$-]{1,80}["']?:(?:\s|$)/.test(line)).length;
  return keys * 10 >= lines.length * 8 && pairs * 2 >= lines.length;
}
