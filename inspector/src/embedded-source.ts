/**
 * embeddedSource: answers from the data inside an exported page. Lists are there whole, under their route without the
 * part after `?`; what needs a server (search, preview, apply, undo) is refused in plain words.
 */
import type { ExportedAnswers, ItemView, MessageView } from "../../src/inspect/views.ts";
import type { Source } from "./source.ts";

export function embeddedSource(answers: ExportedAnswers): Source {
  const get = async <T>(route: string): Promise<T> => {
    const value = answers[route];
    if (value === undefined) throw new Error("This is not in the exported page.");
    return value as T;
  };
  const refused = async (): Promise<never> => {
    throw new Error(
      "An exported page shows what it was given. Open the archive with `pith inspect` for this.",
    );
  };
  return {
    session: () => get("api/session"),
    conversations: () => get("api/conversations"),
    conversation: (id) => get(`api/conversations/${encodeURIComponent(id)}`),
    messages: async (id, from, count) => {
      const all = await get<readonly MessageView[]>(`api/conversations/${encodeURIComponent(id)}/messages`);
      return all.slice(from, from + count);
    },
    compaction: (id) => get(`api/compactions/${encodeURIComponent(id)}`),
    preview: refused,
    apply: refused,
    undo: refused,
    search: refused,
    item: async (id, from, count) => {
      const all = await get<ItemView>(`api/items/${encodeURIComponent(id)}`);
      return { ...all, from, lines: all.lines.slice(from, from + count) };
    },
    cost: (conversation) => get(`api/cost/${encodeURIComponent(conversation)}`),
    live: () => () => {},
  };
}
