/** What is counted for each tenant and model, and who may see it. */
import type { IncomingMessage } from "node:http";
import type { Keyring } from "../keys/keyring.ts";
import { OPERATOR } from "../keys/read-keys.ts";
import type { Account } from "./account.ts";
import { ONLY_TENANT } from "./caller.ts";
import type { Metrics, Sees } from "./metrics.ts";

/** @param hasKeys without keys there are as many tenants as keys for providers: they are counted as one */
export function countForTenant(
  { tenant, model, prepared, upstreamMs = 0 }: Account,
  metrics: Metrics,
  hasKeys: boolean,
): void {
  if (tenant === undefined) return;
  const whose = { tenant: hasKeys ? tenant : ONLY_TENANT, model: model ?? "" };
  metrics.addFor(whose, "tenant_requests");
  metrics.addFor(whose, "tenant_upstream_seconds", upstreamMs / 1000);
  const { tokensBefore = 0, tokensAfter = tokensBefore, outcome = "untouched" } = prepared ?? {};
  if (outcome.startsWith("compacted")) metrics.addFor(whose, "tenant_compactions");
  if (tokensAfter < tokensBefore) metrics.addFor(whose, "tenant_tokens_saved", tokensBefore - tokensAfter);
}

/** A key comes as clients send it, or as a bearer token, which is how metrics are scraped. */
export function seenBy({ headers, socket }: IncomingMessage, keys: Keyring | undefined): Sees {
  if (!keys) return "all";
  const presented = headers["x-pith-key"] ?? /^Bearer +(.+)$/i.exec(headers.authorization ?? "")?.[1];
  if (presented === undefined) return "none";
  const admitted = keys.admit(presented, socket.remoteAddress);
  if (!("tenant" in admitted)) return "none";
  return admitted.tenant === OPERATOR ? "all" : { tenant: admitted.tenant };
}

/** So much of a body's start and end is looked at: nearly every client has the model there. */
const LOOKED_AT = 2_000;
const MODEL = /"model"\s*:\s*"([\w./:@-]{1,100})"/;

/** The model that a body names; undefined where that is not plain. */
export function modelIn(body: Buffer): string | undefined {
  const start = MODEL.exec(body.toString("latin1", 0, LOOKED_AT));
  return (start ?? MODEL.exec(body.toString("latin1", Math.max(0, body.length - LOOKED_AT))))?.[1];
}
