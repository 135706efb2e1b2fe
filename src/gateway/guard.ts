/** The guard of the gateway's API: web pages may not ask, and no connection becomes another protocol. */
import type { IncomingMessage } from "node:http";
import { OptionsError } from "../errors/options-error.ts";
import { hasName } from "../http/has-name.ts";
import { GatewayRefusal } from "./refusals.ts";

/** Names of this machine; containers call the machine that they run on so. */
const OWN_NAME =
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|host\.(?:docker|containers)\.internal)(?::\d{1,5})?$/i;

/** The names that --allow-host gives. Throws OptionsError. */
export function readAllowedHosts(given: readonly string[]): readonly string[] {
  return given.map((name) => {
    if (/^[\w-]+(?:\.[\w-]+)*$/.test(name)) return name.toLowerCase();
    throw new OptionsError(
      "--allow-host",
      `--allow-host ${name}: give the name alone, without http:// and port, such as pith.example.com.`,
    );
  });
}

/** Where it is reached. */
export interface ReachedAt {
  /** The gateway listens for this machine alone, so that it has no other name but those that are allowed. */
  readonly isLoopback: boolean;
  readonly allowHosts?: readonly string[] | undefined;
}

/**
 * Throws GatewayRefusal. A page that makes a browser call the gateway is told by its Origin, and one that has its own name
 * resolve to a loopback address (DNS rebinding) by the Host.
 */
export function guardApi({ headers }: IncomingMessage, { isLoopback, allowHosts = [] }: ReachedAt): void {
  const { host = "", origin, upgrade, "sec-fetch-site": site } = headers;
  if (/\bwebsocket\b/i.test(upgrade ?? ""))
    throw new GatewayRefusal("no_upgrade", "it does not speak WebSocket. Ask over HTTP, with streaming.");
  if (isLoopback && !OWN_NAME.test(host) && !hasName(host, allowHosts))
    throw new GatewayRefusal(
      "forbidden",
      `it has no name ${JSON.stringify(host.slice(0, 100))}. Give it with --allow-host where a proxy of yours passes it on.`,
    );
  const isOwnPage =
    origin === undefined || (URL.canParse(origin) && new URL(origin).host === host.toLowerCase());
  const isElsewhere = site !== undefined && site !== "same-origin" && site !== "none";
  if (!isOwnPage || isElsewhere) throw new GatewayRefusal("forbidden", "web pages may not ask.");
}
