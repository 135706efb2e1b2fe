/** Job: a request's body that is to be prepared, and what is told of it on the way and in the end. */
import type { ContextFill } from "../agent-control/fill-note.ts";
import type { StageReport } from "../report/report.ts";
import type { OwnCall } from "./offered-tools.ts";
import type { RecipeEntry } from "./recipe.ts";
import type { Period } from "./stopwatch.ts";
import type { SummaryJob } from "./summaries/summary-job.ts";

export interface Job {
  /** The body as text. */
  readonly text: string;
  readonly format: string;
  readonly tenant: string;
  readonly conversation?: string | undefined;
  /** Only the past is replayed; nothing new is compacted. */
  readonly replayOnly?: boolean;
  /** What the provider said when it refused the request for its size. */
  readonly overflow?: string;
}

/** A body that is due for a compaction: what may be sent without it. */
export interface JobProgress {
  readonly text: string;
  /** Whether it fits the window. */
  readonly fits: boolean;
  readonly tools?: readonly string[];
  readonly conversation?: string | undefined;
}

export interface Prepared {
  readonly text: string;
  readonly outcome: "untouched" | "replayed" | "compacted" | "compacted-without-archive" | "failed-open";
  /** Why, where it is not plain. */
  readonly reason?: string;
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  /** What made a compaction due, and what each of its stages did. */
  readonly cause?: string;
  readonly stages?: readonly StageReport[];
  /** Why the agent asked for it, where it did; also where it was declined. */
  readonly asked?: string;
  /** How full the context is in what is sent, where it was counted. */
  readonly fill?: ContextFill | undefined;
  /** Tokens of its system prompt and tools, where they leave the conversation too little room. */
  readonly fixedTokens?: number | undefined;
  /** The fill at which the safety net of an agent-controlled preset caught. */
  readonly safetyNet?: number;
  /** The conversation's name in the archive, for recall. */
  readonly conversation?: string | undefined;
  /** The names of the gateway's own tools that the text offers. */
  readonly tools?: readonly string[];
  /** Who wrote the summary in its hand-off. */
  readonly summarizer?: string;
  /** A snapshot that a summary should be written of, now that it goes upstream. */
  readonly due?: SummaryJob;
  /** Whether the archive answered when it was last asked, where there is one. */
  readonly archive?: "up" | "down" | undefined;
  /** When the archive was written to. */
  readonly writes?: readonly Period[];
  /** What is added behind so many bytes of the body needs no preparation while it has fewer tokens. */
  readonly room?: { readonly after: number; readonly tokens: number };
}

/** A turn in which the gateway ran tools of its own: what the client heard of it, and what really was said. */
export interface OwnTurn {
  /** The request that it began with. */
  readonly job: Job;
  /** The calls of own tools. */
  readonly calls: readonly OwnCall[];
  /** The messages by which the client may tell of it in its next request; any of these. */
  readonly echoes: readonly (readonly unknown[])[];
  /** What goes upstream in their place. */
  readonly entries: readonly RecipeEntry[];
}
