/** postJson: one HTTP request to a model endpoint, and its answer as parsed JSON values. No retries, no redirects. */
import { OptionsError } from "../errors/options-error.ts";
import { classOfAbort, classOfException, classOfStatus, failed, messageOf } from "./failure.ts";
import { eventsOf } from "./server-sent-events.ts";

export interface JsonPost {
  /** Of the summarizer, for errors. */
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A value, or its JSON. */
  readonly body: unknown;
  readonly signal: AbortSignal;
  /** Never appears in an error. */
  readonly key?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A whole body is one value; a stream of server-sent events is as many as came. */
export interface JsonAnswer {
  readonly streamed: boolean;
  readonly values: readonly unknown[];
}

/** Throws SummarizerFailedError. */
export async function postJson(post: JsonPost): Promise<JsonAnswer> {
  const { name, url, headers, signal, key, fetch = globalThis.fetch } = post;
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: typeof post.body === "string" ? post.body : JSON.stringify(post.body),
      signal,
      // A redirect would carry the key to whoever it names.
      redirect: "manual",
    });
  } catch (cause) {
    throw failed(name, classOfException(cause, signal), `The request failed: ${messageOf(cause)}.`, {
      key,
      cause,
    });
  }
  const text = await readBody(response, post);
  if (!response.ok) {
    const said = errorIn(text);
    throw failed(
      name,
      classOfStatus(response.status, text.slice(0, 4_000)),
      `The server answered ${response.status}${said === "" ? "" : `: ${said}`}.`,
      { key, reason: `HTTP ${response.status}` },
    );
  }
  const streamed = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
  const pieces = streamed ? eventsOf(text).filter((data) => data !== "[DONE]") : [text];
  try {
    return { streamed, values: pieces.map((piece): unknown => JSON.parse(piece)) };
  } catch {
    throw failed(name, "malformed", "The answer is not JSON.", { key });
  }
}

/** The endpoint below a base address, unless the address names it already. Throws OptionsError. */
export function endpointOf(url: string, known: RegExp, path: (base: string) => string): URL {
  if (!URL.canParse(url)) throw new OptionsError("url", "The summarizer's url cannot be read as an address.");
  const address = new URL(url);
  if (address.protocol !== "http:" && address.protocol !== "https:") {
    throw new OptionsError("url", `The summarizer's url must be http or https, not ${address.protocol}`);
  }
  if (address.username !== "" || address.password !== "") {
    throw new OptionsError(
      "url",
      "The summarizer's url must not hold a user name or password; give it as `key`.",
    );
  }
  const base = address.pathname.replace(/\/{1,8}$/, "");
  address.pathname = known.test(base) ? base : path(base);
  return address;
}

/** A summary is a few thousand words; whoever sends more than this sends no summary. */
const MOST_BODY_CHARS = 8_000_000;

async function readBody(response: Response, { name, signal, key }: JsonPost): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > MOST_BODY_CHARS) break;
    }
  } catch (cause) {
    const failure = signal.aborted ? classOfAbort(signal) : "truncated";
    throw failed(name, failure, `The answer broke off: ${messageOf(cause)}.`, { key, cause });
  }
  if (text.length > MOST_BODY_CHARS) throw failed(name, "malformed", "The answer is endless.", { key });
  return text + decoder.decode();
}

/** What an error body says, whichever of the usual shapes it has. */
function errorIn(text: string): string {
  try {
    const value = JSON.parse(text) as { error?: { message?: unknown } | string; message?: unknown } | null;
    const error = value?.error;
    const said = typeof error === "object" && error !== null ? error.message : (error ?? value?.message);
    return typeof said === "string" ? said.replace(/\.$/, "") : "";
  } catch {
    return text.length <= 200 ? text.trim().replace(/\s+/g, " ") : "";
  }
}
