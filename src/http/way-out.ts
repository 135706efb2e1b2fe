/** WayOut: how requests leave this machine, straight or through a proxy, whoever sends them. */
import http, { type ClientRequest } from "node:http";
import https, { type AgentOptions, type RequestOptions } from "node:https";
import { type Proxies, proxyFor } from "./proxies.ts";
import { proxyAgent, proxyAuthorization } from "./proxy-agent.ts";

export interface Leaving {
  /** Where it goes: protocol, host and port. */
  readonly url: URL;
  readonly method: string;
  readonly path: string;
  /** Names and values in turn, as they are sent. */
  readonly headers: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** Without a byte for so long, the request says `timeout`. */
  readonly idleMs?: number | undefined;
}

export interface WayOut {
  /** Begun; its body is the caller's to send. */
  readonly request: (leaving: Leaving) => ClientRequest;
  readonly close: () => void;
}

/** @param connections how they are kept. @default each for one request */
export function createWayOut(proxies: Proxies | undefined, connections: AgentOptions = {}): WayOut {
  const agents = { "http:": new http.Agent(connections), "https:": new https.Agent(connections) };
  const proxy = proxies?.["https:"];
  const tunnels = proxy === undefined ? undefined : proxyAgent(new URL(proxy), connections);
  return {
    request: ({ url, method, path, headers, signal, idleMs }) => {
      const proxy = proxyFor(url, proxies);
      // What is in clear anyway, a proxy takes as it is and sends on.
      const asked = proxy && url.protocol === "http:" ? proxy : undefined;
      const { protocol, hostname, port } = asked ?? url;
      const isSecure = protocol === "https:";
      const options: RequestOptions = {
        agent: isSecure ? (proxy && !asked && tunnels) || agents["https:"] : agents["http:"],
        host: hostname.replace(/^\[|\]$/g, ""),
        ...(port !== "" && { port }),
        method,
        path: asked ? `${url.origin}${path}` : path,
        headers: [...headers, ...Object.entries(asked ? proxyAuthorization(asked) : {}).flat()],
        ...(signal && { signal }),
        ...(idleMs !== undefined && { timeout: idleMs }),
      };
      return (isSecure ? https : http).request(options);
    },
    close: () => {
      for (const agent of [...Object.values(agents), tunnels]) agent?.destroy();
    },
  };
}
