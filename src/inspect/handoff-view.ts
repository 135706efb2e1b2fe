/** handOffView: the hand-off that a compaction wrote, line by line, each with the messages that it comes from. */

import { END_MARKER } from "../conversation/handoffs/prefixes.ts";
import { handoffIn } from "../conversation/handoffs/separate.ts";
import type { Kind } from "../engine/items.ts";
import { kindOfLine } from "../engine/write.ts";
import { isHeading } from "../handoff/sections.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Compared, Pair } from "./compared.ts";
import { createLineSources } from "./line-sources.ts";
import type { HandOffLine, HandOffView } from "./views.ts";

/** Undefined where the compaction wrote none. */
export function handOffView(
  { pairs, plan }: Pick<Compared, "pairs" | "plan">,
  ledger: Ledger | undefined,
  counter: TokenCounter,
): HandOffView | undefined {
  const row = pairs.findIndex(({ after, isKept }) => after && !isKept && handoffIn(after.message));
  if (row < 0) return undefined;
  const text = handoffIn(pairs[row]!.after!.message)!.framed;
  const sources = plan.handedOff?.sources;
  const lines = sources ? linesFrom(text, pairs, sources) : handOffLines(text, pairs, ledger, counter);
  return { row, text, lines };
}

/** The plan says which messages each line is from. */
function linesFrom(
  text: string,
  pairs: readonly Pair[],
  sources: readonly (readonly number[])[],
): readonly HandOffLine[] {
  const rows = new Map(pairs.map(({ number }, row) => [number, row]));
  let section: string | undefined;
  return text.split("\n").map((line, at): HandOffLine => {
    const kind = kindOfLine(line);
    // What a call was given and printed, and lines that go on, are of the line above.
    if (!/^[ <|]/.test(line)) section = kind && SECTIONS[kind];
    const from = (sources[at] ?? []).flatMap((position) => rows.get(position) ?? []);
    return { text: line, ...(section !== undefined && { section }), sources: from };
  });
}

const SECTIONS: Readonly<Record<Kind, string>> = {
  rule: "Rules of the user",
  ask: "Story",
  said: "Story",
  told: "Story",
  call: "Story",
  note: "Story",
  deed: "Done, not to be repeated",
  state: "State",
};

function handOffLines(
  text: string,
  pairs: readonly Pair[],
  ledger: Ledger | undefined,
  counter: TokenCounter,
): readonly HandOffLine[] {
  const lines = text.split("\n");
  const sourcesOf = createLineSources(pairs, lines, ledger, counter);
  let section: string | undefined;
  let above: readonly number[] = [];
  return lines.map((line): HandOffLine => {
    if (isHeading(line)) {
      section = line.slice("## ".length);
      return { text: line, section, heading: true, sources: [] };
    }
    const own = section === undefined || isFrame(line) ? [] : sourcesOf(line);
    // What is under a deed comes from where the deed does.
    const sources = own.length === 0 && UNDER.test(line) ? above : own;
    above = sources;
    return { text: line, ...(section !== undefined && { section }), sources };
  });
}

const UNDER = /^ {2}|^\[… /;

function isFrame(line: string): boolean {
  return line.trim() === "" || line.startsWith(END_MARKER);
}
