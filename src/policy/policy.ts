/** Policy: when to compact, how far, and by which means. Presets are values of this type; nothing here runs. */
import type { Role } from "../conversation/message.ts";
import type { TemplateName } from "./template-names.ts";

/** How much a threshold allows, from least loss to most; each action includes those before it. */
export const actions = ["shrink", "extract", "hand-off", "trim"] as const;
export type ThresholdAction = (typeof actions)[number];

/** By what a text says much or little (F69, F70). */
export const densityMeasures = ["tf-idf", "entropy"] as const;

/** A fill at which a compaction is due. Reached means `fill >= at`. */
export interface Threshold {
  /** Share of the policy's base, 0 to 1. */
  readonly at: number;
  readonly action: ThresholdAction;
  /** Also reached by more messages than this, system messages aside, whatever the fill (F40). */
  readonly messages?: number;
  /**
   * Only for a conversation that was compacted before. Until one fills its window nobody knows whether it ever will, and an
   * unnecessary compaction costs the prompt cache for nothing (docs/decisions/first-compaction.md).
   */
  readonly again?: boolean;
  /** Only if there is an unpinned tool result of more than this many tokens to shrink. */
  readonly needsResultOver?: number;
}

/** What stays verbatim at the end: the largest of these, then the ceiling, then whole tool groups. */
export interface Retention {
  readonly messages: number;
  readonly turns: number;
  /** Share of the policy's base, 0 to 1 (F77). */
  readonly percent?: number;
  readonly tokens?: number;
  /** Share of the budget, 0 to 1: as many average turns as fit into it stay, if that is more than `messages` (F77). */
  readonly relative?: number;
  /**
   * What `messages` and `turns` count, and the head, stay byte for byte unless they alone exceed the target; `percent` and
   * `tokens` then say how many tokens are filled with further messages. Absent: the ceiling comes first.
   */
  readonly whole?: boolean;
  /** The tail never takes more than this share of the target, whatever the above say. */
  readonly ceiling: number;
  /**
   * By which share the tail may be larger or smaller so that it starts where a piece of work starts, 0 to 1; open work
   * may make it larger still (F61). Absent: it starts where the above put it.
   */
  readonly tolerance?: number;
}

export interface HandoffStyle {
  /**
   * Every compaction hands off, whatever lighter stages could save, and none of them runs: the system that the preset
   * follows summarises and does nothing else (F89). Absent: only if lighter stages do not reach the target.
   */
  readonly always?: boolean;
  /**
   * `sections`: the structured message of docs/handoff.md. `text`: the source's one-line join (F58). `bare`: the prefix and what a
   * model wrote, or the story, and nothing around it (F93).
   */
  readonly form: "sections" | "text" | "bare";
  /** The line it starts with; one of the prefix registry's names. */
  readonly prefix: "pith" | "factor3" | "hermes" | "synthorg";
  /** `auto` alternates with the neighbours (F50). */
  readonly role: "auto" | Role;
  /** Append the note of F44 to the system prompt, on the first compaction only. */
  readonly systemNote: boolean;
  /** The whole message never takes more than this share of the target. */
  readonly ceiling: number;
  /** No summary: only the user's words and rules, doubts, and where the originals are (F84). Needs an archive. @default false */
  readonly archiveOnly?: boolean;
}

/** The prompt for a model that writes the summary, and how much it may write. */
export interface SummaryStyle {
  /** One of the prompts of docs/summarizer.md. */
  readonly template: TemplateName;
  /** How long the summary should be, as stated in the prompt (F48). Absent: what the hand-off has room for. */
  readonly tokens?: number;
  /** A share of what is summarised, if that is more than `tokens`. */
  readonly share?: number;
  /** At most this many tokens. */
  readonly mostTokens?: number;
}

export interface Policy {
  /** As typed, modifiers included: "balanced+debug". */
  readonly name: string;
  /**
   * How fill is estimated if the caller passes no counter: characters divided by four, 4 per message and 50 per tool (F59).
   * Absent: by the model's tokenizer.
   */
  readonly estimator?: "rough";
  /**
   * What every share is a share of. `window`: the window, or the session's token budget, as given; the reserve is then
   * only an upper limit for the thresholds. @default "budget": the window minus the reserve
   */
  readonly base?: "window" | "budget";
  /** Ascending by `at`. The highest one reached acts. */
  readonly thresholds: readonly Threshold[];
  /** The first threshold is at most this many tokens, however large the window; the rest scale with it (R29). */
  readonly triggerCapTokens?: number;
  /** What to come back to when a threshold is reached, as a share of the base; `targetOf` says what of the request shrinks to it. */
  readonly targetRatio: number;
  /**
   * `messages`: the target is a proportion of what can shrink, and system prompt and tools are beside it, so that a long system
   * prompt costs the conversation no more than its part. @default "request": the whole request comes back to the target
   */
  readonly targetOf?: "messages" | "request";
  /** A compaction must save this share of the conversation or this many tokens (R48), unless a target was given. */
  readonly minReclaim: { readonly ratio: number; readonly tokens: number };
  /** Conversations with fewer messages than this are left alone (F54). */
  readonly minMessages: number;
  /** Pause between two automatic attempts. */
  readonly intervalMs: number;
  readonly retention: Retention;
  /** Messages after the system prompt kept verbatim; with `decays` only on the first compaction (R45). */
  readonly head: { readonly messages: number; readonly decays: boolean };
  /** Strip reasoning from messages at least this far from the end; absent: never. */
  readonly stripReasoning?: { readonly distance: number };
  /** Duplicates and superseded reads become pointers. */
  readonly dropDuplicates: boolean;
  /** Shape tool results above this many tokens by their kind; absent: never. */
  readonly shape?: { readonly minTokens: number; readonly order: "oldest-first" | "largest-first" };
  /** Shorten string leaves longer than this in old call arguments; absent: never. */
  readonly shrinkArguments?: { readonly leafChars: number; readonly minChars: number };
  /** Extract sentences from long assistant messages (F8, F13); absent: never. */
  readonly extract?: { readonly ratio: number; readonly minTokens: number; readonly distance: number };
  readonly handoff: HandoffStyle;
  /** @default the template "story", or "brief" if the hand-off has the text form; as long as there is room */
  readonly summary?: SummaryStyle;
  /** Keep messages with this many groups of epistemic markers verbatim (F65); absent: only annotate. */
  readonly markers: { readonly promoteAt?: number; readonly annotate: boolean };
  /**
   * Which messages say much and which little, by TF-IDF over the conversation or by entropy (F69, F70). The densest share
   * stays verbatim if there is room; the slightest is left out of a text summary. Absent: not used.
   */
  readonly density?: {
    readonly by: (typeof densityMeasures)[number];
    readonly promote: number;
    readonly slight: number;
  };
  /** Shape tool results when they arrive, before they are ever sent (F31). */
  readonly shapeOnArrival: boolean;
  /** A tool result of more tokens than this goes to the archive when it arrives (F62); absent: never. Needs an archive. */
  readonly offloadOver?: number;
  /** The agent has `compress_context`; automatic compaction waits for this fill (F76). */
  readonly agentControlled?: { readonly safetyAt: number };
  /** False with debug verbosity: nothing shrinks except to recover from an overflow or on an explicit target. */
  readonly enabled: boolean;
}
