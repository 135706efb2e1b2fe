/** proxyAgent: connections to a server through a proxy's tunnel (CONNECT): the proxy sees its name, and no byte in clear. */
import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect } from "node:tls";

/** A proxy that says nothing for so long is down. */
const CONNECT_MS = 30_000;

type Done = (error: Error | null, socket?: Duplex) => void;

export function proxyAgent(proxy: URL, options: https.AgentOptions): https.Agent {
  const agent = new https.Agent(options);
  // The types know only agents that have their socket at once.
  agent.createConnection = ((target: ConnectionOptions, done: Done): undefined => {
    openTunnel(proxy, `${bracketed(target.host!)}:${target.port ?? 443}`).then(
      (socket) => done(null, connect({ ...target, socket })),
      (error: Error) => done(error),
    );
  }) as never;
  return agent;
}

/** The header by which a proxy knows who asks; empty where its address names nobody. */
export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "Proxy-Authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

function openTunnel(proxy: URL, target: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const { request } = proxy.protocol === "https:" ? https : http;
    const fail = (why: string): void =>
      reject(
        Object.assign(new Error(`the proxy ${proxy.host} does not connect to ${target}: ${why}`), {
          code: "EPROXY",
        }),
      );
    const asking = request({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      ...(proxy.port !== "" && { port: proxy.port }),
      method: "CONNECT",
      path: target,
      headers: { Host: target, ...proxyAuthorization(proxy) },
      agent: false,
      timeout: CONNECT_MS,
    });
    asking.once("connect", ({ statusCode = 0 }, socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      fail(`it answered ${statusCode}${statusCode === 407 ? ": give USER:PASSWORD@ in HTTPS_PROXY" : ""}.`);
    });
    // One that takes CONNECT for a request like any other.
    asking.once("response", (answer) => {
      answer.destroy();
      fail(`it answered ${answer.statusCode}.`);
    });
    asking.once("timeout", () => asking.destroy(new Error(`nothing was heard for ${CONNECT_MS / 1000} s`)));
    asking.once("error", ({ message }) => fail(`${message}.`));
    asking.end();
  });
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
