/** Facts: what of the ledger a hand-off tells, what must be kept first, each list under its own heading. */
import type { Ledger } from "../ledger/ledger.ts";
import { type LedgerSections, ledgerLines, mustKeepLines } from "../ledger/render-ledger.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Sections } from "./sections.ts";

/** Doubts are told by their phrases, in the section on uncertainty. */
export type Facts = Pick<Sections, Exclude<keyof LedgerSections, "doubts">>;

/** How much of the room what must be kept may take, and what else is known; the rest is for the story and the digest. */
const MUST_KEEP_SHARE = 0.3;
const OTHERS_SHARE = 0.1;

/** The facts for a hand-off that goes on with a digest. */
export function factsWithin(ledger: Ledger, room: number, counter: TokenCounter): Facts {
  const otherTokens = Math.floor(room * OTHERS_SHARE);
  return linesWithin(ledger, Math.floor(room * MUST_KEEP_SHARE) + otherTokens, otherTokens, counter);
}

/** Nothing but what must be kept, in all the room there is: for a hand-off that tells no more than that. */
export function mustKeepsWithin(ledger: Ledger, room: number, counter: TokenCounter): Facts {
  return linesWithin(ledger, room, 0, counter);
}

/** How many of the ledger's must-keeps these facts tell. */
export function countTold(ledger: Ledger, facts: Facts): number {
  const told = new Set(Object.values(facts).flat());
  return mustKeepLines(ledger).filter((line) => told.has(line)).length;
}

/** What the headings over the lists take, at most. */
const HEADING_TOKENS = 5;

function linesWithin(ledger: Ledger, room: number, otherTokens: number, counter: TokenCounter): Facts {
  const told = { ...ledger, doubts: [] };
  const { doubts: _, ...facts } = ledgerLines(told, {
    counter,
    maxTokens: Math.max(0, room - HEADING_TOKENS * 6),
    otherTokens,
  });
  return facts;
}
