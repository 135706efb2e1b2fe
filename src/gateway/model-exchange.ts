/** An exchange with a model: the body is read, compacted where that is due, and the model's calls of own tools are answered. */
import type { IncomingMessage } from "node:http";
import { readWhole } from "../http/read-whole.ts";
import type { Account } from "./account.ts";
import type { AnswerApi } from "./answers/answer-api.ts";
import { chatAnswers } from "./answers/chat.ts";
import { messagesAnswers } from "./answers/messages.ts";
import { responsesAnswers } from "./answers/responses.ts";
import type { Api } from "./apis.ts";
import type { Asked, Exchanging, Forward } from "./exchange.ts";
import { overflowIn } from "./overflow-answer.ts";
import { passBack } from "./pass-back.ts";
import type { Job, Prepared } from "./prepare.ts";
import { Refusal } from "./refusals.ts";
import { textOfBody } from "./request-body.ts";
import { traceCalls, tracePreparation, traceRequest } from "./request-spans.ts";
import type { GatewaySettings } from "./settings.ts";
import { needsNoPreparation } from "./small-bodies.ts";
import { answerTurn } from "./tool-turn.ts";

export interface AskedModel extends Asked {
  readonly tenant: string;
  readonly forward: Forward;
  /** Hears the answer as the client gets it. */
  readonly hear?: ((bytes: Buffer | string) => void) | undefined;
}

export async function exchangeWithModel(
  api: Api,
  asked: AskedModel,
  exchanging: Exchanging,
): Promise<Account> {
  const { incoming, outgoing, requestId, tenant, forward, hear, trace } = asked;
  const { settings, preparation, metrics } = exchanging;
  const { maxBodyBytes } = settings;
  const body = await readWhole(incoming, maxBodyBytes);
  if (!body) throw new Refusal("too_large", `a body may have ${maxBodyBytes} bytes at most.`);
  const text = await textOfBody(body, incoming.headers["content-encoding"], maxBodyBytes);
  traceRequest(trace, api, text ?? "");
  const job: Job = {
    text: text ?? "",
    format: api.format,
    tenant,
    ...nameOf(incoming),
    ...(api.name === "count-tokens" && { replayOnly: true }),
  };
  const prepare = async (given: Job): Promise<Prepared> => {
    const start = performance.now();
    const span = trace.child("prepare");
    const fits = given.overflow === undefined && likelyFits(given.text, settings);
    const prepared = await preparation.prepare(given, fits);
    tracePreparation(span, prepared);
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
    const { text: _text, writes: _writes, ...rest } = final;
    return { api: api.name, status: status ?? 0, prepared: rest, ...(retried && { retried }) };
  };

  /** Passes an answer on; where the model called own tools, they are run first. */
  const passOn = async (final: Prepared, given: IncomingMessage, retried = false): Promise<Account> => {
    const account = told(final, given.statusCode, retried);
    const { tools = [], conversation } = final;
    const answers = answerApis[api.name];
    if (!answers || tools.length === 0 || given.headers["content-encoding"] !== undefined) {
      await passBack(given, outgoing, { requestId, hear });
      return account;
    }
    let own: Pick<Account, "toolCalls" | "forgot"> = {};
    await answerTurn(given, outgoing, {
      api: answers,
      tools,
      text: final.text,
      requestId,
      maxBytes: maxBodyBytes,
      hear,
      send: (next) => forward(Buffer.from(next), { isReplaced: true, isRead: true }),
      run: (calls) => traceCalls(trace, calls, () => preparation.run(conversation, calls)),
      keep: async ({ calls, ...turn }) => {
        metrics.add("tool_calls", {}, calls.length);
        const span = trace.child("archive write");
        const forgot = await preparation.keepTurn({ job, calls, ...turn });
        span.end(forgot === undefined ? {} : { failure: forgot });
        own = { toolCalls: calls.length, forgot };
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
  await passBack(answer, outgoing, { requestId, bytes: refused.bytes });
  return told(prepared, answer.statusCode);
}

const answerApis: Readonly<Partial<Record<Api["name"], AnswerApi>>> = {
  chat: chatAnswers,
  messages: messagesAnswers,
  responses: responsesAnswers,
};

const LONGEST_NAME = 200;

/** The name that the client gives its conversation, where it gives one. */
function nameOf({ headers }: IncomingMessage): Pick<Job, "conversation"> {
  const name = headers["x-pith-conversation"];
  if (typeof name !== "string") return {};
  if (name.length <= LONGEST_NAME) return { conversation: name };
  throw new Refusal("bad_request", `x-pith-conversation may have ${LONGEST_NAME} characters at most.`);
}

/** Four bytes a token is what most text has; it decides only where nothing was counted when the time was up. */
function likelyFits(text: string, { window }: GatewaySettings): boolean {
  return window === undefined || text.length / 4 < window;
}
