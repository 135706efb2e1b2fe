/** PreparedRequest: the body of one request, read as far as that is needed, and what becomes of it. */
import type { Api } from "./apis.ts";
import type { Exchanging } from "./exchange.ts";
import type { Job, Prepared } from "./prepare.ts";
import { textOfBody } from "./request-body.ts";
import { tracePreparation, traceRequest } from "./request-spans.ts";
import { scopeOf } from "./roomy-bodies.ts";
import type { GatewaySettings } from "./settings.ts";
import { needsNoPreparation } from "./small-bodies.ts";
import type { Trace } from "./tracing.ts";

export interface RequestBody {
  readonly body: Buffer;
  /** How it is packed. */
  readonly encoding: string | undefined;
  readonly api: Api;
  readonly tenant: string;
  /** The name that the client gives the conversation. */
  readonly conversation?: string | undefined;
  readonly trace: Trace;
}

export interface PreparedRequest {
  /** What is to be sent; nothing but the client's own bytes where `prepared` has no text. */
  readonly first: () => Promise<Sendable>;
  /** The same once more, after the provider said that it was too long; undefined where nothing can be done. */
  readonly smaller: (said: string, sent: Sendable) => Promise<Sendable | undefined>;
  /** The request as the worker is given it. */
  readonly job: () => Promise<Job>;
}

/** Without `text` the client's bytes go as they came. */
export type Sendable = Omit<Prepared, "text"> & { readonly text?: string };

export function prepareRequest(
  { body, encoding, api, tenant, conversation, trace }: RequestBody,
  { settings, preparation, metrics, roomyBodies }: Exchanging,
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
  let reading: Promise<string | undefined> | undefined;
  const readText = (): Promise<string | undefined> => {
    reading ??= textOfBody(body, encoding, settings.maxBodyBytes);
    return reading;
  };

  const prepare = async (job: Job): Promise<Prepared> => {
    const start = performance.now();
    const span = trace.child("prepare");
    const isRetry = job.overflow !== undefined;
    const prepared = await preparation.prepare(job, {
      likelyFits: !isRetry && likelyFits(job, settings),
      since: isRetry ? start : since,
    });
    tracePreparation(span, prepared);
    metrics.observePreparation((performance.now() - start) / 1000);
    metrics.add("preparations", { outcome: prepared.outcome });
    const { tokensBefore = 0, tokensAfter = tokensBefore } = prepared;
    if (tokensAfter < tokensBefore) metrics.add("tokens_saved", {}, tokensBefore - tokensAfter);
    return prepared;
  };
  const sendable = ({ text, ...prepared }: Prepared, given: string): Sendable =>
    text === given ? prepared : { ...prepared, text };

  return {
    job: async () => ({ ...known, text: (await readText()) ?? "" }),
    first: async () => {
      if (trace.isRecording) traceRequest(trace, api, (await readText()) ?? "");
      if (!isPacked && roomyBodies.has(scope, body)) return { outcome: "untouched" };
      const text = await readText();
      if (text === undefined || needsNoPreparation(text, settings)) return { outcome: "untouched" };
      const prepared = await prepare({ ...known, text });
      if (prepared.room && !isPacked) roomyBodies.add(scope, body, text, prepared.room);
      return sendable(prepared, text);
    },
    smaller: async (said, sent) => {
      roomyBodies.remove(scope, body);
      const text = await readText();
      if (text === undefined) return undefined;
      const prepared = await prepare({ ...known, text, overflow: said });
      const isSame = prepared.text === (sent.text ?? text);
      return isSame || prepared.outcome === "failed-open" ? undefined : sendable(prepared, text);
    },
  };
}

/** Four bytes a token is what most text has; it decides only where nothing was counted when the time was up. */
function likelyFits({ text }: Job, { window }: GatewaySettings): boolean {
  return window === undefined || text.length / 4 < window;
}
