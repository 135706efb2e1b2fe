/** Message facts: what the views tell of a stored message, read and counted once for as long as it is asked for. */
import type { Archive, StoredItem } from "../archive/archive.ts";
import { type Message, textOfMessage } from "../conversation/message.ts";
import { bodyOfSources } from "../providers/body-of-sources.ts";
import { readConversation } from "../providers/detect.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { kindTokens, mainKind, noTokens } from "./token-kinds.ts";
import type { KindTokens, SideView } from "./views.ts";

export interface ShownFacts extends Pick<SideView, "role" | "kind" | "tokens" | "text" | "chars"> {
  readonly kinds: KindTokens;
}

/** How much of a message a list shows. */
const PREVIEW_CHARS = 160;
/** More messages than any conversation that people look at; the oldest are read again when they are asked for. */
const REMEMBERED = 100_000;

export function factsOfMessage(message: Message, counter: TokenCounter): ShownFacts {
  const kinds = kindTokens(message, counter);
  const text = textOfMessage(message);
  return {
    role: message.role,
    kind: mainKind(kinds, message),
    kinds,
    tokens: counter.message(message),
    text: preview(text),
    chars: text.length,
  };
}

export interface FactsReader {
  /** In the order of the ids. What the archive no longer has, or what cannot be read, is empty. */
  readonly facts: (ids: readonly string[], format: string | undefined) => Promise<readonly ShownFacts[]>;
}

export function createFactsReader(archive: Archive, counter: TokenCounter): FactsReader {
  const known = new Map<string, ShownFacts>();
  return {
    facts: async (ids, format) => {
      const missing = [...new Set(ids)].filter((id) => !known.has(id));
      const messages = await messagesUnder(archive, missing, format);
      for (const [id, message] of messages) known.set(id, factsOfMessage(message, counter));
      const answer = ids.map((id) => known.get(id) ?? nothing);
      for (const id of known.keys()) {
        if (known.size <= REMEMBERED) break;
        known.delete(id);
      }
      return answer;
    },
  };
}

const nothing: ShownFacts = { role: "other", kind: "user", kinds: noTokens, tokens: 0, text: "", chars: 0 };

/** The messages that are stored under these ids, as far as they can be read. */
export async function messagesUnder(
  archive: Archive,
  ids: readonly string[],
  format: string | undefined,
): Promise<ReadonlyMap<string, Message>> {
  const found = await itemsOf(archive, ids);
  const items = found.filter((item): item is StoredItem => item !== undefined && item.content !== "");
  const together = readSources(
    items.map(({ content }) => content),
    format,
  );
  const messages =
    together?.length === items.length
      ? together
      : items.map(({ content }) => readSources([content], format)?.[0]);
  return new Map(
    items.flatMap(({ id }, at) => {
      const message = messages[at];
      return message ? [[id, message] as const] : [];
    }),
  );
}

export async function itemsOf(
  archive: Archive,
  ids: readonly string[],
): Promise<readonly (StoredItem | undefined)[]> {
  return archive.getMany ? archive.getMany(ids) : Promise.all(ids.map(archive.get));
}

/** Undefined where it is none that the format reads: what is stored may have been written by anybody. */
function readSources(sources: readonly string[], format: string | undefined): readonly Message[] | undefined {
  try {
    const body = bodyOfSources(sources, format ?? "");
    return readConversation(body, { format: format ?? "auto", isPart: true }).messages;
  } catch {
    return undefined;
  }
}

/** Never half a character. */
function preview(text: string): string {
  const cut = text.slice(0, PREVIEW_CHARS);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
