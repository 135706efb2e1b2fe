/** VectorIndex: the passages of an archive's messages as vectors, so that a question finds what it shares no word with. */
import type { Archive, ArchivedMessage, SearchScope } from "../archive/archive.ts";
import { saidIn } from "../archive/own-words.ts";
import { isOfTenant } from "../archive/tenant.ts";
import type { Embedder } from "./embedder.ts";
import type { Passage } from "./passages.ts";
import { piecesOf } from "./pieces.ts";

/** A message by its place, with how near its nearest passage is to the question. */
export interface NearMessage {
  readonly conversation: string;
  readonly position: number;
  readonly id: string;
  /** The cosine of the angle between both: 1 for the same meaning, about 0 for none in common. */
  readonly cosine: number;
  readonly passage: Passage;
}

export interface VectorIndex {
  /** Embeds what the archive has and the index has not, of one conversation or of all. The first time takes long. */
  readonly update: (conversation?: string) => Promise<void>;
  /** The nearest messages, nearest first, and the cosines of those in `also`. */
  readonly nearest: (question: string, options: NearestOptions) => Promise<readonly NearMessage[]>;
}

export interface NearestOptions {
  readonly limit: number;
  readonly scope?: SearchScope;
  /** Keys (see `placeKey`) of messages that are given whatever their place. */
  readonly also?: ReadonlySet<string>;
}

/** Held in memory, four bytes a dimension: for archives of up to some hundred thousand messages. */
export function createVectorIndex(archive: Archive, embed: Embedder): VectorIndex {
  const shelves = new Map<string, Shelf>();

  const updateConversation = async (conversation: string): Promise<void> => {
    const shelf = shelves.get(conversation) ?? { messages: new Map() };
    shelves.set(conversation, shelf);
    const stored = (await archive.messages?.(conversation)) ?? [];
    const now = stored.map((message) => ({ ...message, text: saidIn(message) }));
    const keys = now.map((message) => placeKey({ conversation, ...message }));
    const there = new Set(keys);
    for (const key of shelf.messages.keys()) if (!there.has(key)) shelf.messages.delete(key);
    const fresh = now.flatMap(({ text, ...message }, at) => {
      const key = keys[at]!;
      if (shelf.messages.has(key)) return [];
      const held: Held = { message, passages: [] };
      return [{ key, held, pieces: piecesOf({ text, tools: message.tools }, now[at - 1]) }];
    });
    const pieces = fresh.flatMap(({ held, pieces: own }) => own.map((piece) => ({ held, ...piece })));
    for (let at = 0; at < pieces.length; at += BATCH) {
      const batch = pieces.slice(at, at + BATCH);
      const vectors = await embed(batch.map(({ text }) => text));
      for (const [order, { held, passage }] of batch.entries()) {
        held.passages.push({ passage, vector: unit(vectors[order]!) });
      }
    }
    // Entered when all is embedded: what failed half-way is done again the next time.
    for (const { key, held } of fresh) shelf.messages.set(key, held);
  };

  const update = async (conversation?: string): Promise<void> => {
    if (conversation !== undefined) return updateConversation(conversation);
    const known = (await archive.conversations?.()) ?? [];
    const names = new Set(known.map(({ id }) => id));
    for (const name of shelves.keys()) if (!names.has(name)) shelves.delete(name);
    for (const { id, messages } of known) {
      if (shelves.get(id)?.messages.size !== messages) await updateConversation(id);
    }
  };

  const nearest = async (
    question: string,
    { limit, scope = {}, also = new Set() }: NearestOptions,
  ): Promise<readonly NearMessage[]> => {
    const without = new Set(scope.without);
    const asked = unit((await embed([question]))[0]!);
    const found: NearMessage[] = [];
    const wanted: NearMessage[] = [];
    for (const [conversation, shelf] of shelves) {
      if (scope.conversation !== undefined && conversation !== scope.conversation) continue;
      if (scope.tenant !== undefined && !isOfTenant(conversation, scope.tenant)) continue;
      for (const [key, held] of shelf.messages) {
        const { position, id } = held.message;
        if (held.passages.length === 0 || without.has(id) || !isInScope(held.message, scope)) continue;
        const near = { conversation, position, id, ...nearestPassage(held.passages, asked) };
        (also.has(key) ? wanted : found).push(near);
      }
    }
    return [...found.toSorted(byCosine).slice(0, limit), ...wanted].toSorted(byCosine);
  };

  return { update, nearest };
}

/** Names a message's place, one for each branch of a conversation. */
export function placeKey(place: {
  readonly conversation: string;
  readonly position: number;
  readonly id: string;
}): string {
  return `${place.position} ${place.id} ${place.conversation}`;
}

const BATCH = 32;

interface Shelf {
  readonly messages: Map<string, Held>;
}

interface Held {
  readonly message: Omit<ArchivedMessage, "text">;
  readonly passages: { readonly passage: Passage; readonly vector: Float32Array }[];
}

function isInScope(
  { role, tools, at }: Omit<ArchivedMessage, "text">,
  { roles, tool, since = -Infinity, until = Infinity }: SearchScope,
): boolean {
  return (
    (roles === undefined || roles.includes(role)) &&
    (tool === undefined || tools.includes(tool)) &&
    at >= since &&
    at <= until
  );
}

function nearestPassage(
  passages: Held["passages"],
  asked: Float32Array,
): Pick<NearMessage, "cosine" | "passage"> {
  let best = { cosine: -1, passage: passages[0]!.passage };
  for (const { passage, vector } of passages) {
    const cosine = dot(asked, vector);
    if (cosine > best.cosine) best = { cosine, passage };
  }
  return best;
}

function byCosine(one: NearMessage, other: NearMessage): number {
  return other.cosine - one.cosine;
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length > 0 ? vector.map((value) => value / length) : vector;
}
