/** Compared: the messages before and after a compaction, aligned, whether it was carried out or only planned. */
import type { Archive, CompactionRecord, MessagePlace } from "../archive/archive.ts";
import { recordRewrite } from "../archive/record-rewrite.ts";
import type { Message } from "../conversation/message.ts";
import { type Rewrite, rewritten } from "../conversation/rewrite.ts";
import type { Plan } from "../plan/plan.ts";
import type { CompactionNotes } from "../run/compaction-notes.ts";
import { messagesUnder } from "./message-facts.ts";
import { readPlan } from "./standing.ts";

export interface ComparedMessage extends MessagePlace {
  readonly message: Message;
}

/** One place of the two lists. Both are there where the message stayed; `isKept`, where it stayed as it was. */
export interface Pair {
  readonly before?: ComparedMessage;
  /** Its number in the conversation that the plan was made for. */
  readonly number?: number;
  readonly after?: ComparedMessage;
  readonly isKept: boolean;
}

export interface Compared {
  readonly pairs: readonly Pair[];
  readonly plan: Plan;
  readonly notes?: CompactionNotes | undefined;
  /** Numbers of messages that were pinned. */
  readonly pins: ReadonlySet<number>;
  /** It was not carried out: what its texts name is in no archive yet. */
  readonly isDraft?: boolean;
}

/**
 * In the order of both lists: messages that left are where they were, behind what Pith put before them, so that a
 * hand-off opens the run that it stands for.
 */
export function alignMessages(
  before: readonly ComparedMessage[],
  rewrite: Rewrite<ComparedMessage>,
): readonly Pair[] {
  const pairs: Pair[] = [];
  let next = 0;
  const leaveUntil = (end: number): void => {
    for (; next < end; next++) pairs.push({ before: before[next]!, number: next, isKept: false });
  };
  for (const [order, after] of rewritten(before, rewrite).entries()) {
    const { from, written } = rewrite[order]!;
    leaveUntil(from);
    const origin = before[from];
    if (!origin) pairs.push({ after, isKept: false });
    else pairs.push({ before: origin, number: from, after, isKept: !written });
    next = Math.max(next, from + 1);
  }
  leaveUntil(before.length);
  return pairs;
}

/** A compaction that was carried out. Undefined where the archive no longer has its plan. */
export async function comparedInArchive(
  archive: Archive,
  record: CompactionRecord,
  format: string | undefined,
): Promise<Compared | undefined> {
  const plan = await readPlan(archive, record);
  if (!plan) return undefined;
  const { messagesBefore, messagesAfter } = record;
  const ids = [...messagesBefore, ...messagesAfter].map(({ id }) => id);
  const messages = await messagesUnder(archive, [...new Set(ids)], plan.notes?.format ?? format);
  const placed = (place: MessagePlace): ComparedMessage => ({
    ...place,
    message: messages.get(place.id) ?? unread,
  });
  const rewrite = recordRewrite(record).map(({ from, written }) => ({
    from,
    ...(written && { written: placed(written) }),
  }));
  return {
    pairs: alignMessages(messagesBefore.map(placed), rewrite),
    plan,
    notes: plan.notes,
    pins: new Set(plan.regions.pinned),
  };
}

/** A message that was erased since, or that nobody can read. */
const unread: Message = { role: "other", parts: [], position: -1 };
