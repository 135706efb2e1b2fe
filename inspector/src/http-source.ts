/** httpSource: asks the server that the page came from. Addresses are relative, so that it may stand under any prefix. */
import type { ConversationRow, ErrorView } from "../../src/inspect/views.ts";
import type { Source } from "./source.ts";

export function httpSource(): Source {
  return {
    session: () => get("api/session"),
    conversations: (signal) => get("api/conversations", signal),
    conversation: (id, signal) => get(`api/conversations/${encodeURIComponent(id)}`, signal),
    messages: (id, from, count) =>
      get(`api/conversations/${encodeURIComponent(id)}/messages?from=${from}&count=${count}`),
    compaction: (id, signal) => get(`api/compactions/${encodeURIComponent(id)}`, signal),
    preview: (body, signal) => post("api/preview", body, signal),
    apply: (body) => post("api/apply", body),
    undo: (compaction) => post("api/undo", { compaction }),
    search: (query, signal) => get(`api/search?${new URLSearchParams(query)}`, signal),
    item: (id, from, count, signal) =>
      get(`api/items/${encodeURIComponent(id)}?from=${from}&count=${count}`, signal),
    cost: (conversation, window, signal) =>
      get(
        `api/cost/${encodeURIComponent(conversation)}${window === undefined ? "" : `?window=${window}`}`,
        signal,
      ),
    live: (onRow) => {
      const events = new EventSource("api/live");
      events.addEventListener("row", (event) => onRow(JSON.parse(event.data) as ConversationRow));
      return () => events.close();
    },
  };
}

function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return answer<T>(fetch(path, signal ? { signal } : {}));
}

function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const headers = { "content-type": "application/json" };
  return answer<T>(
    fetch(path, { method: "POST", headers, body: JSON.stringify(body), ...(signal && { signal }) }),
  );
}

/** Throws an Error with the sentence that the server gave. */
async function answer<T>(asked: Promise<Response>): Promise<T> {
  let response: Response;
  try {
    response = await asked;
  } catch (cause) {
    if ((cause as Error).name === "AbortError") throw cause;
    throw new Error("The server does not answer. Is `pith inspect` still running?", { cause });
  }
  const value = await answeredValue(response);
  if (response.ok) return value as T;
  const message = (value as Partial<ErrorView> | undefined)?.error?.message;
  throw new Error(message ?? `The server answered ${response.status} ${response.statusText}.`);
}

/** Parsing much and then drawing it would hold the page up: in between, it may do what else is due. */
async function answeredValue(response: Response): Promise<unknown> {
  const text = await response.text();
  const value = parsed(text);
  if (text.length > 200_000) await new Promise((resolve) => setTimeout(resolve));
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
