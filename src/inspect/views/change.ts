/** Changes that the page asks for: a plan tried, applied, undone. */

/** The body of POST api/preview and POST api/apply. */
export interface PlanBody {
  readonly conversation: string;
  /** @default the conversation's own */
  readonly preset?: string | undefined;
  /** Tokens, or a share such as "30%". Without one the preset's thresholds decide, and the window must be known. */
  readonly target?: number | string | undefined;
  /** Positions of messages that must stay whole. */
  readonly pins?: readonly number[] | undefined;
  /** Stands for the text of the plan's hand-off. */
  readonly handOff?: string | undefined;
  /** Of an apply: `tokensBefore` of the preview. Where the conversation has another size by now, it is refused (PLAN_STALE). */
  readonly expects?: number | undefined;
}

/** The answer of POST api/apply. */
export interface AppliedView {
  readonly compaction: string;
}

/** The answer of POST api/undo {compaction}. */
export interface UndoneView {
  /** The compactions that were taken back, newest first. */
  readonly compactions: readonly string[];
  /** How many messages the context has now. */
  readonly messages: number;
  readonly tokens: number;
}
