/** The options of a compactor, and those of each call. */

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
  /** When and how to compact: a preset with modifiers, or your own policy. @default "balanced" */
  readonly preset?: PresetExpression | Policy;
  /** The model's context window in tokens. Required unless the model is known or there is a target. */
  readonly window?: number;
  /** Tokens kept free for the answer. @default an eighth of the window, or a twentieth if the policy's shares are of the window; at most 8,192 */
  readonly reserve?: number;
  /** The default `target` for calls that give none; a share is a share of that call's input. With it, no window is required. */
  readonly target?: CompactOptions["target"];
  /** The model's name: picks the tokenizer, and the window if it is known. */
  readonly model?: string;
  /** Counts tokens. Pass your own if you have the model's tokenizer. @default chosen by the model's name */
  readonly counter?: TokenCounter;
  /**
   * Who writes the story of a hand-off: a Summarizer, the address of a model, or several in the order they are asked,
   * the cheapest first. What they write is audited. @default none
   */
  readonly summarizer?: SummarizerChoice | readonly SummarizerChoice[] | "none";
  /** The prompt for the summarizer. @default the preset's, in the words of its source */
  readonly template?: TemplateName;
  /**
   * `bare`: a hand-off is the preset's prefix and the summary, or without one the story, and nothing around it: no frame, no rules, no
   * deeds, no numbers. What the audit found is in the Report. @default the preset's
   */
  readonly handoff?: "bare";
  /** How long the summary should be, as stated in the prompt. @default the preset's, or what the hand-off has room for */
  readonly summaryTokens?: number;
  /** How long each summarizer may take. @default 120,000 */
  readonly summarizerTimeoutMs?: number;
  /**
   * Has summaries written in the background and says when one is ready, such as a queue that several processes
   * share. @default this process, with `summarizer`
   */
  readonly summaries?: BackgroundSummaries;
  /**
   * Where originals are stored before they leave the context: `sqliteArchive`, `postgresArchive`, `memoryArchive` or your own.
   * Without one, what leaves is gone. @default none
   */
  readonly archive?: Archive;
  /**
   * Learns while it runs: what the agent had to recall and then used counts more in the next hand-off of the same
   * conversation, up to twice as much; what it never needed counts less, down to half. The counts are only in
   * `state.lessons`. Needs an archive, or lessons to start from. See docs/salience.md. @default false
   */
  readonly adaptive?: boolean | Lessons;
  /** Wire format of the input. @default "auto", detected */
  readonly format?: string;
  /** Called with progress events. */
  readonly onEvent?: (event: CompactionEvent) => void;
  /** Receives the SESSION_LOG lines of every compaction (F28, F39); append them to a file and never rewrite it. */
  readonly sessionLog?: (text: string) => void;
  /** Milliseconds since the epoch. @default Date.now */
  readonly clock?: () => number;
}

export interface CompactOptions {
  /** A hard ceiling in tokens, or a share of the input ("30%"). Compacts whatever the thresholds say. */
  readonly target?: number | `${number}%`;
  /** Tool definitions that are sent with the conversation, if the body does not contain them. */
  readonly tools?: readonly unknown[];
  /** The model that the conversation is sent to, if neither the body nor the compactor's options name it. */
  readonly model?: string;
  /** Positions of messages that must stay whole and verbatim. */
  readonly pins?: readonly number[];
  /**
   * The conversation's name in the archive. With a name and no `state`, the archive keeps the state as well.
   * @default the name in `state`, or one derived from the conversation's content
   */
  readonly conversationId?: string;
  /** The state that the last call returned; undefined on the first call: `let state: CompactionState | undefined`. */
  readonly state?: CompactionState | undefined;
  /** The provider's usage block from the last answer. */
  readonly usage?: unknown;
  /**
   * `true` waits for a summary when there is a hand-off. `"background"` never waits: a summary is started before the
   * threshold is reached, and the compaction uses it if it is ready by then. With `false`, and whenever there is no
   * summary, the hand-off is the deterministic one. @default "background" if there is a summarizer
   */
  readonly summarize?: boolean | "background";
  /** Who writes the summary for this call. @default the compactor's */
  readonly summarizer?: CompactorOptions["summarizer"];
  /** The topic that the summary should focus on. */
  readonly focus?: string;
  /** What the agent asked for with `compress_context`, if the call is not in the newest batch; honoured once. */
  readonly requested?: CompressRequest;
  /** Stops waiting for a summary. */
  readonly signal?: AbortSignal;
  /** Compact now, whatever the thresholds and pauses say. `overflow`: the provider rejected the request for its size. */
  readonly force?: "manual" | "overflow";
}
