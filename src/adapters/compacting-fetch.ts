/**
 * Compacting fetch: a `fetch` for SDKs that let one be given. It changes the messages of a request where that is due and
 * nothing else; answers and streams come through as they are.
 */
import { isObject, parsedJson, type WireObject } from "../json/wire-value.ts";
import { contextOverflowOf } from "../providers/overflow.ts";
import type { AskedFormat } from "../summarizer/asked-again.ts";
import { askSameModel } from "../summarizer/own-model.ts";
import type { SummaryRequest } from "../summarizer/summarizer.ts";
import { type BodyPlaces, bodyView, withSystem } from "./body-view.ts";
import { behindCompaction, newestCompaction } from "./provider-compaction.ts";
import type { Sessions } from "./sessions.ts";
import type { Whose } from "./whose.ts";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Where an API has its messages. */
export interface Endpoint extends BodyPlaces {
  readonly format: AskedFormat;
  /** Which requests it is about. */
  readonly path: RegExp;
  /** Requests that have the provider compact a conversation. */
  readonly compactPath?: RegExp;
  /** The server holds the conversation and the request has only what is new: there is nothing here to compact. */
  readonly isHeld: (body: WireObject) => boolean;
}

/** Headers by which a request says whose it is; they are not sent on. */
const CONVERSATION_HEADER = "x-pith-conversation";
const USER_HEADER = "x-pith-user";

/** @param of whose the requests are that do not say it. @default the adapter's */
export function compactingFetch(
  { send, keep }: Pick<Sessions, "send" | "keep">,
  endpoints: readonly Endpoint[],
  inner: Fetch = fetch,
  of: Whose = {},
): Fetch {
  return async (input, given) => {
    const { whose, init, headers } = whoseRequest(input, given, of);
    const path = pathOf(input);
    const isCompact = (endpoint: Endpoint) => endpoint.compactPath?.test(path) === true;
    const endpoint = endpoints.find((each) => each.path.test(path) || isCompact(each));
    const body = endpoint && jsonOf(init?.body);
    const list = body?.[endpoint!.list];
    if (!endpoint || !body || !Array.isArray(list) || endpoint.isHeld(body)) return inner(input, init);
    const view = behindCompaction(bodyView(endpoint, body));
    let text = "";
    const forward = async (messages: readonly unknown[]): Promise<Response> => {
      text = JSON.stringify(view.body(messages));
      const response = await inner(input, { ...init, body: text });
      const refusal = response.ok ? undefined : await response.clone().text();
      if (refusal !== undefined && contextOverflowOf({ message: refusal }))
        throw new RefusedForSize(refusal, response);
      return response;
    };
    const history = withSystem(endpoint.system && body[endpoint.system], list);
    if (isCompact(endpoint)) {
      await keep({ history, view, whose });
      return inner(input, init);
    }
    const shownFrom = newestCompaction(history);
    const post = (again: string, signal: AbortSignal) =>
      // A redirect would carry the key to whoever it names.
      inner(input, { ...init, headers: reusable(headers), body: again, signal, redirect: "manual" });
    const own = {
      ask: (request: SummaryRequest) => askSameModel({ format: endpoint.format, text, post }, request),
      isAnswer: ({ ok }: Response) => ok,
    };
    const model = typeof body.model === "string" ? body.model : undefined;
    try {
      return await send({ history, view, whose, shownFrom, model, call: forward, own });
    } catch (error) {
      if (error instanceof RefusedForSize) return error.response;
      throw error;
    }
  };
}

/** The provider's refusal, on its way to the second try; if that is not possible the SDK gets it as it was. */
class RefusedForSize extends Error {
  readonly response: Response;
  constructor(message: string, response: Response) {
    super(message);
    this.response = response;
  }
}

/** Whose a request is, and the request without the headers that say so. */
function whoseRequest(
  input: Parameters<Fetch>[0],
  given: RequestInit | undefined,
  of: Whose,
): { readonly whose: Whose; readonly init: RequestInit | undefined; readonly headers: Headers } {
  const isAddress = typeof input === "string" || input instanceof URL;
  // As fetch has it: headers that are given beside a Request replace its own.
  const headers = new Headers(given?.headers ?? (isAddress ? undefined : input.headers));
  const named = {
    conversationId: decodedName(headers.get(CONVERSATION_HEADER)) ?? of.conversationId,
    user: decodedName(headers.get(USER_HEADER)) ?? of.user,
  };
  if (!headers.has(CONVERSATION_HEADER) && !headers.has(USER_HEADER))
    return { whose: named, init: given, headers };
  headers.delete(CONVERSATION_HEADER);
  headers.delete(USER_HEADER);
  return { whose: named, init: { ...given, headers }, headers };
}

/** A header has ASCII alone: other names come encoded as in an address. */
function decodedName(value: string | null): string | undefined {
  if (value === null) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The headers of a request for another one to the same place. */
function reusable(given: Headers): Headers {
  const headers = new Headers(given);
  for (const name of ["idempotency-key", "content-length"]) headers.delete(name);
  return headers;
}

function pathOf(input: string | URL | Request): string {
  const url = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
  return url.replace(/[?#].*$/, "");
}

/** Only what was given as JSON text is touched. */
function jsonOf(body: unknown): WireObject | undefined {
  const value = typeof body === "string" ? parsedJson(body) : undefined;
  return isObject(value) ? value : undefined;
}
