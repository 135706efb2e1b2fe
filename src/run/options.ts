/** What a compactor is made with, and what each of its calls may say. */

import type { CompressRequest } from "../agent-control/compress-context.ts";
import type { Archive } from "../archive/archive.ts";
import type { Policy } from "../policy/policy.ts";
import type { PresetExpression } from "../policy/presets.ts";
import type { TemplateName } from "../policy/template-names.ts";
import type { CompactionEvent } from "../report/event.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import type { SummarizerChoice } from "../summarizer/summarizers-of.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Lessons } from "../weights/lessons.ts";
import type { BackgroundSummaries } from "./background-summaries.ts";

export interface CompactorOptions {
  /** When and how to compact: a preset with modifiers, or a policy of your own. @default "balanced" */
  readonly preset?: PresetExpression | Policy;
  /** The model's context window in tokens. Needed unless the model is a known one or every call has a target. */
  readonly window?: number;
  /** Tokens kept free for the answer. @default at most 8,192: an eighth of the window, a twentieth where the shares are of the window */
  readonly reserve?: number;
  /** The model's name: picks the tokenizer, and the window where it is known. */
  readonly model?: string;
  /** Who counts tokens: yours, where you have the model's own tokenizer. @default by the model's name */
  readonly counter?: TokenCounter;
  /**
   * Who writes the narrative of a hand-off: a Summarizer, the address of a model, or several in the order they are asked,
   * the cheap one first. What they write is audited. @default none
   */
  readonly summarizer?: SummarizerChoice | readonly SummarizerChoice[] | "none";
  /** The prompt that they get. @default the preset's: the words of its source */
  readonly template?: TemplateName;
  /** How long the summary shall be, as the prompt names it. @default the preset's, or what the hand-off has room for */
  readonly summaryTokens?: number;
  /** How long each of them may take. @default 120,000 */
  readonly summarizerTimeoutMs?: number;
  /**
   * Who has summaries written in the background and says when one is ready, such as a queue that several processes
   * share. @default this process, by `summarizer`
   */
  readonly summaries?: BackgroundSummaries;
  /**
   * Where everything goes before it leaves the context: `sqliteArchive`, `postgresArchive`, `memoryArchive` or your own.
   * Without one, what leaves is gone. @default none
   */
  readonly archive?: Archive;
  /**
   * Learns while it runs: what the agent had to recall and then used weighs more in the next hand-off of the same
   * conversation, up to twice, what it never needed less, down to half. The counts are in `state.lessons` and nowhere
   * else. Needs an archive, or lessons to start from. See docs/salience.md. @default false
   */
  readonly adaptive?: boolean | Lessons;
  /** Wire format of what is given. @default "auto" */
  readonly format?: string;
  /** Hears about progress. */
  readonly onEvent?: (event: CompactionEvent) => void;
  /** Receives the SESSION_LOG lines of every compaction (F28, F39); append them to a file, never rewrite it. */
  readonly sessionLog?: (text: string) => void;
  /** Milliseconds since the epoch. @default Date.now */
  readonly clock?: () => number;
}

export interface CompactOptions {
  /** A hard ceiling in tokens, or a share of what came in ("30%"). Compacts whatever the thresholds say. */
  readonly target?: number | `${number}%`;
  /** Tool definitions that are sent with the conversation, when the body does not hold them. */
  readonly tools?: readonly unknown[];
  /** The model that it is sent to, when neither the body nor the compactor's options name it. */
  readonly model?: string;
  /** Positions of messages that must stay whole and verbatim. */
  readonly pins?: readonly number[];
  /**
   * The conversation's name in the archive. With a name and no `state`, the archive keeps the state as well.
   * @default the name in `state`, or one that follows from what the conversation says
   */
  readonly conversation?: string;
  /** What the last call returned; undefined at the first. */
  readonly state?: CompactionState | undefined;
  /** The provider's usage block of the last answer. */
  readonly usage?: unknown;
  /**
   * `true` waits for a summary where a hand-off is made. `"background"` never waits: a summary is begun before the
   * threshold is reached, and used by the compaction if it is ready by then. With `false`, and whenever there is no
   * summary, the hand-off is the deterministic one. @default "background" where there is a summarizer
   */
  readonly summarize?: boolean | "background";
  /** Who writes the summary of this call. @default the compactor's */
  readonly summarizer?: CompactorOptions["summarizer"];
  /** What the summary should dwell on. */
  readonly focus?: string;
  /** What the agent asked for by `compress_context`, where the call is not in the newest batch; honoured once. */
  readonly requested?: CompressRequest;
  /** Ends the wait for a summary. */
  readonly signal?: AbortSignal;
  /** Compact now, whatever the thresholds and pauses say. `overflow`: the provider refused the request for its size. */
  readonly force?: "manual" | "overflow";
}
