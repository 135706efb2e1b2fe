/** Plan: everything a compaction will do, as a value that can be printed, edited, stored and undone. */
import type { ArchiveItem } from "../archive/archive.ts";
import type { Message } from "../conversation/message.ts";
import type { StoryRoom } from "../engine/written.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { SentenceCount } from "../sources/gptme/extract-text.ts";

export type StageName =
  | "strip-reasoning"
  | "drop-duplicates"
  | "shape-tool-results"
  | "shrink-call-arguments"
  | "extract-sentences"
  | "hand-off"
  | "trim";

/** One message changed, removed or added. Positions are those of the conversation the plan was made for. */
export type Edit =
  | {
      readonly kind: "replace";
      readonly position: number;
      readonly message: Message;
      readonly reason: string;
      readonly yieldsTo?: YieldsTo;
      /** Where its sentences were chosen from. */
      readonly sentences?: SentenceCount;
    }
  | {
      readonly kind: "remove";
      readonly position: number;
      readonly reason: string;
      readonly yieldsTo?: YieldsTo;
    }
  | { readonly kind: "insert"; readonly before: number; readonly message: Message; readonly reason: string };

/** What has no room for a message that the policy protects; absent where it protects none of it (SPEC F91). */
export type YieldsTo = "window" | "target";

/** What one Stage does, and what that saves. */
export interface PlanStep {
  readonly stage: StageName;
  readonly edits: readonly Edit[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Which messages stay and which may go, by position. Every message is in exactly one of them. */
export interface Regions {
  readonly head: readonly number[];
  readonly pinned: readonly number[];
  readonly archivable: readonly number[];
  readonly recent: readonly number[];
}

/** What is known of the messages that a hand-off stands for, and what of it must be kept. */
export interface HandedOff {
  /** Goes into the state: the next compaction goes on from it. */
  readonly ledger: Ledger;
  /** The ledger's lines that the hand-off may not be without: open todos, open errors, changed files. */
  readonly mustKeep: readonly string[];
  /** Those of them that found room in it. */
  readonly told: readonly string[];
  /** How many sentences of the user are in it word for word besides: the constraints, and the latest ask as one. */
  readonly verbatim: number;
  /** Of each line of the hand-off's text the positions of the messages that it is from; a line of its frame is from none. */
  readonly sources?: readonly (readonly number[])[];
  /** The text of a hand-off in bare form that no model wrote: by it the next compaction knows it again. */
  readonly bareStory?: string;
  /** The place that a model's text would have; absent unless the plan was asked for it. */
  readonly room?: StoryRoom;
}

export interface Plan {
  /** The policy's name, as typed. */
  readonly preset: string;
  /** The hard ceiling this plan was made for, in counted tokens (see `countedTokens`). */
  readonly targetTokens: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What pictures and files in view take of `tokensAfter`; absent without any. */
  readonly inViewTokens?: number;
  readonly regions: Regions;
  /**
   * What the hand-off stands for, by position, with the turns that each is of (span-pieces.ts), and the id that it names;
   * absent without hand-off or archive.
   */
  readonly span?: {
    readonly id: string;
    readonly positions: readonly number[];
    readonly turns: readonly string[];
  };
  /** Why `compact` would do nothing of it; absent where it would. */
  readonly reason?: string;
  /** In the order they are carried out. Empty: nothing to do. */
  readonly steps: readonly PlanStep[];
  /**
   * What the plan's texts name, to be archived before anybody reads them. Empty without an archive, once they are there, in an
   * event, and in a plan that is to be applied later: the conversation that it is applied to has them.
   */
  readonly originals: readonly ArchiveItem[];
  /** Only where there is a hand-off. */
  readonly handedOff?: HandedOff;
  /**
   * Of each message that an edit replaces or removes, by position, in a plan that is to be applied later: a stale plan
   * is refused. Empty in the plan of a compaction that was carried out at once.
   */
  readonly fingerprints: Readonly<Record<number, string>>;
  /** How many attempts the planner made to meet the target: bounded. */
  readonly passes: number;
}

/** A plan that does nothing. */
export function emptyPlan(preset: string): Plan {
  return {
    preset,
    targetTokens: 0,
    tokensBefore: 0,
    tokensAfter: 0,
    regions: { head: [], pinned: [], archivable: [], recent: [] },
    steps: [],
    originals: [],
    fingerprints: {},
    passes: 0,
  };
}
