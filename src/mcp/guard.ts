/** The guard of the HTTP door: who may ask. Web pages may not, and nobody from elsewhere without the key. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { OptionsError } from "../errors/options-error.ts";
import type { Admitted, Keyring } from "../keys/keyring.ts";
import { OPERATOR } from "../keys/read-keys.ts";

/** Whom the door lets in. */
export interface Welcome {
  /** The names it may be called by; any where it is open to other machines, since there the key decides. */
  readonly hostnames: readonly string[] | "any";
  /** Digest of the key, so that a comparison takes the same time whatever is presented. */
  readonly key?: Buffer;
  /** Instead of one key: whose each key is. */
  readonly keys?: Keyring;
}

/** Who asks: a tenant where there are tenants. */
export type Caller = { readonly tenant?: string } | { readonly refused: Response };

export interface GuardOptions {
  readonly host: string;
  readonly key?: string | undefined;
  readonly keys?: Keyring | undefined;
}

/** Throws OptionsError where other machines could reach the archive and nothing would ask them for a key. */
export function welcomeOf({ host, key, keys }: GuardOptions): Welcome {
  const digested = { ...(key && { key: digest(key) }), ...(keys && { keys }) };
  if (isLoopback(host)) return { hostnames: [...localhostAllowedHostnames(), host], ...digested };
  if (!key && !keys) {
    throw new OptionsError(
      "--host",
      `--host ${host}: other machines could read the archive there. Set a key in PITH_MCP_KEY, give --keys, or leave --host out.`,
    );
  }
  return { hostnames: "any", ...digested };
}

/**
 * Who asks, or why it is not answered. A page that makes a browser call a loopback address is told by its
 * Origin, and one that has its own name resolve to that address (DNS rebinding) by its Host.
 */
export function callerOf({ headers, socket }: IncomingMessage, welcome: Welcome): Caller {
  const { hostnames, key, keys } = welcome;
  const origin = validateOriginHeader(headers.origin, localhostAllowedOrigins());
  if (!origin.ok) return { refused: refusing(403, origin.message) };
  if (hostnames !== "any") {
    const host = validateHostHeader(headers.host, [...hostnames]);
    if (!host.ok) return { refused: refusing(403, host.message) };
  }
  const presented = /^Bearer +(.+)$/i.exec(headers.authorization ?? "")?.[1];
  if (keys) return tenantBy(keys.admit(presented, socket.remoteAddress));
  if (!key || (presented !== undefined && timingSafeEqual(digest(presented), key))) return {};
  return { refused: unknownKey() };
}

function tenantBy(admitted: Admitted): Caller {
  if ("tenant" in admitted && admitted.tenant !== OPERATOR) return { tenant: admitted.tenant };
  if ("refused" in admitted && admitted.refused === "limited")
    return { refused: refusing(429, "Too many wrong keys came from this address. Try again in a minute.") };
  return { refused: unknownKey() };
}

function unknownKey(): Response {
  return refusing(401, "Give the key of this server as a bearer token.", { "WWW-Authenticate": "Bearer" });
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** An answer that is no, as JSON-RPC puts it. */
export function refusing(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }, { status, headers });
}
