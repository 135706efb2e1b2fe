/** Conversation rows: the list of all conversations. Sizes are counted a few at a time: an archive may hold thousands. */
import type { Archive, ConversationInfo } from "../archive/archive.ts";
import { RECALL_EXPAND, RECALL_SEARCH } from "../recall/tools.ts";
import type { ConversationRow } from "./views.ts";

/** What takes reading a conversation to know. */
export type Sized = Pick<
  ConversationRow,
  "tokens" | "window" | "fill" | "recallUsed" | "errors" | "lastError"
>;

export interface ConversationRows {
  /** Newest first. Those that are not sized yet, and those that grew since, are sized now, as far as the time goes. */
  readonly rows: () => Promise<readonly ConversationRow[]>;
}

export interface RowsOptions {
  readonly archive: Archive;
  readonly size: (conversation: string) => Promise<Sized>;
  /** How long one answer may go on sizing. Milliseconds. */
  readonly patienceMs: number;
}

export function createConversationRows({ archive, size, patienceMs }: RowsOptions): ConversationRows {
  const sizes = new Map<string, { readonly version: string; readonly sized: Sized }>();
  return {
    rows: async () => {
      const infos = (await archive.conversations?.()) ?? [];
      const own = infos.filter(isConversation).sort((one, other) => other.lastAt - one.lastAt);
      const end = performance.now() + patienceMs;
      for (const info of own) {
        if (performance.now() > end) break;
        const version = versionOf(info);
        if (sizes.get(info.id)?.version === version) continue;
        sizes.set(info.id, { version, sized: await size(info.id) });
      }
      const there = new Set(own.map(({ id }) => id));
      for (const id of sizes.keys()) if (!there.has(id)) sizes.delete(id);
      return own.map((info) => ({ ...info, ...sizes.get(info.id)?.sized }));
    },
  };
}

/** How often an agent asked for what had left its context. */
export function recallsIn(
  messages: readonly { readonly role: string; readonly tools: readonly string[] }[],
): number {
  return messages.filter(
    ({ role, tools }) =>
      role === "assistant" && tools.some((tool) => tool === RECALL_SEARCH || tool === RECALL_EXPAND),
  ).length;
}

/** An archive keeps states under other names as well. */
function isConversation({ messages, compactions }: ConversationInfo): boolean {
  return messages > 0 || compactions > 0;
}

function versionOf({ messages, compactions, lastAt }: ConversationInfo): string {
  return `${messages} ${compactions} ${lastAt}`;
}
