/** SummaryJob: a snapshot of a conversation whose summary is to be written while the agent goes on. */
import type { CompactionState } from "../../state/compaction-state.ts";

export interface SummaryJob {
  readonly tenant: string;
  /** The link of the hash chain at the snapshot's last message: there is one summary for each. */
  readonly snapshot: string;
  /** The conversation's name in the archive: what is kept for it is forgotten with it. */
  readonly conversation: string;
  /** The body as it went upstream, secrets masked. */
  readonly text: string;
  readonly format: string;
  readonly preset: string;
  readonly window: number;
  readonly reserve: number;
  readonly state: CompactionState;
}
