/** Invariant: a rule that every compaction keeps. It says where one may cut, and whether a result still holds. */
import type { Message } from "../../conversation/message.ts";

export interface Invariant {
  readonly name: string;
  /** May the messages before `index` be taken away from those at and after it? @default yes */
  readonly allowsCut?: (messages: readonly Message[], index: number) => boolean;
  /** What is broken in `after` that was not broken in `before`, one sentence each. */
  readonly broken?: (before: readonly Message[], after: readonly Message[]) => readonly string[];
}
