/** Stage: the contract of one step from a conversation to a smaller one. */

import type { Marks } from "../../archive/marks.ts";
import type { Message } from "../../conversation/message.ts";
import type { Policy } from "../../policy/policy.ts";
import type { TokenCounter } from "../../tokens/token-counter.ts";
import type { Lessons } from "../../weights/lessons.ts";
import type { Edit, StageName } from "../plan.ts";

export interface StageContext {
  readonly policy: Policy;
  readonly counter: TokenCounter;
  /** Positions that may be changed: neither head, pinned nor recent. */
  readonly editable: ReadonlySet<number>;
  /** Enough is saved when this many tokens are. */
  readonly tokensToSave: number;
  /** What this conversation's recalls taught (F19). */
  readonly lessons?: Lessons | undefined;
  /** Gives an id to what is taken away; absent where nothing is archived. */
  readonly marks?: Marks | undefined;
}

export interface Stage {
  readonly name: StageName;
  /** Proposes edits to messages (index = position), none of which changes how many there are. Pure. */
  readonly propose: (messages: readonly Message[], context: StageContext) => readonly Edit[];
}
