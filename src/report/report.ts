/** Report: what happened, in numbers and in words; every door shows the same one. */
import type { CompactionError } from "../errors/compaction-error.ts";
import type { StageName, YieldsTo } from "../plan/plan.ts";
import type { Cause } from "../policy/decide.ts";
import type { SentenceCount } from "../sources/gptme/extract-text.ts";
import type { SummaryAttempt } from "../summarizer/chain.ts";
import type { AgentReport } from "./agent-report.ts";
import type { Health } from "./health.ts";
import type { RoleReport } from "./role-report.ts";
import type { SummaryCost } from "./summary-cost.ts";

/** What became of one message. */
export interface MessageReport {
  readonly position: number;
  readonly role: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The last Stage that touched it; absent when it came through untouched. */
  readonly stage?: StageName;
  readonly fate: "kept" | "changed" | "removed";
  readonly reason?: string;
  /** What had no room for it although the policy protects it; absent where it stays or is not protected (SPEC F91). */
  readonly yieldsTo?: YieldsTo;
}

export interface StageReport {
  readonly stage: StageName;
  readonly tokensSaved: number;
  /** Share of what came in, 0 to 1 (F1). */
  readonly ratioSaved: number;
  readonly messages: number;
  /** Of an extraction: how many sentences it was offered, and how many stayed (F90). */
  readonly sentences?: SentenceCount;
}

/** Estimated billed cost of the next request in units of one fresh input token (see docs/report.md). */
export interface CostReport {
  readonly before: number;
  readonly after: number;
}

/** What became of the summary that was asked for. */
export interface SummaryReport {
  /** Who wrote it; absent when there is none, and the deterministic hand-off stands alone. */
  readonly summarizer?: string;
  /** Share of the must-keeps that the summary itself held, 0 to 1, and how many were put back. */
  readonly coverage: number;
  readonly putBack: number;
  /** The lines that were put back; absent when there are none. */
  readonly putBackLines?: readonly string[];
  /** In bare form, where nothing is put back or struck, the must-keeps that nothing says. */
  readonly missing?: readonly string[];
  /** Specifics that it invented, and the sentences that were struck for them. */
  readonly invented: readonly string[];
  readonly struck: number;
  /** Each summarizer that was asked, with why it failed where it did. */
  readonly attempts: readonly SummaryAttempt[];
  /** Why there is no summary. */
  readonly failure?: string;
  /** What it cost, and what it saves; absent where no provider says. */
  readonly cost?: SummaryCost;
}

/** Constraints, the latest ask, open todos, open errors and changed files of what was handed off. */
export interface MustKeepReport {
  readonly total: number;
  /** How many of them the hand-off tells; fewer than all where its room did not hold them. */
  readonly told: number;
}

export interface Report extends AgentReport {
  readonly preset: string;
  readonly format: string;
  readonly encoding: string;
  /** False when the model's tokenizer is private and the counts are estimates. */
  readonly exact: boolean;
  /** Why something was done or not done, in one sentence. */
  readonly reason: string;
  readonly compacted: boolean;
  /** What made it due; absent when nothing was. */
  readonly cause?: Cause | "target";
  /** Counted as --target counts: system messages that came in and go out unchanged are not in it. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly targetTokens?: number;
  /** What pictures and files in view take of `tokensAfter`: a target that nobody gave is exceeded for them. */
  readonly inViewTokens?: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  /** Whole request, tools and system prompt included, before and after; with the window where it is known. */
  readonly promptTokensBefore: number;
  readonly promptTokensAfter: number;
  readonly window?: number;
  /** What a prompt may have of the window: all but what is kept free for the answer. */
  readonly budget?: number;
  /** What the policy's shares are of, and so every percentage of a request: the budget, or the window as it was given. */
  readonly base?: number;
  readonly stages: readonly StageReport[];
  /** One for each message that came in; empty when nothing was done and all stayed. */
  readonly messages: readonly MessageReport[];
  /** Roles that no provider knows by their names, and whose they were read as; absent where there are none. */
  readonly roles?: readonly RoleReport[];
  readonly cost: CostReport;
  /** Where the originals are: the archive's name, or "none", and then no text names an id. */
  readonly archive: string;
  /** The compaction's id in the archive: `undo` takes it. */
  readonly compaction?: string;
  /** In bare form, the id that opens all that was handed off: the hand-off names none. */
  readonly opens?: string;
  /** How many secrets were masked in what was archived; 0 for nearly every conversation. */
  readonly maskedSecrets?: number;
  /** What came in, judged; only with a compaction. `compactor.health` and `pith health` judge at any time (F40). */
  readonly health?: Health;
  /** Only when there is a hand-off. */
  readonly mustKeeps?: MustKeepReport;
  /** Only when a summary was asked for. */
  readonly summary?: SummaryReport;
  /**
   * Files that were read and of which no read is in view any more: a tool that answers "unchanged since the last read" must
   * let each be read once more in full (R43). Absent where there are none.
   */
  readonly readAgain?: readonly string[];
  /** What could be set to get more out of it; each once in a conversation. */
  readonly hints?: readonly string[];
  readonly error?: CompactionError;
}
