/** Refusals: what the gateway answers itself, in the shape that the client's API has for errors. */
import type { ServerResponse } from "node:http";
import { redactSecrets } from "../redact/redact-secrets.ts";

export type GatewayRefusalCode =
  | "bad_request"
  | "unauthorized"
  | "forbidden"
  | "limited"
  | "no_upstream"
  | "too_large"
  | "no_upgrade"
  | "upstream_failed"
  | "upstream_silent"
  | "overloaded";

const STATUS: Readonly<Record<GatewayRefusalCode, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  limited: 429,
  no_upstream: 404,
  too_large: 413,
  // By this status agents that tried WebSocket first go on over HTTP.
  no_upgrade: 426,
  upstream_failed: 502,
  upstream_silent: 504,
  overloaded: 503,
};

/** Its text may quote what the client or the upstream said. */
export class GatewayRefusal extends Error {
  readonly code: GatewayRefusalCode;
  constructor(code: GatewayRefusalCode, message: string, options?: ErrorOptions) {
    super(redactSecrets(message).text, options);
    this.code = code;
  }
}

/** Both APIs have their message at `error.message`. */
export function refuse(
  outgoing: ServerResponse,
  { code, message }: GatewayRefusal,
  requestId: string,
): number {
  const status = STATUS[code];
  const text = JSON.stringify({
    type: "error",
    error: { type: `pith_${code}`, code: `pith_${code}`, message: `pith gateway: ${message}` },
  });
  outgoing.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "x-request-id": requestId,
    // Of a request that was not read to its end, the rest must not be taken for the next one.
    ...(code === "too_large" && { connection: "close" }),
    ...(code === "overloaded" && { "retry-after": "5" }),
    ...(code === "no_upgrade" && { upgrade: "HTTP/1.1", connection: "upgrade, close" }),
  });
  outgoing.end(text);
  return status;
}
