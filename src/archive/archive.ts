/** Archive: the contract of a durable store. `put` and `get` are required; everything else is an optional power. */
import type { Role } from "../conversation/message.ts";

/**
 * `text`: what a shaped piece was. `message`: one message, as JSON text. `glue`: the rest of a request around its
 * messages. `span`, `request`: the ids of their pieces, in order, one a line (span-pieces.ts). `hand-off`, `plan`, `state`: as
 * JSON or text.
 */
export type ItemKind = "text" | "message" | "glue" | "span" | "request" | "hand-off" | "plan" | "state";

/**
 * A stored piece of content. Its id follows from its kind and content (see `itemId`), so the same piece is stored once. Only
 * where secrets were masked after it got its id does it follow from what was there before.
 */
export interface ArchiveItem {
  readonly id: string;
  readonly kind: ItemKind;
  /** As it is stored: secrets are masked already. */
  readonly content: string;
  /** The kinds of the secrets that were masked in it, in order. Empty for nearly every item. */
  readonly masked: readonly string[];
}

/** A message's place in a conversation. */
export interface ArchivedMessage {
  /** Counted from 0 over everything that was ever said in the conversation; a compaction does not renumber. */
  readonly position: number;
  /** The item of kind `message` that holds it. */
  readonly id: string;
  readonly role: Role;
  /** The tools that it calls or that it answers for. */
  readonly tools: readonly string[];
  /** What a person would search in: its text with calls and results, secrets masked. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** One compaction: all that is needed to look at it, to rebuild what was sent, and to undo it. */
export interface CompactionRecord {
  /** `pith:…`, made from the rest of the record. */
  readonly id: string;
  readonly conversation: string;
  readonly at: number;
  readonly preset: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Items of kind `request`: the whole bodies before and after. */
  readonly before: string;
  readonly after: string;
  /** The messages of both, in order: where each is in the conversation, -1 for one that Pith wrote, and its item. */
  readonly messagesBefore: readonly MessagePlace[];
  readonly messagesAfter: readonly MessagePlace[];
  readonly plan: string;
  readonly state: string;
  readonly handOff?: string;
  /** Every id that the body afterwards names. */
  readonly markers: readonly string[];
}

export interface MessagePlace {
  readonly position: number;
  readonly id: string;
}

/** What is written in one go: all of it or nothing, durable when `put` resolves. Writing the same twice changes nothing. */
export interface ArchiveWrite {
  readonly conversation: string;
  /**
   * The conversation that this one is about, be it stored or not: this one is erased with it. For what a door keeps for
   * itself beside a conversation. Stays as it is where a later write has none.
   */
  readonly about?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly items: readonly ArchiveItem[];
  /** Two branches of a conversation may have different messages in the same place: both stay. */
  readonly messages?: readonly ArchivedMessage[];
  readonly compaction?: CompactionRecord;
}

/** Declared only: no code makes one. */
declare class MadeReady implements ArchiveWrite {
  private constructor();
  /** Makes it a type of its own: no other has it, and a copy loses it. */
  protected readonly isReady: true;
  readonly conversation: string;
  readonly about?: string | undefined;
  readonly at: number;
  readonly items: readonly ArchiveItem[];
  readonly messages?: readonly ArchivedMessage[];
  readonly compaction?: CompactionRecord;
}

/**
 * A write as it may be stored, secrets masked. Only `readyWrite` makes one (ready-write.ts): an object of the same fields is none,
 * nor is a copy by spreading.
 */
export type ReadyWrite = MadeReady;

/** What to look for. The archive only finds candidates; `recall/` ranks them. */
export interface CandidateQuery {
  /** Any of these words, in any inflection; the more and the rarer, the better. Lower case, letters and digits only. */
  readonly words: readonly string[];
  /** Pieces of text that must not be stemmed, found also inside words: names, paths, numbers. */
  readonly fragments?: readonly string[];
  /** Candidates of each of the two kinds, at most. */
  readonly limit: number;
  readonly scope?: SearchScope;
}

export interface SearchScope {
  readonly conversation?: string;
  /** Only conversations of this tenant (see tenant.ts). */
  readonly tenant?: string;
  /** Messages that are not found, by their ids: they are of another branch. */
  readonly without?: readonly string[];
  readonly roles?: readonly Role[];
  readonly tool?: string;
  /** Milliseconds since the epoch, both inclusive. */
  readonly since?: number;
  readonly until?: number;
}

/** A message that was found. Its `text` is what somebody said in it (see `saidIn`); of Pith's own words nothing is found. */
export interface Candidate extends ArchivedMessage {
  readonly conversation: string;
  /**
   * By words: BM25 over all messages of the archive, the same in every kind of archive. 0 where others have the words better, or
   * only fragments were found.
   */
  readonly wordScore: number;
  /** By fragments: higher is better. Comparable within one answer only. */
  readonly fragmentScore: number;
}

export interface ConversationInfo {
  readonly id: string;
  readonly messages: number;
  readonly compactions: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/**
 * What is erased: one conversation, all that is of a tenant, or single items with every message that holds them. All that is
 * about the conversation, or about those that the items belong to, goes along: it may quote them.
 */
export type Forget =
  | { readonly conversation: string }
  | { readonly tenant: string }
  | { readonly ids: readonly string[] };

/** The name of a conversation, or all conversations of a tenant. */
export type Holder = string | { readonly tenant: string };

export interface RetentionLimits {
  /** Conversations that nothing was written to since then go first. Milliseconds since the epoch. */
  readonly before?: number;
  /** The stored content may take so many bytes; the longest untouched conversations go until it does. */
  readonly maxBytes?: number;
}

export interface Removed {
  /** Those that are only about another one are not counted. */
  readonly conversations: number;
  readonly items: number;
}

/** What an archive holds, in numbers. */
export interface ArchiveStat {
  /** Without those that were forgotten. */
  readonly items: number;
  readonly forgotten: number;
  /** Contents and searchable texts, compressed: what `retain` measures by `maxBytes`. */
  readonly contentBytes: number;
  /** What all of it takes where it is kept, indexes included. */
  readonly storedBytes: number;
  /** Bytes of content by conversation, with what is about it. What several conversations hold counts for each. */
  readonly bytesOf: ReadonlyMap<string, number>;
}

/** A place where the store is not what it should be. */
export interface ArchiveFault {
  readonly id: string;
  readonly problem: string;
}

export interface Verification {
  readonly items: number;
  readonly markers: number;
  readonly requests: number;
  /** Ids that were erased on purpose: they resolve to a note that says so. */
  readonly forgotten: number;
  readonly faults: readonly ArchiveFault[];
}

/** The state that an archive keeps for a conversation between two calls. */
export interface Checkpoint {
  readonly conversation: string;
  readonly at: number;
  /** JSON text of a CompactionState. */
  readonly state: string;
}

export interface Archive {
  /** Where it is, for people: a file name, a server and database; never a password. */
  readonly name: string;
  /**
   * Rejects with ArchiveError when not everything is durable; then nothing of it is visible. Called by `writeTo`, which masks
   * secrets: an archive is never given anything else, whoever made it.
   */
  readonly put: (write: ReadyWrite) => Promise<void>;
  /** The item of an id; undefined when the archive never had it. A forgotten item has content "" and `forgotten` set. */
  readonly get: (id: string) => Promise<StoredItem | undefined>;

  /** Several at once, in the order asked. */
  readonly getMany?: (ids: readonly string[]) => Promise<readonly (StoredItem | undefined)[]>;
  /** Which of these ids belong to a conversation, or to a tenant's: they were written with it, or something in it names them. */
  readonly held?: (holder: Holder, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly candidates?: (query: CandidateQuery) => Promise<readonly Candidate[]>;
  /** Messages of a conversation by position, `from` and `to` inclusive. */
  readonly messages?: (conversation: string, range?: MessageRange) => Promise<readonly ArchivedMessage[]>;
  /** All but those whose names are `unlisted`. */
  readonly conversations?: () => Promise<readonly ConversationInfo[]>;
  /** Oldest first. */
  readonly compactions?: (conversation: string) => Promise<readonly CompactionRecord[]>;
  readonly compaction?: (id: string) => Promise<CompactionRecord | undefined>;
  readonly checkpoint?: (conversation: string) => Promise<Checkpoint | undefined>;
  /** The checkpoints of those that have one, in any order; each conversation once. */
  readonly checkpoints?: (conversations: readonly string[]) => Promise<readonly Checkpoint[]>;
  /** Erases content and index for good. What named it then resolves to a note, and `verify` still passes. */
  readonly forget?: (what: Forget) => Promise<Removed>;
  /** Never removes what a live marker names: a conversation goes whole or stays whole. */
  readonly retain?: (retention: RetentionLimits) => Promise<Removed>;
  /**
   * How often something was erased by `forget` or `retain`, in any process. Whoever remembers what it read here drops it when
   * this has changed (see until-erased.ts). What is `unlisted` and was forgotten by its own name does not count.
   */
  readonly erasures?: () => Promise<number>;
  readonly verify?: () => Promise<Verification>;
  /** Reads the sizes of everything: for people, not for every request. */
  readonly stat?: () => Promise<ArchiveStat>;
  /** Copies one state of it to a file that is not there yet, while others read and write. */
  readonly backup?: (file: string) => Promise<void>;
  /**
   * Masks the secrets that an earlier version stored as they were, once for each archive; every id stays. Gives in how many
   * items and messages there were some. Done before the first `put`, if nobody asks for it sooner.
   */
  readonly maskOlder?: () => Promise<number>;
  readonly close?: () => Promise<void>;
}

/** One of those that come with Pith: it makes what it is given a ReadyWrite itself. */
export interface PithArchive extends Archive {
  readonly put: (write: ArchiveWrite) => Promise<void>;
}

export interface StoredItem extends ArchiveItem {
  /** When it was erased; milliseconds since the epoch. */
  readonly forgotten?: number;
}

export interface MessageRange {
  readonly from?: number;
  readonly to?: number;
}
