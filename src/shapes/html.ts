/** Shape of an HTML page: title, headings, text and links, without markup, scripts and styles. */
import { findErrorLines } from "./error-lines.ts";
import { linesOfHtml } from "./html-text.ts";
import { mustKeep, renderSelection, roomFor, shownOf, startSelection, tryKeep } from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { type Note, withNote } from "./shape-note.ts";

const FIRST = /^\s*(?:Contents of [^\n]*\n\s*)?(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)[\s>]/i;
const SIGNS = /<!doctype html|<html[\s>]|<head[\s>]|<body[\s>]/i;

export const html: Shape = {
  kind: "html",
  recognises: ({ text }, { kind }) => {
    if (FIRST.test(text.slice(0, 1_000))) return kind === "grep-results" || kind === "diff" ? 0 : 0.9;
    return (kind === "web-page" || kind === "api-response") && SIGNS.test(text.slice(0, 2_000)) ? 0.75 : 0;
  },
  shape:
    ({ text }) =>
    (context) => {
      const read = linesOfHtml(text);
      const lines = read.map((line) => line.text);
      const chars = lines.reduce((sum, line) => sum + line.length, 0);
      // A page that a script fills has no text to show.
      if (chars < 200) return undefined;
      const selection = startSelection(lines, roomFor(chars, context, { share: 0.4, least: 3_000 }));
      for (const index of findErrorLines(lines, "content")) mustKeep(selection, index);
      tryKeep(selection, 0);
      const main = read.flatMap(({ isMain }, index) => (isMain ? [index] : []));
      for (const index of main.slice(0, 10)) tryKeep(selection, index, selection.budget * 0.2);
      for (const index of main) {
        if (lines[index]!.startsWith("#")) tryKeep(selection, index, selection.budget * 0.5);
      }
      // Links in rows are navigation; sentences are what was asked for.
      for (const index of main) {
        if (lines[index]!.length > 80 && !lines[index]!.startsWith("- ")) {
          tryKeep(selection, index, selection.budget * 0.85);
        }
      }
      for (const index of main) if (!tryKeep(selection, index)) break;
      // Of a page without a text its menus tell what there is.
      if (main.length === 0) for (const index of lines.keys()) if (!tryKeep(selection, index)) break;
      const body = renderSelection(selection);
      const note: Note = { kind: "html", ...shownOf(selection, body, "lines of text") };
      return withNote(body, { ...note, again: "fetch the page again" }, context);
    },
};
