/** Exchange: one request of a client and its answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { responseOf } from "../http/fetch-through.ts";
import type { Account } from "./account.ts";
import { apiOf } from "./apis.ts";
import type { ArchiveHealth } from "./archive-health.ts";
import { callerOf } from "./caller.ts";
import { ClientGoneError } from "./faults.ts";
import { guardApi } from "./guard.ts";
import { type UpstreamHeaders, upstreamHeaders } from "./headers.ts";
import { heardUsage } from "./heard-usage.ts";
import type { HeldBodies } from "./held-bodies.ts";
import { isLoopback } from "./inspection.ts";
import type { Metrics } from "./metrics.ts";
import { exchangeWithModel } from "./model-exchange.ts";
import { passBack } from "./pass-back.ts";
import type { Preparation } from "./preparation.ts";
import { GatewayRefusal } from "./refusals.ts";
import { traceAccount } from "./request-spans.ts";
import type { RoomyBodies } from "./roomy-bodies.ts";
import type { GatewaySettings } from "./settings.ts";
import type { Summaries } from "./summaries/summaries.ts";
import { toldName } from "./told-name.ts";
import type { Trace } from "./tracing.ts";
import { pathAt, type UpstreamClient, UpstreamSilentError, upstreamFor } from "./upstream.ts";

export interface Exchanging {
  readonly settings: GatewaySettings;
  readonly client: UpstreamClient;
  readonly preparation: Preparation;
  readonly metrics: Metrics;
  readonly archiveHealth: ArchiveHealth;
  readonly roomyBodies: RoomyBodies;
  readonly held: HeldBodies;
  /** Absent where nobody writes summaries. */
  readonly summaries?: Summaries | undefined;
}

/** What a client asked, and where its answer goes. */
export interface ClientRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly requestId: string;
  readonly trace: Trace;
}

/** Sends a body to where the request went, with the client's own headers but those of one request, for no client. */
export type SendAgain = (body: string, signal: AbortSignal) => Promise<Response>;

export type Forward = (
  body: Buffer | IncomingMessage,
  how?: Pick<UpstreamHeaders, "isRead" | "isReplaced" | "isAnother">,
) => Promise<IncomingMessage>;

/** Rejects with a Refusal where the client should hear of it, and otherwise where there is nobody left to hear. */
export async function exchange(asked: ClientRequest, exchanging: Exchanging): Promise<Account> {
  const { incoming, outgoing, requestId, trace } = asked;
  const { host, allowHosts } = exchanging.settings;
  guardApi(incoming, { isLoopback: isLoopback(host), allowHosts });
  const tenant = callerOf(incoming, exchanging.settings.keys);
  const { forward, again, gone, upstreamMs } = forwarding(asked, exchanging);
  const usage = trace.isRecording ? heardUsage() : undefined;
  const api = apiOf(incoming.method, incoming.url ?? "");
  const answered = async (): Promise<Account> => {
    if (api) {
      const told = await exchangeWithModel(
        api,
        { ...asked, tenant, forward, again, gone, hear: usage?.hear },
        exchanging,
      );
      return { tenant, ...told };
    }
    const answer = await forward(incoming);
    await passBack(answer, outgoing, { requestId });
    return { api: "other", status: answer.statusCode ?? 0, tenant };
  };
  const account = { ...(await answered()), upstreamMs: upstreamMs() };
  traceAccount(trace, account, usage);
  return account;
}

/** Sends a body to the one upstream that the request may go to; the client's end ends that as well. */
function forwarding(
  { incoming, outgoing, requestId, trace }: ClientRequest,
  { settings, client, metrics }: Exchanging,
): {
  readonly forward: Forward;
  readonly again: SendAgain;
  readonly gone: AbortSignal;
  readonly upstreamMs: () => number;
} {
  const gone = new AbortController();
  const api = apiOf(incoming.method, incoming.url ?? "")?.name ?? "other";
  let waited = 0;
  outgoing.once("close", () => outgoing.writableFinished || gone.abort());
  const route = routeOf(incoming, settings);
  const { hostname, port, protocol } = route.url;
  const defaultPort = protocol === "https:" ? 443 : 80;
  const server = { "server.address": hostname, "server.port": Number(port) || defaultPort };
  const method = incoming.method ?? "GET";
  if (trace.isRecording)
    trace.set({ ...server, "http.request.method": method, "pith.request": toldName(requestId, incoming) });
  const again: SendAgain = async (text, signal) => {
    const body = Buffer.from(text);
    const headers = upstreamHeaders(incoming, {
      host: route.url.host,
      requestId: `${requestId}.summary`,
      body,
      isReplaced: true,
      isRead: true,
      isAnother: true,
    });
    const sending = {
      ...route,
      method,
      headers,
      body,
      idleMs: settings.upstreamIdleMs,
      isSafe: false,
      signal,
    };
    return responseOf(await client.send(sending));
  };
  const forward: Forward = async (body, how = {}) => {
    const span = trace.child("upstream", { asks: true, attributes: server });
    const headers = upstreamHeaders(incoming, {
      host: route.url.host,
      requestId,
      trace: span.headers(),
      ...how,
      ...(Buffer.isBuffer(body) && { body }),
    });
    const sending = {
      ...{ ...route, method, headers, body, idleMs: settings.upstreamIdleMs },
      isSafe: isSafe(incoming),
      signal: gone.signal,
    };
    const start = performance.now();
    try {
      const answer = await client.send(sending);
      const ms = performance.now() - start;
      waited += ms;
      metrics.observe("upstream_seconds", ms / 1000, api);
      span.set({ "http.response.status_code": answer.statusCode ?? 0 });
      if (span.isRecording) answer.once("close", () => span.end());
      return answer;
    } catch (cause) {
      span.end({ failure: cause });
      if (gone.signal.aborted) throw new ClientGoneError({ cause });
      const code = cause instanceof UpstreamSilentError ? "upstream_silent" : "upstream_failed";
      const why = (cause as Error).message;
      throw new GatewayRefusal(code, `${route.url.host} does not answer: ${why}`, { cause });
    }
  };
  return { forward, again, gone: gone.signal, upstreamMs: () => Math.round(waited * 10) / 10 };
}

const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS"]);

/** An idempotency key makes nothing safe: whether the provider heeds it, nobody knows. */
function isSafe({ method, url = "" }: IncomingMessage): boolean {
  return SAFE_METHODS.has(method) || apiOf(method, url)?.name === "count-tokens";
}

function routeOf({ url: target = "", headers }: IncomingMessage, { upstreams }: GatewaySettings) {
  const url = upstreamFor(upstreams, target, headers);
  if (!url) throw new GatewayRefusal("no_upstream", "there is no upstream for this API. See --upstream.");
  if (url === "foreign-key")
    throw new GatewayRefusal(
      "bad_request",
      "the key is of another provider than this API; it was not sent on.",
    );
  const path = pathAt(url, target);
  if (path === undefined) throw new GatewayRefusal("bad_request", "this is no path of the upstream.");
  return { url, path };
}
