/** Undo: the conversation as it would be had a compaction never been made, later turns included. */
import { isDeepStrictEqual } from "node:util";
import type { Archive, CompactionRecord, MessagePlace } from "../archive/archive.ts";
import { compactionChain } from "../archive/compaction-chain.ts";
import { createMarks, type Marks, wireTextOf } from "../archive/marks.ts";
import { idsOfItem } from "../archive/named-ids.ts";
import { requestItems } from "../archive/request-items.ts";
import { type Conversation, withMessages } from "../conversation/conversation.ts";
import type { Message } from "../conversation/message.ts";
import { takenBack } from "../conversation/rewrite.ts";
import { UndoError } from "../errors/undo-error.ts";
import { bodyOfSources } from "../providers/body-of-sources.ts";
import { readConversation, writeConversation } from "../providers/detect.ts";
import { type CompactionState, initialState } from "../state/compaction-state.ts";
import { readState } from "../state/read-state.ts";
import { namedIds } from "./record-compaction.ts";
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
  const { original, report } = result;
  const now = readConversation(current, { format });
  const after = readConversation(bodyOf(result), { format: now.format });
  const begins = after.messages.every((message, at) => isSaidAt(now.messages[at], message));
  if (!begins || !report.compacted) throw notIn(report.compaction ?? "that was given");
  // As read back: a format may write another number of messages than the rewrite has.
  const hasMore = now.messages.length > after.messages.length;
  const before = readConversation(original.body, { format: now.format });
  const messages = takenBack(before.messages, after.messages, now.messages);
  return {
    ...returned(hasMore ? writeConversation(withMessages(now, messages)) : original.body),
    compactions: report.compaction === undefined ? [] : [report.compaction],
    state: original.state,
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
  const marks = createMarks();
  // Newest first: the one whose result the conversation begins with now.
  for (const newest of all.toReversed()) {
    const line = compactionChain(all, newest.id);
    const from = line.findIndex((each) => each.id === id);
    if (from < 0 || !(await beginsWith(archive, newest, now.messages, marks))) continue;
    const chain = line.slice(from);
    const places = chain.reduceRight(
      (messages, each) => takenBack(each.messagesBefore, each.messagesAfter, messages),
      newest.messagesAfter as readonly MessagePlace[],
    );
    const stored = await reach(archive, () => getMany(idsOf(places)));
    const originals = stored.map((item, index) => {
      if (item && item.forgotten === undefined) return item.content;
      throw new UndoError(`The archive ${archive.name} no longer has message ${places[index]!.id}.`);
    });
    return {
      ...returned(rebuilt(now, originals, now.messages.slice(newest.messagesAfter.length))),
      compactions: chain.map((each) => each.id).toReversed(),
      state: await stateAfter(archive, line[from - 1], record.conversation),
    };
  }
  throw notIn(id);
}

/**
 * Takes back the compaction whose result the conversation begins with now, whichever that is and whatever the archive calls the
 * conversation. A text that is this result to the letter gives the very text that was compacted. Undefined where there is none.
 */
export async function undoNewest(
  archive: Archive,
  current: unknown,
  format: string,
): Promise<Undone | undefined> {
  const now = readConversation(current, { format });
  const marks = createMarks();
  const newest = await newestIn(archive, now.messages, marks);
  if (!newest) return undefined;
  const undone = await undoArchived(archive, newest.id, current, now.format);
  const isWhole =
    typeof current === "string" && requestItems(current, now.messages, marks).request.id === newest.after;
  const before = isWhole ? await requestText(archive, newest.before) : undefined;
  return before === undefined ? undone : { ...undone, ...returned(before) };
}

/** Looks where something is that the messages name, and everywhere if they name nothing. */
async function newestIn(
  archive: Archive,
  messages: readonly Message[],
  marks: Marks,
): Promise<CompactionRecord | undefined> {
  const { conversations, compactions, held } = archive;
  if (!conversations || !compactions) return undefined;
  const named = namedIds({ body: undefined, messages });
  const newestFirst = (await reach(archive, conversations)).toSorted((a, b) => b.lastAt - a.lastAt);
  for (const { id } of newestFirst) {
    if (held && named.length > 0 && (await reach(archive, () => held(id, named))).size === 0) continue;
    const records = await reach(archive, () => compactions(id));
    for (const record of records.toReversed())
      if (await beginsWith(archive, record, messages, marks)) return record;
  }
  return undefined;
}

/** Undefined where a piece of it was erased. */
async function requestText(archive: Archive, id: string): Promise<string | undefined> {
  const request = await reach(archive, () => archive.get(id));
  const pieces = request && (await reach(archive, () => archive.getMany!(idsOfItem(request))));
  const texts = pieces?.flatMap((piece) => (piece && piece.forgotten === undefined ? [piece.content] : []));
  return texts !== undefined && texts.length === pieces?.length ? texts.join("") : undefined;
}

function notIn(id: string): UndoError {
  return new UndoError(
    `The conversation does not begin with the result of compaction ${id}, so there is nothing to put back. It stays as it is.`,
  );
}

function idsOf(places: readonly MessagePlace[]): readonly string[] {
  return places.map(({ id }) => id);
}

/** Whether the messages begin with a compaction's result: by its ids, and if those are others, by what they name. */
async function beginsWith(
  archive: Archive,
  { messagesAfter }: CompactionRecord,
  messages: readonly Message[],
  marks: Marks,
): Promise<boolean> {
  if (messages.length < messagesAfter.length) return false;
  const mine = messages.slice(0, messagesAfter.length).map(marks.message);
  const unlike = mine.flatMap((id, at) => (id === messagesAfter[at]!.id ? [] : [at]));
  const areSame = async (places: readonly number[]): Promise<boolean> => {
    if (places.length === 0) return true;
    const stored = await reach(archive, () => archive.getMany!(places.map((at) => messagesAfter[at]!.id)));
    return places.every((at, index) => {
      const item = stored[index];
      return item?.content !== undefined && isSameJson(item.content, marks.items.get(mine[at]!)!.content);
    });
  };
  // Of a compaction that it is not, the first one tells; a long conversation has many of them, and each has many messages.
  return (await areSame(unlike.slice(0, 1))) && areSame(unlike.slice(1));
}

function isSaidAt(now: Message | undefined, message: Message): boolean {
  return now !== undefined && isSameJson(wireTextOf(now), wireTextOf(message));
}

/** Of texts as `wireTextOf` gives them: however they were spaced, escaped or ordered since. */
function isSameJson(one: string, other: string): boolean {
  return one === other || isDeepStrictEqual(JSON.parse(`[${one}]`), JSON.parse(`[${other}]`));
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
  conversationId: string,
): Promise<CompactionState> {
  const stored = record && (await reach(archive, () => archive.get(record.state)));
  return stored?.content ? readState(JSON.parse(stored.content)) : { ...initialState, conversationId };
}
