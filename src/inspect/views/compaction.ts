/** One compaction, made or only planned: before and after, the hand-off, the ledger, the audit. */
import type { StageName } from "../../plan/plan.ts";
import type { SideView } from "./message.ts";

/** GET api/compactions/:id, and POST api/preview (then without an id). */
export interface CompactionView {
  readonly id?: string;
  readonly conversation: string;
  readonly at?: number;
  readonly preset: string;
  readonly reason?: string;
  readonly undone?: boolean;
  /** It is the last one that is in force, so that undoing it takes back no other. */
  readonly newest?: boolean;
  /** Undoing it takes back these, itself included, newest first. */
  readonly undoes?: readonly string[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The ceiling that it was made for. */
  readonly targetTokens: number;
  /** Whole requests, tools and system prompt included. */
  readonly promptTokensBefore?: number;
  readonly promptTokensAfter?: number;
  readonly window?: number;
  /** Billed cost of the next request, in units of one fresh input token. */
  readonly cost?: { readonly before: number; readonly after: number };
  readonly stages: readonly StageView[];
  /** In order; a removed message is where it was. */
  readonly rows: readonly CompactionRow[];
  readonly handOff?: HandOffView;
  readonly ledger: readonly LedgerSectionView[];
  /** What may not be lost: constraints, the latest ask, open todos and errors, changed files. */
  readonly mustKeeps?: { readonly told: number; readonly total: number };
  /** Only where a summary by a model was asked for. */
  readonly audit?: AuditView;
}

export interface StageView {
  readonly stage: StageName;
  readonly tokensSaved: number;
  /** How many messages it touched. */
  readonly messages: number;
}

export interface CompactionRow {
  readonly change: "kept" | "changed" | "removed" | "added";
  /** Absent where it was added. */
  readonly before?: SideView;
  /** Absent where it was removed, and where it was kept: then it is `before`. */
  readonly after?: SideView;
  /** The last Stage that touched it, and why. */
  readonly stage?: StageName;
  readonly reason?: string;
  /** Tokens; negative for what was added. */
  readonly saved: number;
  /** Opens what was there before: `api/items/`. */
  readonly originalId?: string;
  /** It was pinned. */
  readonly pinned?: boolean;
}

export interface HandOffView {
  /** The row that it is in. */
  readonly row: number;
  /** All of it, as it is sent: what `handOff` of a preview replaces. */
  readonly text: string;
  readonly lines: readonly HandOffLine[];
}

export interface HandOffLine {
  readonly text: string;
  /** The heading that it is under, such as "Constraints"; absent for the frame. */
  readonly section?: string;
  /** It is such a heading itself. */
  readonly heading?: boolean;
  /** The rows that it comes from, best first; empty where none can be told. */
  readonly sources: readonly number[];
}

export interface LedgerSectionView {
  readonly name: string;
  readonly lines: readonly LedgerLine[];
}

export interface LedgerLine {
  readonly text: string;
  /** The hand-off says it. */
  readonly told: boolean;
  readonly mustKeep: boolean;
}

export interface AuditView {
  /** Who wrote it; absent when there is none, and the deterministic hand-off stands alone. */
  readonly summarizer?: string;
  /** Share of the must-keeps that the summary itself held, 0 to 1. */
  readonly coverage: number;
  readonly putBack: number;
  /** The must-keeps that it dropped and that were put back. */
  readonly putBackLines: readonly string[];
  /** Specifics that it invented, and how many sentences were struck for them. */
  readonly invented: readonly string[];
  readonly struck: number;
  readonly attempts: readonly { readonly summarizer: string; readonly failure?: string }[];
  readonly failure?: string;
}
