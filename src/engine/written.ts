/** Written: what a model wrote of what is handed off, and the place that is kept for it. */

/** What a model wrote of the older turns: it is whole in the place of their words. */
export interface Written {
  readonly lines: readonly string[];
  /** It tells of the messages before this position. */
  readonly until: number;
}

/** The place that is kept for what a model is asked to write. */
export interface StoryRoom {
  readonly tokens: number;
  /** More than this would not be whole. */
  readonly mostTokens: number;
  /** What a model wrote before is so much larger. */
  readonly missingTokens: number;
  /** The hand-off that its text will be in, with `STANDS_HERE` in its place. */
  readonly beside: string;
}
