/** sameOriginProblem: why a request may come from a page that is not the inspector's own. */
import type { IncomingMessage } from "node:http";
import { hasName } from "../http/has-name.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

export interface ServedAt {
  /** The server listens for this machine alone, so it has no other name but those that are allowed. */
  readonly isLoopback: boolean;
  /** Absent where nobody can allow any. */
  readonly allowHosts?: readonly string[];
}

/**
 * A page elsewhere that makes a browser call a loopback address is told by its Origin, and one that has its own name
 * resolve to that address (DNS rebinding) by the Host. Undefined where nothing is wrong.
 */
export function sameOriginProblem(
  { headers, method }: IncomingMessage,
  { isLoopback, allowHosts }: ServedAt,
): string | undefined {
  const { host = "", origin, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
  if (isLoopback && !LOOPBACK.test(host) && !hasName(host, allowHosts ?? [])) {
    const remedy = allowHosts ? " Give it with --allow-host where a proxy of yours passes it on." : "";
    return `The inspector has no name ${JSON.stringify(host.slice(0, 100))}.${remedy}`;
  }
  // A form of a page that tells no referrer has the origin "null"; then the browser itself says where it comes from.
  const isNamed = origin !== undefined && !(origin === "null" && site === "same-origin");
  if (isNamed && hostOf(origin) !== host.toLowerCase()) return "Another page asks for this.";
  // A link may lead here from anywhere: the page it opens shows nothing without the cookie, which no such link brings.
  const isLink = method === "GET" && mode === "navigate";
  if (site !== undefined && site !== "same-origin" && !isLink) return "Another page asks for this.";
  if (method === "POST" && origin === undefined && site === undefined)
    return "A change needs an Origin, as browsers send it.";
  return undefined;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
