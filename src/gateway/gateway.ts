/** The gateway: an HTTP server between agents and their model's API that keeps each conversation inside the window. */

import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as TlsServer } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { OptionsError } from "../errors/options-error.ts";
import { reasonOf } from "../errors/reason-of.ts";
import { SAFETY_NET } from "../report/agent-report.ts";
import type { Account } from "./account.ts";
import { createArchiveHealth } from "./archive-health.ts";
import { countForTenant, seenBy } from "./count-tenant.ts";
import { exchange } from "./exchange.ts";
import { faultOf } from "./faults.ts";
import { createHeldBodies } from "./held-bodies.ts";
import { createInspection } from "./inspection.ts";
import { loadPackages } from "./load-packages.ts";
import type { Log } from "./log.ts";
import { maskArchive } from "./mask-archive.ts";
import { memoryShares } from "./memory-shares.ts";
import { createMetrics, type Sees } from "./metrics.ts";
import { createPreparations } from "./preparations.ts";
import { GatewayRefusal, refuse } from "./refusals.ts";
import { createRoomWarning } from "./room-warning.ts";
import { createRoomyBodies } from "./roomy-bodies.ts";
import type { GatewaySettings } from "./settings.ts";
import { createSummaries, type Summaries } from "./summaries/summaries.ts";
import { createListener, followTls } from "./tls.ts";
import { toldName } from "./told-name.ts";
import { createTracing } from "./tracing.ts";
import { createUpstreamClient } from "./upstream.ts";

export interface Gateway {
  /** Such as "http://127.0.0.1:7483". */
  readonly url: string;
  /** Opens the inspector once; absent where there is none, and where visitors bring their keys. */
  readonly inspectorUrl?: string;
  /** Reads the certificate and its key again; absent without TLS. */
  readonly reload?: () => void;
  /** Says that it is not ready, serves for the grace time, then takes no more, lets what is under way end, and closes. */
  readonly stop: () => Promise<void>;
  /** The same without the grace time. */
  readonly stopNow: () => Promise<void>;
}

/** Listens, and can compact, when it resolves. Throws OptionsError for an address that cannot be listened on, MissingPackageError. */
export async function startGateway(settings: GatewaySettings, log: Log): Promise<Gateway> {
  await loadPackages(settings);
  const metrics = createMetrics();
  const client = createUpstreamClient(settings.proxies);
  const roomyBodies = createRoomyBodies();
  const archiveHealth = createArchiveHealth(log);
  const { heldBytes, heapBytes, totalBytes } = memoryShares(settings);
  warnOfMemory(settings, totalBytes, log);
  const held = createHeldBodies(heldBytes);
  const tracing = await createTracing();
  const { summarizer, archive, template, summaryTokens, proxies } = settings;
  await maskArchive(archive, log);
  const summaries: Summaries | undefined =
    summarizer?.length && archive !== "none"
      ? createSummaries({ archive, summarizer, wish: { template, summaryTokens }, proxies }, log, metrics)
      : undefined;
  const preparation = createPreparations(settings.workers, {
    ...workerSettings(settings, heapBytes),
    summarizes: summaries !== undefined,
    onRestart: (reason) => {
      metrics.add("worker_restarts");
      log("error", "worker-restart", { reason });
    },
    onSummaryDue: (job) => summaries?.begin(job),
  });
  const inspection =
    settings.inspect && settings.archive !== "none" ? createInspection(settings, log) : undefined;
  const warnOfRoom = createRoomWarning(log, metrics);
  let isStopping = false;
  let inFlight = 0;

  const metricsText = (sees: Sees): string =>
    metrics.text({
      ...{ inFlight, waiting: preparation.waiting(), heldBytes: held.bytes(), sees },
      isArchiveUp: archiveHealth.isUp(),
    });

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const sees = () => seenBy(incoming, settings.keys);
    if (answerOwn(incoming, outgoing, { isStopping, metrics: () => metricsText(sees()) })) return;
    if (inspection?.answer(incoming, outgoing)) return;
    const start = performance.now();
    const requestId = requestIdOf(incoming);
    const request = toldName(requestId, incoming);
    const trace = tracing.begin(incoming.method ?? "GET", incoming.headers);
    inFlight++;
    try {
      const account = await exchange(
        { incoming, outgoing, requestId, trace },
        { settings, client, preparation, metrics, archiveHealth, roomyBodies, held, summaries },
      );
      trace.end(account.status >= 500 ? { failure: String(account.status) } : {});
      metrics.add("requests", { api: account.api, status: String(account.status) });
      countForTenant(account, metrics, settings.keys !== undefined);
      inspection?.note(account);
      const { prepared, ...rest } = account;
      const level = isTrouble(account) ? "warn" : "info";
      if (prepared) warnOfRoom(request, prepared);
      const { safetyNet: fill, conversation } = prepared ?? {};
      if (fill !== undefined) log("warn", SAFETY_NET, { request, conversation, fill });
      log(level, "request", { request, ...rest, ...prepared, ms: since(start) });
    } catch (error) {
      const fault = faultOf(error);
      const status = fail(outgoing, error, requestId);
      trace.set({ "http.response.status_code": status });
      trace.end({ failure: error });
      metrics.add("requests", { api: "failed", status: String(status) });
      metrics.add("faults", { fault });
      const level = fault === "client-gone" ? "info" : "warn";
      log(level, "request-failed", {
        request,
        status,
        fault,
        reason: reasonOf(error),
        ms: since(start),
      });
    } finally {
      inFlight--;
    }
  };

  const server = createListener(
    settings.tls,
    {
      maxHeaderSize: settings.maxHeaderBytes,
      headersTimeout: settings.headersTimeoutMs,
      requestTimeout: settings.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(30_000, settings.headersTimeoutMs),
      keepAliveTimeout: 65_000,
    },
    (incoming, outgoing) => {
      // A client that goes on with this connection would find it closed in the middle of a request.
      if (isStopping) outgoing.shouldKeepAlive = false;
      void answer(incoming, outgoing);
    },
  );
  try {
    await listen(server, settings);
  } catch (error) {
    await Promise.all([preparation.close(), summaries?.close()]);
    throw error;
  }
  await preparation.ready;
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : settings.port;
  const followed =
    settings.tls && server instanceof TlsServer ? followTls(server, settings.tls, log) : undefined;
  const url = `${settings.tls ? "https" : "http"}://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`;
  const stop = async (graceMs: number): Promise<void> => {
    isStopping = true;
    await sleep(graceMs);
    followed?.stop();
    inspection?.stop();
    await drain(server, settings.drainMs);
    await Promise.all([preparation.close(), summaries?.close(), inspection?.close()]);
    client.close();
  };
  return {
    url,
    ...(inspection?.link !== undefined && { inspectorUrl: url + inspection.link }),
    ...(followed && { reload: followed.reload }),
    stop: () => stop(settings.graceMs),
    stopNow: () => stop(0),
  };
}

/** The workers' heaps are for the longest body, whatever the process should stay below. */
function warnOfMemory(
  { memoryBytes, maxBodyBytes, workers }: GatewaySettings,
  total: number,
  log: Log,
): void {
  if (total <= memoryBytes) return;
  const reason = `${workers} workers and bodies of ${maxBodyBytes} bytes may take ${Math.ceil(total)} bytes. Give more --memory, fewer --workers or a smaller --max-body.`;
  log("warn", "memory", { memoryBytes, reason });
}

function workerSettings(settings: GatewaySettings, heapBytes: number) {
  const { archive, preset, window, windows, reserve, tools, deadlineMs, patienceMs, stuckAfterMs } = settings;
  return {
    stuckAfterMs,
    heapMB: Math.ceil(heapBytes / 1024 ** 2),
    archive,
    preset,
    window,
    windows,
    reserve,
    tools,
    deadlineMs,
    patienceMs,
    // A slow archive must leave time for the answer to that.
    archiveTimeoutMs: Math.ceil(deadlineMs / 2),
    archiveWriteTimeoutMs: Math.ceil(patienceMs / 3),
  };
}

interface Own {
  readonly isStopping: boolean;
  readonly metrics: () => string;
}

/** The gateway's own pages: whether it lives, whether it takes requests, and what it counted. */
function answerOwn({ method, url }: IncomingMessage, outgoing: ServerResponse, own: Own): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const say = (status: number, text: string): true => {
    outgoing.writeHead(status, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
    return true;
  };
  if (url === "/healthz") return say(200, "ok\n");
  if (url === "/readyz") return own.isStopping ? say(503, "stopping\n") : say(200, "ready\n");
  return url === "/metrics" && say(200, own.metrics());
}

/** What a client may have put into logs and headers is limited. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

function isTrouble({ prepared }: Account): boolean {
  return prepared?.outcome === "failed-open" || prepared?.outcome === "compacted-without-archive";
}

/** The status that the client got; 0 where there was no way to tell it anything. */
function fail(outgoing: ServerResponse, error: unknown, requestId: string): number {
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy();
    return 0;
  }
  const refusal =
    error instanceof GatewayRefusal
      ? error
      : new GatewayRefusal("upstream_failed", "the request could not be passed on.", { cause: error });
  return refuse(outgoing, refusal, requestId);
}

function listen(server: Server, { host, port }: GatewaySettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another program listens there already" : error.message;
      reject(new OptionsError("--port", `--host ${host} --port ${port}: ${why}. Give another address.`));
    });
    server.listen(port, host, resolve);
  });
}

async function drain(server: Server, drainMs: number): Promise<void> {
  const freed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose answer was under way would else stay open for the client's next request.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const patience = setTimeout(() => server.closeAllConnections(), drainMs);
  await freed;
  clearInterval(sweep);
  clearTimeout(patience);
}

function since(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10;
}
