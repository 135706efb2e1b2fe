/** handOffView: the hand-off that a compaction wrote, line by line, each with the messages that it comes from. */

import { END_MARKER } from "../conversation/handoffs/prefixes.ts";
import { handoffIn } from "../conversation/handoffs/separate.ts";
import { isHeading } from "../handoff/sections.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Pair } from "./compared.ts";
import { createLineSources } from "./line-sources.ts";
import type { HandOffLine, HandOffView } from "./views.ts";

/** Undefined where the compaction wrote none. */
export function handOffView(
  pairs: readonly Pair[],
  ledger: Ledger | undefined,
  counter: TokenCounter,
): HandOffView | undefined {
  const row = pairs.findIndex(({ after, isKept }) => after && !isKept && handoffIn(after.message));
  if (row < 0) return undefined;
  const text = handoffIn(pairs[row]!.after!.message)!.framed;
  return { row, text, lines: handOffLines(text, pairs, ledger, counter) };
}

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
