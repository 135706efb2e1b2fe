/** PreparedRequest: the body of one request, read as far as that is needed, and what becomes of it. */
import type { Api } from "./apis.ts";
import type { Exchanging } from "./exchange.ts";
import { modelNamedFirst } from "./limits.ts";
import type { BodyJob, Sendable } from "./preparation.ts";
import { plainBody } from "./request-body.ts";
import { tracePreparation, traceRequest } from "./request-spans.ts";
import { scopeOf } from "./roomy-bodies.ts";
import type { GatewaySettings } from "./settings.ts";
import { needsNoPreparation } from "./small-bodies.ts";
import type { Trace } from "./tracing.ts";
import { leastWindow, windowOf } from "./windows.ts";

export interface RequestBody {
  readonly body: Buffer;
  /** Makes room for what it has unpacked, or throws a GatewayRefusal. */
  readonly hold: (bytes: number) => void;
  /** How it is packed. */
  readonly encoding: string | undefined;
  readonly api: Api;
  readonly tenant: string;
  /** The name that the client gives the conversation. */
  readonly conversation?: string | undefined;
  readonly trace: Trace;
  /** The client's going. */
  readonly gone: AbortSignal;
}

export interface PreparedRequest {
  readonly first: () => Promise<Sendable>;
  /** The same once more, after the provider said that it was too long; undefined where nothing can be done. */
  readonly smaller: (said: string, sent: Sendable) => Promise<Sendable | undefined>;
  /**
   * What the client wrote, after the provider said of what was made of it that the messages do not belong together so; undefined
   * where nothing was made of it, or where it does not fit.
   */
  readonly asWritten: (sent: Sendable) => Promise<Sendable | undefined>;
  /** The request as a worker is given it; undefined where it cannot be read. */
  readonly job: () => Promise<BodyJob | undefined>;
}

export function prepareRequest(
  { body, hold, encoding, api, tenant, conversation, trace, gone }: RequestBody,
  { settings, preparation, metrics, roomyBodies, archiveHealth }: Exchanging,
): PreparedRequest {
  const known = {
    format: api.format,
    tenant,
    ...(conversation !== undefined && { conversation }),
    ...(api.name === "count-tokens" && { replayOnly: true }),
  };
  const scope = scopeOf(known);
  const isPacked = encoding !== undefined;
  const since = performance.now();
  let unpacking: Promise<Buffer | undefined> | undefined;
  const plain = (): Promise<Buffer | undefined> => {
    unpacking ??= plainBody(body, encoding, { maxBytes: settings.maxBodyBytes, hold });
    return unpacking;
  };

  const prepare = async (job: BodyJob): Promise<Sendable> => {
    const start = performance.now();
    const span = trace.child("prepare");
    const isRetry = job.overflow !== undefined;
    const prepared = await preparation.prepare(job, {
      surelyFits: !isRetry && surelyFits(job.bytes, settings),
      since: isRetry ? start : since,
      gone,
    });
    tracePreparation(span, prepared);
    metrics.observe("preparation_seconds", (performance.now() - start) / 1000);
    for (const { from, to } of prepared.writes ?? [])
      metrics.observe("archive_write_seconds", (to - from) / 1000);
    archiveHealth.note(prepared.archive, prepared.reason);
    metrics.add("preparations", { outcome: prepared.outcome });
    if (prepared.shed) metrics.add("shed", { reason: prepared.shed });
    const { tokensBefore = 0, tokensAfter = tokensBefore } = prepared;
    if (tokensAfter < tokensBefore) metrics.add("tokens_saved", {}, tokensBefore - tokensAfter);
    countWork(prepared, metrics);
    return prepared;
  };

  return {
    job: async () => {
      const bytes = await plain();
      return bytes && { ...known, bytes };
    },
    first: async () => {
      if (trace.isRecording) traceRequest(trace, api, String((await plain()) ?? ""));
      if (!isPacked && roomyBodies.has(scope, body)) return untouched;
      const bytes = await plain();
      if (!bytes || needsNoPreparation(bytes, settings)) return untouched;
      const prepared = await prepare({ ...known, bytes });
      if (prepared.room && !isPacked) roomyBodies.add(scope, body, prepared.room);
      return prepared;
    },
    smaller: async (said, sent) => {
      roomyBodies.remove(scope, body);
      const bytes = await plain();
      if (!bytes) return undefined;
      const prepared = await prepare({ ...known, bytes, overflow: said });
      return prepared.text === sent.text || prepared.outcome === "failed-open" ? undefined : prepared;
    },
    asWritten: async ({ outcome, conversation }) => {
      if (!CHANGED.has(outcome)) return undefined;
      const bytes = await plain();
      if (!bytes || !(await preparation.fits({ ...known, bytes }))) return undefined;
      return { outcome: "failed-open", reason: REFUSED, conversation };
    },
  };
}

/** From these a person sees that thresholds, the splitter or an agent misbehave (F90). */
function countWork({ cause, asked, stages = [] }: Sendable, metrics: Exchanging["metrics"]): void {
  if (cause !== undefined) metrics.add("compactions", { cause });
  if (asked !== undefined)
    metrics.add("agent_requests", { outcome: cause === "request" ? "honoured" : "declined" });
  for (const { stage, tokensSaved, sentences } of stages) {
    if (tokensSaved > 0) metrics.add("stage_tokens_saved", { stage }, tokensSaved);
    if (!sentences) continue;
    metrics.add("sentences", { fate: "kept" }, sentences.kept);
    metrics.add("sentences", { fate: "left out" }, sentences.total - sentences.kept);
  }
}

const untouched: Sendable = { outcome: "untouched" };

const CHANGED: ReadonlySet<Sendable["outcome"]> = new Set([
  "replayed",
  "compacted",
  "compacted-without-archive",
]);
const REFUSED =
  "The provider refused how the compacted messages are put together; they were sent as they came.";

/** A token has a byte at least, and at most a quarter of the window is kept free for the answer. */
function surelyFits(bytes: Uint8Array, settings: GatewaySettings): boolean {
  const model = modelNamedFirst(bytes);
  const window = model === undefined ? leastWindow(settings) : (windowOf(model, settings) ?? 0);
  return bytes.length < window * 0.75;
}
