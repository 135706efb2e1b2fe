/**
 * branchOf: which messages of a conversation are in the past of the one who asks. A conversation that was rewound, forked or
 * retried has several branches in one archive; what a request says, message by message, tells which of them it is of.
 */
import type { Message } from "../conversation/message.ts";
import type { Archive, CompactionRecord } from "./archive.ts";
import { createMarks, type Marks } from "./marks.ts";
import { idsOfCompaction } from "./named-ids.ts";
import { idsOf, namedIn, pastOf } from "./past.ts";
import { createSayings } from "./sayings.ts";
import { withdrawnIds } from "./withdrawn.ts";

export interface Branch {
  /** The items of the conversation that are not in its past, messages and others. Empty where there is only one branch. */
  readonly outside: ReadonlySet<string>;
}

/** A request's messages, in order: as the client has them, or as they are after compactions. */
export type AskingMessages = readonly Message[];

/**
 * @param asking one list, or several that are the same branch in other words; without any, the branch of the last compaction
 */
export async function branchOf(
  archive: Archive,
  conversation: string,
  asking?: readonly AskingMessages[],
): Promise<Branch> {
  const records = (await archive.compactions?.(conversation)) ?? [];
  const withdrawn = await withdrawnIds(archive, conversation);
  if (records.length === 0 && withdrawn.length === 0) return ONLY_BRANCH;
  const marks = createMarks();
  const present = (asking ?? []).map((messages) => messages.map(marks.message));
  const sayings = createSayings(archive, marks.items);
  const begin = present.length > 0 ? present : [idsOf(records.at(-1)?.messagesAfter ?? [])];
  const past = await pastOf({ begin, records, sayings });
  const others = records.filter((record) => !past.records.has(record));
  if (others.length === 0 && withdrawn.length === 0) return ONLY_BRANCH;
  const own = [...marks.items.values()].flatMap(({ content }) => namedIn(content));
  const inside = new Set([...past.ids, ...past.named, ...own]);
  for (const record of past.records) for (const id of idsOfCompaction(record)) inside.add(id);
  const outside = new Set(withdrawn.filter((id) => !inside.has(id)));
  for (const record of others) for (const id of idsOfCompaction(record)) if (!inside.has(id)) outside.add(id);
  return { outside };
}

/**
 * The last compaction that is in the past of these messages; undefined where none is.
 *
 * @param marks of the messages, where ids were given to them already
 */
export async function compactionInPast(
  archive: Archive,
  { conversation, messages, last, marks }: PastToFind,
): Promise<CompactionRecord | undefined> {
  const line = messages.map(marks.message);
  const newest = await archive.compaction?.(last);
  const inPast = async (records: readonly CompactionRecord[]): Promise<CompactionRecord | undefined> => {
    const sayings = createSayings(archive, marks.items);
    const past = await pastOf({ begin: [line], records, sayings });
    return records.findLast((record) => past.records.has(record));
  };
  // Nearly always it is the one that the state names.
  if (newest?.conversation === conversation && (await inPast([newest]))) return newest;
  return inPast((await archive.compactions?.(conversation)) ?? []);
}

export interface PastToFind {
  readonly conversation: string;
  readonly messages: AskingMessages;
  /** The compaction that is thought to be the last. */
  readonly last: string;
  readonly marks: Marks;
}

const ONLY_BRANCH: Branch = { outside: new Set() };
