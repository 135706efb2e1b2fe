/** What was opened, and what may be done with it. */

/** GET api/session */
export interface SessionView {
  readonly version: string;
  /** The file's or the archive's name, for people. */
  readonly title: string;
  /** Apply and undo are refused. Previews are not: they change nothing. */
  readonly readOnly: boolean;
  /** Why, where it is not plain from the flags: "The gateway's clients hold their own history." */
  readonly readOnlyReason?: string;
  /** The rows of the list change by themselves: `api/live` is worth listening to. */
  readonly live: boolean;
  readonly presets: readonly PresetView[];
  /** Opened on one file: go straight to its conversation. */
  readonly conversation?: string;
  /** An exported page: there is no server, so no search, preview, apply or undo. */
  readonly exported?: boolean;
}

export interface PresetView {
  readonly name: string;
  /** What it comes back to, as a share of the preset's base: the whole request, in `balanced` the messages in proportion. */
  readonly targetRatio: number;
  readonly thresholds: readonly ThresholdView[];
}

export interface ThresholdView {
  /** Share of the preset's base, 0 to 1. */
  readonly at: number;
  readonly action: "shrink" | "extract" | "hand-off" | "trim";
  /** Only for a conversation that was compacted before. */
  readonly again?: boolean;
  /** The same in tokens, where the window is known. */
  readonly tokens?: number;
}
