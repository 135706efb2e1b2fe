/** The upstream of the load, in a process of its own: answers at once, and counts afterwards what was over the window. */
import { hash } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { plainCount } from "../test/independent-count.ts";

export interface LoadCounts {
  readonly requests: number;
  /** Requests that a model with this window would have refused. */
  readonly overWindow: number;
  /** The largest request, in tokens. */
  readonly largest: number;
  /** Requests whose body could not be read. */
  readonly broken: number;
}

const window = Number(process.argv[2]);
const counts = { requests: 0, overWindow: 0, largest: 0, broken: 0 };
/** Texts that were counted, by their hash. */
const known = new Map<string, number>();
const MOST_KNOWN = 200_000;
const uncounted: Buffer[] = [];

const server = http.createServer((incoming, outgoing) => {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("error", () => {});
  incoming.once("end", () => {
    const id = counts.requests++;
    const call = { name: "read_file", arguments: JSON.stringify({ path: `src/module${id}.ts` }) };
    const message = {
      role: "assistant",
      content: `Next is module ${id}: the last one says where its values come from.`,
      tool_calls: [{ id: `call_${id}`, type: "function", function: call }],
    };
    const choices = [{ index: 0, message, finish_reason: "tool_calls" }];
    const text = JSON.stringify({ id: `a${id}`, object: "chat.completion", created: 1, model: "m", choices });
    outgoing.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    });
    outgoing.end(text);
    const bytes = Buffer.concat(chunks);
    // A token has a byte at least.
    if (bytes.length > window) uncounted.push(bytes);
    setImmediate(countNext);
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

process.on("message", () => {
  while (uncounted.length > 0) countNext();
  process.send?.(counts satisfies LoadCounts);
});

function countNext(): void {
  const bytes = uncounted.shift();
  if (!bytes) return;
  try {
    const { messages, tools } = JSON.parse(bytes.toString()) as { messages: object[]; tools?: object[] };
    const tokens = [...messages.flatMap(textsOf), JSON.stringify(tools ?? "")]
      .map(counted)
      .reduce((sum, each) => sum + each, 4 * messages.length);
    counts.largest = Math.max(counts.largest, tokens);
    if (tokens > window) counts.overWindow++;
  } catch {
    counts.broken++;
  }
}

function textsOf(message: { readonly content?: unknown; readonly tool_calls?: unknown }): readonly string[] {
  const { content, tool_calls: calls } = message;
  const said = typeof content === "string" ? content : JSON.stringify(content ?? "");
  return calls === undefined ? [said] : [said, JSON.stringify(calls)];
}

function counted(text: string): number {
  const key = hash("sha256", text);
  const tokens = known.get(key) ?? plainCount(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, tokens);
  return tokens;
}
