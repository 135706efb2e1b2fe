/** Undo: the conversation as it would stand had a compaction never been made, later turns included. */
import type { Archive, CompactionRecord, MessagePlace } from "../archive/archive.ts";
import { compactionChain } from "../archive/compaction-chain.ts";
import { createMarks } from "../archive/marks.ts";
import { recordRewrite } from "../archive/record-rewrite.ts";
import { type Conversation, withMessages } from "../conversation/conversation.ts";
import type { Message } from "../conversation/message.ts";
import { takenBack } from "../conversation/rewrite.ts";
import { UndoError } from "../errors/undo-error.ts";
import { bodyOfSources } from "../providers/body-of-sources.ts";
import { readConversation, writeConversation } from "../providers/detect.ts";
import { type CompactionState, initialState } from "../state/compaction-state.ts";
import { readState } from "../state/read-state.ts";
import { bodyOf, type Result, type Returned, returned } from "./result.ts";
import { reach } from "./write-ahead.ts";

/** `messages` or `body`: with the original messages in place of what the compaction made of them. */
export type Undone<Body = unknown> = Returned<Body> & {
  /** The compactions that were taken back, newest first: those made later on top of it go with it. */
  readonly compactions: readonly string[];
  readonly state: CompactionState;
};

/** Takes back a compaction of this process: the very original comes back. `current` is the body as it is now. */
export function undoResult(result: Result, current: unknown, format: string): Undone {
  const now = readConversation(current, { format });
  const before = readConversation(result.original.body, { format: now.format });
  const after = readConversation(bodyOf(result), { format: now.format });
  const idOf = createMarks().message;
  const later = laterTurns(now.messages, after.messages.map(idOf), idOf);
  const { compaction = "that was given", compacted } = result.report;
  if (!later || !compacted) throw notIn(compaction);
  return {
    ...returned(
      later.length === 0
        ? result.original.body
        : writeConversation(withMessages(now, [...before.messages, ...later])),
    ),
    compactions: result.report.compaction === undefined ? [] : [result.report.compaction],
    state: result.original.state,
  };
}

/** Takes back a compaction by its id, with secrets as the archive has them: masked. */
export async function undoArchived(
  archive: Archive,
  id: string,
  current: unknown,
  format: string,
): Promise<Undone> {
  const { compaction, compactions, getMany } = archive;
  if (!compaction || !compactions || !getMany) {
    throw new UndoError(`The archive ${archive.name} keeps no compactions, so none can be undone from it.`);
  }
  const record = await reach(archive, () => compaction(id));
  if (!record) throw new UndoError(`The archive ${archive.name} has no compaction ${id}.`);
  const all = await reach(archive, () => compactions(record.conversation));
  const now = readConversation(current, { format });
  const idOf = createMarks().message;
  // Newest first: the one whose result the conversation begins with now.
  for (const newest of all.toReversed()) {
    const later = laterTurns(now.messages, idsOf(newest.messagesAfter), idOf);
    const line = later ? compactionChain(all, newest.id) : [];
    const from = line.findIndex((each) => each.id === id);
    if (!later || from < 0) continue;
    const chain = line.slice(from);
    const places = chain.reduceRight(
      (messages, each) => takenBack(each.messagesBefore, recordRewrite(each), messages),
      newest.messagesAfter as readonly MessagePlace[],
    );
    const stored = await reach(archive, () => getMany(idsOf(places)));
    const originals = stored.map((item, index) => {
      if (item && item.forgotten === undefined) return item.content;
      throw new UndoError(`The archive ${archive.name} no longer has message ${places[index]!.id}.`);
    });
    return {
      ...returned(rebuilt(now, originals, later)),
      compactions: chain.map((each) => each.id).toReversed(),
      state: await stateAfter(archive, line[from - 1], record.conversation),
    };
  }
  throw notIn(id);
}

function notIn(id: string): UndoError {
  return new UndoError(
    `The conversation does not begin with the result of compaction ${id}, so there is nothing to put back. It stays as it is.`,
  );
}

function idsOf(places: readonly MessagePlace[]): readonly string[] {
  return places.map(({ id }) => id);
}

/** What follows the compacted beginning; undefined when the conversation does not begin with it. */
function laterTurns(
  messages: readonly Message[],
  beginning: readonly string[],
  idOf: (message: Message) => string,
): readonly Message[] | undefined {
  const begins = beginning.every((id, at) => messages[at] !== undefined && idOf(messages[at]) === id);
  return begins ? messages.slice(beginning.length) : undefined;
}

/** Stored messages are the wire's own text; the format that reads the conversation reads them too. */
function rebuilt(now: Conversation, originals: readonly string[], later: readonly Message[]): unknown {
  const before = readConversation(bodyOfSources(originals, now.format), { format: now.format });
  return writeConversation(withMessages(now, [...before.messages, ...later]));
}

/** The state that the compaction before left, which is the one that this one found. */
async function stateAfter(
  archive: Archive,
  record: CompactionRecord | undefined,
  conversation: string,
): Promise<CompactionState> {
  const stored = record && (await reach(archive, () => archive.get(record.state)));
  return stored?.content ? readState(JSON.parse(stored.content)) : { ...initialState, conversation };
}
