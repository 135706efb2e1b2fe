/** Facts: what of the ledger a hand-off tells, what must be kept first, each list under its own heading. */
import type { Ledger } from "../ledger/ledger.ts";
import { type LedgerSections, tellLedger } from "../ledger/render-ledger.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Sections } from "./sections.ts";

export interface Facts {
  /** Doubts are told by their phrases, in the section on uncertainty. */
  readonly sections: Pick<Sections, Exclude<keyof LedgerSections, "doubts">>;
  /** The must-keeps that found room. */
  readonly told: readonly string[];
}

/** How much of the room may go to facts that need not be kept; the story and the digest tell more with it. */
const OTHERS_SHARE = 0.05;

/** The facts for a hand-off that goes on with a digest: all that must be kept, as far as the room goes. */
export function factsWithin(ledger: Ledger, room: number, counter: TokenCounter): Facts {
  return tellWithin(ledger, room, Math.floor(room * OTHERS_SHARE), counter);
}

/** Nothing but what must be kept: for a hand-off that tells no more than that. */
export function mustKeepsWithin(ledger: Ledger, room: number, counter: TokenCounter): Facts {
  return tellWithin(ledger, room, 0, counter);
}

/** What the headings over the lists take, at most. */
const HEADING_TOKENS = 5;

function tellWithin(ledger: Ledger, room: number, otherTokens: number, counter: TokenCounter): Facts {
  const { sections, mustKeep } = tellLedger(
    { ...ledger, doubts: [] },
    { counter, maxTokens: Math.max(0, room - HEADING_TOKENS * 6), otherTokens },
  );
  const { doubts: _, ...told } = sections;
  return { sections: told, told: mustKeep };
}
