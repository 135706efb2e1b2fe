/** memoryArchive: an Archive that lives as long as the process, for tests and for sessions that need no longer memory. */
import "../needed-node.ts";
import { ArchiveError } from "../errors/archive-error.ts";
import type {
  ArchivedMessage,
  ArchiveStat,
  ArchiveWrite,
  Checkpoint,
  CompactionRecord,
  Forget,
  Holder,
  PithArchive,
  ReadyWrite,
  Removed,
  RetentionLimits,
  StoredItem,
} from "./archive.ts";
import { heldTogether } from "./held-together.ts";
import { type PlacedMessage, searchMessages } from "./memory-search.ts";
import { idsOfItem, idsOfWrite } from "./named-ids.ts";
import { readyWrite } from "./ready-write.ts";
import { isOfTenant, namesOfTenant } from "./tenant.ts";
import { isOfUnlisted, UNLISTED_PREFIX } from "./unlisted.ts";
import { verifyStore } from "./verify-store.ts";

export interface MemoryArchiveOptions {
  /** The time that a forgotten piece shows. @default Date.now */
  readonly now?: () => number;
}

export function memoryArchive({ now = Date.now }: MemoryArchiveOptions = {}): PithArchive {
  const name = "memory";
  const items = new Map<string, StoredItem>();
  const conversations = new Map<string, Shelf>();
  let closed = false;
  let erasures = 0;

  /** Every call is asynchronous, as with other archives, and fails once the archive is closed. */
  const open =
    <Arguments extends readonly unknown[], Answer>(work: (...given: Arguments) => Answer | Promise<Answer>) =>
    async (...given: Arguments): Promise<Answer> => {
      if (closed) throw new ArchiveError(name, "The archive in memory is closed: make a new one.");
      return work(...given);
    };

  const put = (given: ArchiveWrite): void => {
    const write = readyWrite(name, given);
    refuseClashes(write);
    for (const item of write.items) if (!isLive(item.id)) items.set(item.id, { ...item });
    const shelf = conversations.get(write.conversation) ?? emptyShelf(write.at);
    conversations.set(write.conversation, shelf);
    shelf.about = write.about ?? shelf.about;
    hold(shelf, idsOfWrite(write));
    for (const message of write.messages ?? []) {
      const key = `${message.position} ${message.id}`;
      // Without its piece a message would come back by halves: what was forgotten stays forgotten.
      if (isLive(message.id) && !shelf.messages.has(key))
        shelf.messages.set(key, { ...message, conversation: write.conversation });
    }
    if (write.compaction) shelf.compactions.set(write.compaction.id, write.compaction);
    const state = write.items.findLast(({ kind }) => kind === "state");
    if (state) shelf.states.push({ at: write.at, id: state.id });
    shelf.firstAt = Math.min(shelf.firstAt, write.at);
    shelf.lastAt = Math.max(shelf.lastAt, write.at);
  };

  /** A span or a request that was written elsewhere is nothing without its pieces. */
  const hold = (shelf: Shelf, ids: Iterable<string>): void => {
    for (const id of ids) {
      if (shelf.ids.has(id)) continue;
      shelf.ids.add(id);
      if (isLive(id)) hold(shelf, idsOfItem(items.get(id)!));
    }
  };

  const isLive = (id: string): boolean => items.has(id) && items.get(id)!.forgotten === undefined;

  const refuseClashes = ({ items: given, messages = [], compaction }: ReadyWrite): void => {
    const refuse = (why: string): never => {
      throw new ArchiveError(name, `${why} Nothing was written.`);
    };
    const written = new Map<string, string>();
    for (const { id, kind, content } of given) {
      const known = isLive(id) ? items.get(id)! : undefined;
      const other =
        (known && (known.content !== content || known.kind !== kind)) ||
        (written.get(id) ?? content) !== content;
      if (other) refuse(`The id ${id} stands for another content already.`);
      written.set(id, content);
    }
    for (const { id } of messages) {
      if (!items.has(id) && !written.has(id))
        refuse(`The message ${id} has no item in this write or before it.`);
    }
    const earlier = compaction && compactionOf(compaction.id);
    if (earlier && JSON.stringify(earlier) !== JSON.stringify(compaction)) {
      refuse(`The id ${earlier.id} stands for another compaction already.`);
    }
  };

  const compactionOf = (id: string): CompactionRecord | undefined => {
    for (const { compactions } of conversations.values()) {
      const record = compactions.get(id);
      if (record) return record;
    }
    return undefined;
  };

  const erase = (ids: Iterable<string>): number => {
    let count = 0;
    for (const id of ids) {
      const item = items.get(id);
      if (!item || item.forgotten !== undefined) continue;
      items.set(id, { ...item, content: "", masked: [], forgotten: now() });
      count++;
    }
    return count;
  };

  /** Whole conversations, with the pieces that no other one has. */
  const takeAway = (isLeaving: (name: string, about: string | undefined) => boolean): Removed => {
    const leaving = [...conversations].filter(([name, { about }]) => isLeaving(name, about));
    for (const [name] of leaving) conversations.delete(name);
    const kept = new Set([...conversations.values()].flatMap(({ ids }) => [...ids]));
    const ids = leaving.flatMap(([, shelf]) => [...shelf.ids]).filter((id) => !kept.has(id));
    const own = leaving.filter(([, { about }]) => about === undefined);
    return { conversations: own.length, items: erase(ids) };
  };

  const forgetConversations = (names: ReadonlySet<string>): Removed =>
    takeAway((name, about) => names.has(name) || (about !== undefined && names.has(about)));

  const forgetTenant = (tenant: string): Removed => {
    const begins = namesOfTenant(tenant);
    const isTenants = (name: string): boolean => begins.some((begin) => name.startsWith(begin));
    return takeAway((name, about) => isTenants(name) || (about !== undefined && isTenants(about)));
  };

  const forgetItems = (ids: readonly string[]): Removed => {
    const holders = new Map([...conversations].filter(([, shelf]) => ids.some((id) => shelf.ids.has(id))));
    const shelves = [...holders.values()];
    const messages = shelves.flatMap((shelf) => [...shelf.messages.values()]);
    const pieces = shelves
      .flatMap((shelf) => [...shelf.ids])
      .flatMap((id) => (items.get(id)?.kind === "text" ? [{ id, text: items.get(id)!.content }] : []));
    const erased = heldTogether(ids, { messages, pieces });
    for (const shelf of conversations.values()) {
      for (const [key, { id }] of shelf.messages) if (erased.has(id)) shelf.messages.delete(key);
    }
    const beside = takeAway((_, about) => about !== undefined && holders.has(about));
    return { conversations: 0, items: erase(erased) + beside.items };
  };

  const forget = (what: Forget): Removed => {
    if ("conversation" in what) return forgetConversations(new Set([what.conversation]));
    return "tenant" in what ? forgetTenant(what.tenant) : forgetItems(what.ids);
  };

  const counted = (removed: Removed): Removed => {
    if (removed.conversations + removed.items > 0) erasures++;
    return removed;
  };

  const retain = ({ before = -Infinity, maxBytes = Infinity }: RetentionLimits): Removed => {
    const oldestFirst = [...conversations].toSorted(([, left], [, right]) => left.lastAt - right.lastAt);
    const removed = forgetConversations(
      new Set(oldestFirst.filter(([, { lastAt }]) => lastAt < before).map(([conversation]) => conversation)),
    );
    return oldestFirst.reduce((sum, [conversation]) => {
      if (!conversations.has(conversation) || storedBytes() <= maxBytes) return sum;
      const more = forgetConversations(new Set([conversation]));
      return { conversations: sum.conversations + more.conversations, items: sum.items + more.items };
    }, removed);
  };

  const storedBytes = (): number => {
    const texts = [...conversations.values()].flatMap(({ messages }) => [...messages.values()]);
    return bytesIn([...texts.map(({ text }) => text), ...[...items.values()].map(({ content }) => content)]);
  };

  const stat = (): ArchiveStat => {
    const live = [...items.values()].filter(({ forgotten }) => forgotten === undefined);
    const bytesOf = new Map<string, number>();
    for (const [name, { about = name, ids, messages }] of conversations) {
      const texts = [
        ...[...messages.values()].map(({ text }) => text),
        ...[...ids].map((id) => items.get(id)?.content ?? ""),
      ];
      bytesOf.set(about, (bytesOf.get(about) ?? 0) + bytesIn(texts));
    }
    const bytes = storedBytes();
    return {
      items: live.length,
      forgotten: items.size - live.length,
      contentBytes: bytes,
      storedBytes: bytes,
      bytesOf,
    };
  };

  const shelvesOf = (holder: Holder): readonly Shelf[] =>
    [...conversations]
      .filter(([name]) => (typeof holder === "string" ? name === holder : isOfTenant(name, holder.tenant)))
      .map(([, shelf]) => shelf);

  const messagesOf = (conversation: string): readonly PlacedMessage[] => [
    ...(conversations.get(conversation)?.messages.values() ?? []),
  ];

  const checkpoint = (conversation: string): Checkpoint | undefined => {
    const states = conversations.get(conversation)?.states.filter(({ id }) => isLive(id)) ?? [];
    const newest = states.toSorted((left, right) => left.at - right.at).at(-1);
    return newest && { conversation, at: newest.at, state: items.get(newest.id)!.content };
  };

  const verify = () =>
    verifyStore({
      items: each(items.values()),
      compactions: each([...conversations.values()].flatMap(({ compactions }) => [...compactions.values()])),
      known: async (ids) => new Set(ids.filter((id) => items.has(id))),
      ownFaults: async () => [],
    });

  return {
    name,
    put: open(put),
    get: open((id: string) => items.get(id)),
    getMany: open((ids: readonly string[]) => ids.map((id) => items.get(id))),
    held: open((holder: Holder, ids: readonly string[]) => {
      const shelves = shelvesOf(holder);
      return new Set(ids.filter((id) => shelves.some((shelf) => shelf.ids.has(id))));
    }),
    candidates: open((query) => searchMessages([...conversations.keys()].flatMap(messagesOf), query)),
    messages: open((conversation, { from = 0, to = Infinity } = {}) =>
      messagesOf(conversation)
        .filter(({ position }) => position >= from && position <= to)
        .toSorted((left, right) => left.position - right.position)
        .map(({ conversation: _, ...message }): ArchivedMessage => message),
    ),
    conversations: open(() =>
      [...conversations]
        .filter(([id]) => !id.startsWith(UNLISTED_PREFIX))
        .map(([id, { messages, compactions, firstAt, lastAt }]) => ({
          id,
          messages: messages.size,
          compactions: compactions.size,
          firstAt,
          lastAt,
        })),
    ),
    compactions: open((conversation: string) =>
      [...(conversations.get(conversation)?.compactions.values() ?? [])].toSorted((a, b) => a.at - b.at),
    ),
    compaction: open(compactionOf),
    checkpoint: open(checkpoint),
    checkpoints: open((names: readonly string[]) =>
      [...new Set(names)].flatMap((conversation) => checkpoint(conversation) ?? []),
    ),
    forget: open((what: Forget) => {
      const removed = forget(what);
      return isOfUnlisted(what) ? removed : counted(removed);
    }),
    retain: open((retention: RetentionLimits) => counted(retain(retention))),
    erasures: open(() => erasures),
    verify: open(verify),
    stat: open(stat),
    close: async () => {
      closed = true;
    },
  };
}

/** What a conversation has. */
interface Shelf {
  /** The conversation that it goes with. */
  about?: string | undefined;
  readonly ids: Set<string>;
  readonly messages: Map<string, PlacedMessage>;
  readonly compactions: Map<string, CompactionRecord>;
  readonly states: { readonly at: number; readonly id: string }[];
  firstAt: number;
  lastAt: number;
}

function emptyShelf(at: number): Shelf {
  return { ids: new Set(), messages: new Map(), compactions: new Map(), states: [], firstAt: at, lastAt: at };
}

function bytesIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

async function* each<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  yield* values;
}
