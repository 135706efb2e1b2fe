/** Judge: makes tasks of conversations, and asks what a package makes of each how much it still holds. */
import type { WireMessage } from "../measure/wire-message.ts";
import type { Half } from "../recordings/split.ts";
import type { Share } from "../said/said.ts";

export interface Judge<Ask> {
  /** From the recordings in a folder; what is made up needs none. */
  tasks(folder: string | undefined): Iterable<Task<Ask>>;
  measure(task: Task<Ask>, compact: Compact): Promise<readonly Score[]>;
}

export interface Task<Ask = unknown> {
  /** The conversation, or what it was made from. */
  readonly case: string;
  /** Absent where nothing is recorded. What is made of several conversations is closed if one of them is. */
  readonly half?: Half;
  /** Plain data: it goes to another thread. */
  readonly ask: Ask;
}

/** How much one case holds of what one row asks for. */
export interface Score extends Share {
  /** `near/coding/summary/closed`: the figure, and which cases are counted in it. */
  readonly row: string;
  readonly case: string;
  /** Why it is not held, where that may be read. */
  readonly note?: string | undefined;
}

/**
 * Compacts with the judged package.
 *
 * @param size the target in words, for whoever reads the results
 * @returns nothing where it failed, is over its target or is invalid: such a result holds nothing
 */
export type Compact = (
  past: readonly WireMessage[],
  targetTokens: number,
  size: string,
) => Promise<readonly WireMessage[] | undefined>;
