/** Exchange: one request of a client and its answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { readWhole } from "../http/read-whole.ts";
import { contextOverflowOf } from "../overflow/context-overflow.ts";
import type { AnswerApi } from "./answers/answer-api.ts";
import { chatAnswers } from "./answers/chat.ts";
import { messagesAnswers } from "./answers/messages.ts";
import { responsesAnswers } from "./answers/responses.ts";
import { type Api, apiOf } from "./apis.ts";
import { passedOn, type UpstreamHeaders, upstreamHeaders } from "./headers.ts";
import { tenantOf } from "./keys.ts";
import type { Metrics } from "./metrics.ts";
import type { Preparation } from "./preparation.ts";
import type { Job, Prepared } from "./prepare.ts";
import { Refusal } from "./refusals.ts";
import { textOfBody } from "./request-body.ts";
import type { GatewaySettings } from "./settings.ts";
import { needsNoPreparation } from "./small-bodies.ts";
import { answerTurn } from "./tool-turn.ts";
import { pathAt, type UpstreamClient, UpstreamSilentError, upstreamFor } from "./upstream.ts";

export interface Exchanging {
  readonly settings: GatewaySettings;
  readonly client: UpstreamClient;
  readonly preparation: Preparation;
  readonly metrics: Metrics;
}

/** What is told of an exchange afterwards. */
export interface Account {
  readonly api: Api["name"] | "other";
  readonly status: number;
  readonly tenant?: string;
  readonly prepared?: Omit<Prepared, "text">;
  readonly retried?: boolean;
  /** Calls of own tools that were answered. */
  readonly toolCalls?: number;
  /** Why the next request will not have them in view. */
  readonly forgot?: string | undefined;
}

/** Rejects with a Refusal where the client should hear of it, and otherwise where there is nobody left to hear. */
export async function exchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  requestId: string,
  exchanging: Exchanging,
): Promise<Account> {
  const { settings } = exchanging;
  const tenant = tenantOf(incoming.headers["x-pith-key"], settings.keys);
  if (tenant === undefined) throw new Refusal("unauthorized", "give a key of this gateway in x-pith-key.");
  const gone = new AbortController();
  outgoing.once("close", () => outgoing.writableFinished || gone.abort());
  const route = routeOf(incoming, settings);
  const forward: Forward = async (body, how = {}) => {
    const headers = upstreamHeaders(incoming, {
      host: route.url.host,
      requestId,
      ...how,
      ...(Buffer.isBuffer(body) && { body }),
    });
    const method = incoming.method ?? "GET";
    const sending = { ...route, method, headers, body, idleMs: settings.upstreamIdleMs, signal: gone.signal };
    return exchanging.client.send(sending).catch((cause: Error) => {
      if (gone.signal.aborted) throw cause;
      const code = cause instanceof UpstreamSilentError ? "upstream_silent" : "upstream_failed";
      throw new Refusal(code, `${route.url.host} does not answer: ${cause.message}`, { cause });
    });
  };
  const api = apiOf(incoming.method, incoming.url ?? "");
  if (!api) {
    const answer = await forward(incoming);
    await passBack(answer, outgoing, requestId);
    return { api: "other", status: answer.statusCode ?? 0, tenant };
  }
  return {
    tenant,
    ...(await readExchange(api, { incoming, outgoing, requestId, tenant, forward }, exchanging)),
  };
}

interface Read {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly requestId: string;
  readonly tenant: string;
  readonly forward: Forward;
}

type Forward = (
  body: Buffer | IncomingMessage,
  how?: Pick<UpstreamHeaders, "isRead" | "isReplaced">,
) => Promise<IncomingMessage>;

/** A request whose body is read, and compacted where that is due. */
async function readExchange(
  api: Api,
  { incoming, outgoing, requestId, tenant, forward }: Read,
  { settings, preparation, metrics }: Exchanging,
): Promise<Account> {
  const { maxBodyBytes } = settings;
  const body = await readWhole(incoming, maxBodyBytes);
  if (!body) throw new Refusal("too_large", `a body may have ${maxBodyBytes} bytes at most.`);
  const text = await textOfBody(body, incoming.headers["content-encoding"], maxBodyBytes);
  const conversation = incoming.headers["x-pith-conversation"];
  if (conversation !== undefined && conversation.length > LONGEST_NAME)
    throw new Refusal("bad_request", `x-pith-conversation may have ${LONGEST_NAME} characters at most.`);
  const job: Job = {
    text: text ?? "",
    format: api.format,
    tenant,
    ...(typeof conversation === "string" && { conversation }),
    ...(api.name === "count-tokens" && { replayOnly: true }),
    offersTools: settings.tools,
  };
  const prepare = async (given: Job): Promise<Prepared> => {
    const start = performance.now();
    const prepared = await preparation.prepare(
      given,
      given.overflow === undefined && likelyFits(given.text, settings),
    );
    metrics.observePreparation((performance.now() - start) / 1000);
    metrics.add("preparations", { outcome: prepared.outcome });
    const { tokensBefore = 0, tokensAfter = tokensBefore } = prepared;
    if (tokensAfter < tokensBefore) metrics.add("tokens_saved", {}, tokensBefore - tokensAfter);
    return prepared;
  };
  const send = (given: Prepared): Promise<IncomingMessage> => {
    const isReplaced = text !== undefined && given.text !== text;
    const bytes = isReplaced ? Buffer.from(given.text) : body;
    return forward(bytes, { isReplaced, isRead: (given.tools ?? []).length > 0 });
  };

  const isRead = text !== undefined && !needsNoPreparation(text, settings);
  const prepared: Prepared = isRead ? await prepare(job) : { text: text ?? "", outcome: "untouched" };
  const answer = await send(prepared);
  const told = (final: Prepared, status: number | undefined, retried = false): Account => {
    const { text: _, ...rest } = final;
    return { api: api.name, status: status ?? 0, prepared: rest, ...(retried && { retried }) };
  };

  /** Passes an answer on; where the model called own tools, they are run first. */
  const passOn = async (final: Prepared, given: IncomingMessage, retried = false): Promise<Account> => {
    const account = told(final, given.statusCode, retried);
    const { tools = [], conversation: name } = final;
    const answers = answerApis[api.name];
    if (
      !answers ||
      tools.length === 0 ||
      name === undefined ||
      given.headers["content-encoding"] !== undefined
    ) {
      await passBack(given, outgoing, requestId);
      return account;
    }
    let own: Pick<Account, "toolCalls" | "forgot"> = {};
    await answerTurn(given, outgoing, {
      api: answers,
      tools,
      text: final.text,
      requestId,
      maxBytes: maxBodyBytes,
      send: (next) => forward(Buffer.from(next), { isReplaced: true, isRead: true }),
      run: (calls) => preparation.run(name, calls),
      keep: async ({ calls: toolCalls, ...turn }) => {
        metrics.add("tool_calls", {}, toolCalls);
        own = { toolCalls, forgot: await preparation.keepTurn({ job, ...turn }) };
      },
    });
    return { ...account, ...own };
  };

  const refused = text === undefined ? undefined : await overflowIn(answer);
  if (refused?.said !== undefined && text !== undefined) {
    const smaller = await prepare({ ...job, overflow: refused.said });
    if (smaller.text !== prepared.text && smaller.outcome !== "failed-open") {
      metrics.add("overflow_retries");
      return passOn(smaller, await send(smaller), true);
    }
  }
  if (!refused) return passOn(prepared, answer);
  await passBack(answer, outgoing, requestId, refused.bytes);
  return told(prepared, answer.statusCode);
}

const answerApis: Readonly<Partial<Record<Api["name"], AnswerApi>>> = {
  chat: chatAnswers,
  messages: messagesAnswers,
  responses: responsesAnswers,
};

/** Four bytes a token is what most text has; it decides only where nothing was counted when the time was up. */
function likelyFits(text: string, { window }: GatewaySettings): boolean {
  return window === undefined || text.length / 4 < window;
}

function routeOf({ url: target = "", headers }: IncomingMessage, { upstreams }: GatewaySettings) {
  const url = upstreamFor(upstreams, target, headers);
  if (!url) throw new Refusal("no_upstream", "there is no upstream for this API. See --upstream.");
  const path = pathAt(url, target);
  if (path === undefined) throw new Refusal("bad_request", "this is no path of the upstream.");
  return { url, path };
}

/** Byte for byte, as fast as the client takes it. `bytes` were read already. */
async function passBack(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  requestId: string,
  bytes?: Buffer,
): Promise<void> {
  const headers = passedOn(answer);
  if (answer.headers["x-request-id"] === undefined) headers.push("X-Request-Id", requestId);
  outgoing.sendDate = false;
  outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", headers);
  if (bytes) {
    outgoing.end(bytes);
    return;
  }
  outgoing.flushHeaders();
  // subtle: `pipeline` does the same, at the price of an abort signal for every answer.
  await new Promise<void>((resolve, reject) => {
    const end = (): void =>
      outgoing.writableFinished ? resolve() : reject(new Error("The client has gone."));
    answer.once("error", reject);
    outgoing.once("error", reject).once("close", end).once("finish", resolve);
    answer.pipe(outgoing);
  });
}

const LONGEST_NAME = 200;
const OVERFLOW_STATUS: ReadonlySet<number | undefined> = new Set([400, 413, 422]);
const LONGEST_ERROR = 256 * 1024;

/** Reads an answer that may say that the request was too long: its bytes, and what it says where that is it. */
async function overflowIn(
  answer: IncomingMessage,
): Promise<{ readonly bytes: Buffer; readonly said?: string } | undefined> {
  const length = Number(answer.headers["content-length"] ?? 0);
  if (!OVERFLOW_STATUS.has(answer.statusCode) || !(length <= LONGEST_ERROR)) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const said = await textOfBody(bytes, answer.headers["content-encoding"], LONGEST_ERROR);
  return { bytes, ...(said !== undefined && contextOverflowOf(said) && { said }) };
}
