/** Strategy: one way to make a past smaller, as the evaluation runs it. */
import type { WireMessage } from "../measure/wire-message.ts";

export interface Strategy {
  /** Looks at a past once; what does not depend on the target is done here. */
  readonly prepare: (past: readonly WireMessage[]) => Shrink | Promise<Shrink>;
}

/** The past in at most so many tokens (system messages that stay as they are do not count). */
export type Shrink = (targetTokens: number) => readonly WireMessage[] | Promise<readonly WireMessage[]>;
