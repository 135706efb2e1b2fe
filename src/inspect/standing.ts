/** Standing: where a conversation stands: what was said, which of its compactions are in force, what the context is now. */
import type { Archive, ArchivedMessage, CompactionRecord, MessagePlace } from "../archive/archive.ts";
import { compactionChain } from "../archive/compaction-chain.ts";
import type { Plan } from "../plan/plan.ts";
import type { CompactionNotes } from "../run/compaction-notes.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import { readState } from "../state/read-state.ts";

export interface Standing {
  readonly conversation: string;
  /** By position, each place once; of branches, the one that goes on. */
  readonly said: readonly ArchivedMessage[];
  /** Oldest first. */
  readonly records: readonly CompactionRecord[];
  /** Each made on top of the one before; the others were taken back, or are of another branch. */
  readonly inForce: readonly CompactionRecord[];
  readonly state?: CompactionState;
  /** The messages of the context, in order. */
  readonly context: readonly MessagePlace[];
}

/** Undefined where the archive has no such conversation. */
export async function readStanding(archive: Archive, conversation: string): Promise<Standing | undefined> {
  const [messages = [], records = [], checkpoint] = await Promise.all([
    archive.messages?.(conversation),
    archive.compactions?.(conversation),
    archive.checkpoint?.(conversation),
  ]);
  if (messages.length === 0 && records.length === 0) return undefined;
  const state = checkpoint && readState(JSON.parse(checkpoint.state));
  const inForce = compactionChain(records, state ? state.lastCompaction : records.at(-1)?.id);
  const said = oneAtEachPlace(messages.filter(onLineOf(records, inForce)), inForce);
  const last = inForce.at(-1);
  const next = last ? nextPosition(last) : 0;
  const later = said.filter(({ position }) => position >= next);
  return {
    conversation,
    said,
    records,
    inForce,
    ...(state && { state }),
    context: [...(last?.messagesAfter ?? []), ...later.map(({ position, id }) => ({ position, id }))],
  };
}

/** Not a message of another branch that went on from an earlier place than the last compaction. */
function onLineOf(
  records: readonly CompactionRecord[],
  inForce: readonly CompactionRecord[],
): (message: MessagePlace) => boolean {
  const last = inForce.at(-1);
  if (!last) return () => true;
  const next = nextPosition(last);
  // What was taken back was on top of it: what was said until then is still said.
  const onTop = records.filter(({ id }) => compactionChain(records, id).includes(last));
  const [own, all] = [idsBefore(onTop), idsBefore(records)];
  return ({ position, id }) => position < next || own.has(id) || !all.has(id);
}

function idsBefore(records: readonly CompactionRecord[]): ReadonlySet<string> {
  return new Set(records.flatMap(({ messagesBefore }) => messagesBefore.map(({ id }) => id)));
}

/** What is stored with a compaction: its plan without the messages' contents, and the notes where there are some. */
export interface StoredPlan extends Plan {
  readonly notes?: CompactionNotes;
}

export async function readPlan(
  archive: Archive,
  { plan }: CompactionRecord,
): Promise<StoredPlan | undefined> {
  const item = await archive.get(plan);
  return item?.content ? (JSON.parse(item.content) as StoredPlan) : undefined;
}

/** The position that the first message after a compaction has. */
export function nextPosition({ messagesBefore }: CompactionRecord): number {
  return 1 + messagesBefore.reduce((most, { position }) => Math.max(most, position), -1);
}

/** Where branches differ, the one that the compactions in force saw; otherwise the newest. */
function oneAtEachPlace(
  messages: readonly ArchivedMessage[],
  inForce: readonly CompactionRecord[],
): readonly ArchivedMessage[] {
  const seen = idsBefore(inForce);
  const places = new Map<number, ArchivedMessage>();
  for (const message of messages) {
    const known = places.get(message.position);
    if (!known || !seen.has(known.id) || seen.has(message.id)) places.set(message.position, message);
  }
  return [...places.values()].sort((one, other) => one.position - other.position);
}
