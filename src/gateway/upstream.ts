/** Upstream: the one place, or one for each provider, that requests go on to; no request can name another. */
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { OptionsError } from "../errors/options-error.ts";
import type { Proxies } from "../http/proxies.ts";
import { createWayOut } from "../http/way-out.ts";
import { PROVIDER_KEYS } from "./caller.ts";

export interface Upstreams {
  readonly openai?: URL | undefined;
  readonly anthropic?: URL | undefined;
}

/**
 * `https://host` is for everything; `openai=https://…` and `anthropic=https://…` are for the requests of that provider.
 * Throws OptionsError.
 */
export function readUpstreams(given: readonly string[]): Upstreams {
  const upstreams: { openai?: URL; anthropic?: URL } = {};
  for (const text of given) {
    const [, provider, address = ""] = /^(?:(openai|anthropic)=)?(.*)$/s.exec(text) ?? [];
    const url = readAddress(address);
    if (provider !== "anthropic") upstreams.openai = url;
    if (provider !== "openai") upstreams.anthropic = url;
  }
  if (given.length > 0) return upstreams;
  throw new OptionsError(
    "--upstream",
    "--upstream is missing: say where the requests go, such as https://api.openai.com.",
  );
}

function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAddress = url?.protocol === "http:" || url?.protocol === "https:";
  if (url && isAddress && url.username === "" && url.password === "" && url.search === "" && url.hash === "")
    return url;
  throw new OptionsError(
    "--upstream",
    `--upstream ${text.replace(/\/\/[^/@]*@/, "//…@")}: give an http(s) address without a key, such as https://api.openai.com.`,
  );
}

/**
 * Messages are Anthropic's; what else is, its header says, or a key. Undefined where there is no upstream for it, and
 * "foreign-key" where any of its keys is of the other provider: no key goes where it does not belong.
 */
export function upstreamFor(
  { openai, anthropic }: Upstreams,
  target: string,
  headers: IncomingMessage["headers"],
): URL | undefined | "foreign-key" {
  // Every word: a key is behind its scheme, and a header that came twice is joined by a comma.
  const keys = PROVIDER_KEYS.flatMap((name) => String(headers[name] ?? "").split(/[\s,]+/));
  const hasKey = (kind: RegExp): boolean => keys.some((key) => kind.test(key));
  const isMessages = headers["anthropic-version"] !== undefined || /\/messages(?:[/?]|$)/.test(target);
  const isResponses = /\/(?:chat\/completions|responses)(?:[/?]|$)/.test(target);
  const isAnthropic = isMessages || (!isResponses && hasKey(ANTHROPIC_KEY));
  const isForeign = hasKey(isAnthropic ? OPENAI_KEY : ANTHROPIC_KEY);
  if (isForeign && openai?.origin !== anthropic?.origin) return "foreign-key";
  return isAnthropic ? anthropic : openai;
}

const ANTHROPIC_KEY = /^sk-ant-/;
/** Every key of OpenAI has this in its middle; the new ones also say what they are for. */
const OPENAI_KEY = /^sk-(?:proj|svcacct|admin)-|T3BlbkFJ/;

/** The path there: an upstream given as `…/v1` and a request for `/v1/…` have it once. Undefined where it leads out of it. */
export function pathAt(upstream: URL, target: string): string | undefined {
  const [path = ""] = target.split("?");
  const isPlain = path.startsWith("/") && /^[!-~]+$/.test(target);
  if (!isPlain || UPWARDS.test(path)) return undefined;
  const base = upstream.pathname.replace(/\/+$/, "");
  const version = /\/v\d+$/.exec(base)?.[0];
  return version !== undefined && path.startsWith(`${version}/`)
    ? `${base.slice(0, -version.length)}${target}`
    : `${base}${target}`;
}

/** `..` as a part of a path, in any spelling. */
const UPWARDS = /(?:\/|%2f|\\|%5c)(?:\.|%2e){2}(?:\/|%2f|\\|%5c|$)/i;

export interface Sending {
  readonly url: URL;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Buffer | IncomingMessage;
  /** Without a byte for so long, the answer is given up. */
  readonly idleMs: number;
  /** To have it done twice does no harm: nothing is generated. */
  readonly isSafe: boolean;
  /** Ends the request when the client goes. */
  readonly signal: AbortSignal;
}

export interface UpstreamClient {
  /** The answer, once its headers are there. Rejects where there is none. */
  readonly send: (sending: Sending) => Promise<IncomingMessage>;
  readonly close: () => void;
}

/** Many servers close a connection that was idle for five seconds; a request on its way then is lost. */
const KEPT_MS = 4_000;

export function createUpstreamClient(proxies?: Proxies): UpstreamClient {
  const wayOut = createWayOut(proxies, { keepAlive: true, maxFreeSockets: 256, timeout: KEPT_MS });

  const attempt = (sending: Sending): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { url, method, path, headers, idleMs, body, signal } = sending;
      const outgoing = wayOut.request({ url, method, path, headers, idleMs });
      const abort = (): void => void outgoing.destroy(new Error("The client has gone."));
      if (signal.aborted) abort();
      signal.addEventListener("abort", abort, { once: true });
      outgoing.once("close", () => signal.removeEventListener("abort", abort));
      outgoing.once("timeout", () => outgoing.destroy(new UpstreamSilentError(idleMs)));
      outgoing.once("response", resolve);
      outgoing.on("error", (error) => reject(Object.assign(error, { reused: outgoing.reusedSocket })));
      if (Buffer.isBuffer(body)) outgoing.end(body);
      else pipeline(body, outgoing, (error) => error && outgoing.destroy(error));
    });

  return {
    send: async (sending) => {
      try {
        return await attempt(sending);
      } catch (error) {
        // A kept connection that the other side closed at this very moment, or that it closed after reading the request:
        // nobody can tell, so that what a model is paid for is not sent again.
        const { reused, code } = error as { reused?: boolean; code?: string };
        const isStale = reused && (code === "ECONNRESET" || code === "EPIPE");
        const mayRepeat = sending.isSafe && Buffer.isBuffer(sending.body) && !sending.signal.aborted;
        if (isStale && mayRepeat) return attempt(sending);
        throw error;
      }
    },
    close: wayOut.close,
  };
}

export class UpstreamSilentError extends Error {
  constructor(idleMs: number) {
    super(`The upstream sent nothing for ${Math.round(idleMs / 1000)} s.`);
  }
}
