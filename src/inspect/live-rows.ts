/** Live rows: the conversations that changed, sent as they change, for as long as somebody listens. */
import type { ServerResponse } from "node:http";
import { InspectRefusal } from "./refusal.ts";
import type { ConversationRow } from "./views.ts";

export interface LiveRows {
  /** Sends all rows once, since some may have changed after the page got its list, and then those that change. Stops when told. */
  readonly listen: (send: Listener) => () => void;
}

type Listener = (rows: readonly ConversationRow[]) => void;

/** How often the archive is asked; each listener of the same rows shares the answer. */
const EVERY_MS = 2_000;
const MOST_LISTENERS = 32;

export function createLiveRows(
  read: () => Promise<readonly ConversationRow[]>,
  log: (line: string) => void,
): LiveRows {
  /** Whether they have the rows already. */
  const listeners = new Map<Listener, { isNew: boolean }>();
  let known: ReadonlyMap<string, string> = new Map();
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    const rows = await read();
    const before = known;
    const texts = new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
    known = texts;
    const changed = rows.filter(({ id }) => before.get(id) !== texts.get(id));
    for (const [send, listener] of listeners) {
      send(listener.isNew ? rows : changed);
      listener.isNew = false;
    }
  };
  const again = (): void => {
    look()
      .catch((error: Error) => log(error.message))
      .finally(() => {
        timer = listeners.size > 0 ? setTimeout(again, EVERY_MS).unref() : undefined;
      });
  };
  return {
    listen: (send) => {
      if (listeners.size >= MOST_LISTENERS)
        throw new InspectRefusal("BAD_REQUEST", "Too many pages listen already.");
      listeners.set(send, { isNew: true });
      if (listeners.size === 1 && !timer) again();
      return () => void listeners.delete(send);
    },
  };
}

/** As server-sent events; ends when the page goes away, or the server. */
export function streamRows(
  outgoing: ServerResponse,
  live: LiveRows,
  { headers, stopped }: { readonly headers: Readonly<Record<string, string>>; readonly stopped: AbortSignal },
): void {
  const stop = live.listen((rows) => {
    for (const row of rows) outgoing.write(`event: row\ndata: ${JSON.stringify(row)}\n\n`);
  });
  outgoing.writeHead(200, { ...headers, "content-type": "text/event-stream", "cache-control": "no-store" });
  outgoing.write("retry: 2000\n\n");
  const end = (): void => {
    stop();
    outgoing.end();
  };
  stopped.addEventListener("abort", end, { once: true });
  outgoing.once("close", () => {
    stop();
    stopped.removeEventListener("abort", end);
  });
}
