/** The inspector over HTTP: the page, the API below it and the stream of live rows, for those who may look. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { readWhole } from "../http/read-whole.ts";
import { parsedJson } from "../json/wire-value.ts";
import type { Access } from "./access.ts";
import type { AnswerRoute } from "./answer-route.ts";
import { entrancePage } from "./entrance-page.ts";
import { type LiveRows, streamRows } from "./live-rows.ts";
import type { PageFiles } from "./page-files.ts";
import { errorAnswer, InspectRefusal } from "./refusal.ts";
import { type ServedAt, sameOriginProblem } from "./same-origin.ts";

export interface HandlerOptions extends ServedAt {
  readonly access: Access;
  /** Where it is mounted, such as "/" or "/inspect/". */
  readonly prefix: string;
  readonly page: () => PageFiles;
  /** The answers that a tenant gets. */
  readonly answersFor: (tenant: string) => AnswerRoute;
  readonly liveFor: (tenant: string) => LiveRows;
  /** Ends what would else go on as long as a page is open. */
  readonly stopped: AbortSignal;
  /** How a visitor comes in: by the link that was printed, or by a key typed into a form. */
  readonly entrance: "link" | "key";
  /** Hears of faults of the program itself. */
  readonly log: (line: string) => void;
}

/** Never rejects. Every answer says that nothing of it may be run, framed, sniffed or told to others. */
export type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** More than any plan with its hand-off takes. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

const PAUSE_MS = 5;

const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
} as const;

export function createHandler(options: HandlerOptions): Handler {
  return async (incoming, outgoing) => {
    try {
      await answer(incoming, outgoing, options);
    } catch (error) {
      const { status, body } = errorAnswer(error);
      if (status === 500)
        options.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      if (outgoing.headersSent) outgoing.destroy();
      else sendJson(outgoing, status, body);
    }
  };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: HandlerOptions,
): Promise<void> {
  const { access, prefix } = options;
  const problem = sameOriginProblem(incoming, options);
  if (problem !== undefined) throw new InspectRefusal("FORBIDDEN", problem);
  const url = new URL(incoming.url ?? "/", "http://inspector");
  if (`${url.pathname}/` === prefix) return redirect(outgoing, prefix);
  const path = url.pathname.slice(prefix.length);
  const isApi = path.startsWith("api/");
  const method = incoming.method ?? "GET";
  // A key is typed into the form alone: addresses are kept by browsers, proxies and logs.
  if (path === "" && method === "GET" && options.entrance === "link") {
    const token = url.searchParams.get("token");
    const cookie = token === null ? undefined : access.enter(token, incoming.socket.remoteAddress);
    if (cookie !== undefined && cookie !== "limited") return redirect(outgoing, prefix, cookie);
  }
  if (path === "enter" && method === "POST" && options.entrance === "key")
    return enter(incoming, outgoing, options);
  const tenant = access.tenantOf(incoming);
  if (tenant === undefined) {
    if (isApi) throw new InspectRefusal("UNAUTHORIZED", "Open the inspector by its link first.");
    return sendEntrance(outgoing, entrancePage(options.entrance));
  }
  if (url.searchParams.has("token")) return redirect(outgoing, prefix);
  if (path === "api/live" && method === "GET")
    return streamRows(outgoing, options.liveFor(tenant), { headers: HEADERS, stopped: options.stopped });
  if (!isApi) return sendFile(outgoing, method, path, options.page());
  const body = method === "POST" ? await readJson(incoming) : undefined;
  // A slider asks for many plans and drops all but the last: a moment to hear that a page no longer waits.
  if (method === "POST") await setTimeout(PAUSE_MS);
  if (outgoing.destroyed) return;
  const value = await options.answersFor(tenant)({
    method,
    path: path.split("/").map(decoded),
    query: Object.fromEntries(url.searchParams),
    ...(body !== undefined && { body }),
  });
  sendJson(outgoing, 200, value);
}

/** A key that was typed into the form. */
async function enter(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: HandlerOptions,
): Promise<void> {
  const bytes = await readWhole(incoming, 10_000);
  const key = new URLSearchParams(bytes?.toString() ?? "").get("key") ?? "";
  const cookie = options.access.enter(key, incoming.socket.remoteAddress);
  if (cookie === "limited") {
    const problem =
      "Too many wrong keys came from your address, and this is one more. Try again in a minute.";
    return sendEntrance(outgoing, entrancePage("key", problem), 429);
  }
  if (cookie === undefined)
    return sendEntrance(outgoing, entrancePage("key", "The gateway does not know this key."));
  redirect(outgoing, options.prefix, cookie);
}

function sendFile(outgoing: ServerResponse, method: string, path: string, page: PageFiles): void {
  if (method !== "GET" && method !== "HEAD")
    throw new InspectRefusal("WRONG_METHOD", "This address takes GET.");
  const name = path === "" ? "index.html" : path;
  const file = page.get(name);
  if (!file) throw new InspectRefusal("NOT_FOUND", "There is nothing at this address.");
  const cache = name === "index.html" ? "no-store" : "no-cache";
  outgoing.writeHead(200, { ...HEADERS, "content-type": file.type, "cache-control": cache }).end(file.bytes);
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/i.test(incoming.headers["content-type"] ?? ""))
    throw new InspectRefusal("BAD_REQUEST", "Give the body as application/json.");
  const bytes = await readWhole(incoming, MAX_BODY_BYTES);
  if (!bytes) throw new InspectRefusal("TOO_LARGE", `A body may have ${MAX_BODY_BYTES} bytes at most.`);
  const value = parsedJson(bytes.toString());
  if (value === undefined) throw new InspectRefusal("BAD_REQUEST", "The body is no JSON.");
  return value;
}

function sendJson(outgoing: ServerResponse, status: number, value: unknown): void {
  outgoing.writeHead(status, { ...HEADERS, "content-type": "application/json", "cache-control": "no-store" });
  outgoing.end(JSON.stringify(value));
}

function sendEntrance(outgoing: ServerResponse, html: string, status = 401): void {
  outgoing
    .writeHead(status, {
      ...HEADERS,
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
    })
    .end(html);
}

function redirect(outgoing: ServerResponse, location: string, cookie?: string): void {
  outgoing
    .writeHead(303, {
      ...HEADERS,
      location,
      "cache-control": "no-store",
      ...(cookie !== undefined && { "set-cookie": cookie }),
    })
    .end();
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    throw new InspectRefusal("BAD_REQUEST", "The address is not encoded as addresses are.");
  }
}
