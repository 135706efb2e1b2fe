/** Proxies: which way out requests take where a company's network has one, as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say. */
import { OptionsError } from "../errors/options-error.ts";

export interface Proxies {
  /** The address of the proxy for addresses that begin so: a text, so that a thread can be told. */
  readonly "http:"?: string;
  readonly "https:"?: string;
  /** Hosts that are reached without: names, with all below them, or `*`; with a port, that one only. */
  readonly except: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined where there is none. In lower case, the names go first, as everywhere. Throws OptionsError. */
export function readProxies(environment: Environment): Proxies | undefined {
  const read = (name: string): string => environment[name.toLowerCase()] || environment[name] || "";
  const proxies = {
    ...(read("HTTP_PROXY") && { "http:": readProxy("HTTP_PROXY", read("HTTP_PROXY")) }),
    ...(read("HTTPS_PROXY") && { "https:": readProxy("HTTPS_PROXY", read("HTTPS_PROXY")) }),
  };
  if (Object.keys(proxies).length === 0) return undefined;
  const except = read("NO_PROXY")
    .toLowerCase()
    .split(/[\s,]+/);
  return { ...proxies, except: except.filter((each) => each !== "") };
}

function readProxy(name: string, text: string): string {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "") return url.href;
  throw new OptionsError(
    name,
    `${name} is not the address of a proxy: give http://HOST:PORT, with USER:PASSWORD@ before the host if it asks for them.`,
  );
}

/** A model on this machine is never reached by way of another one. */
export function proxyFor(url: URL, proxies: Proxies | undefined): URL | undefined {
  const proxy = proxies?.[url.protocol as "http:" | "https:"];
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, "");
  if (!proxies || !proxy || /^(?:localhost|::1|127\.[\d.]+)$/.test(host)) return undefined;
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return proxies.except.some((rule) => excepts(rule, host, port)) ? undefined : new URL(proxy);
}

/** `.example.com`, `*.example.com` and `example.com` all stand for it and what is below it. */
function excepts(rule: string, host: string, port: string): boolean {
  if (rule === "*") return true;
  const plain = rule.replace(/^\*?\./, "");
  // More than one colon is an address of IPv6, which has no port here.
  const [name = "", only = port] = plain.split(":").length > 2 ? [plain] : plain.split(":");
  return only === port && (host === name || host.endsWith(`.${name}`));
}
