/** An exchange with a model: the body is compacted where that is due, and the model's calls of own tools are answered. */
import type { IncomingMessage } from "node:http";
import { readWhole } from "../http/read-whole.ts";
import type { Account } from "./account.ts";
import type { AnswerApi } from "./answers/answer-api.ts";
import { chatAnswers } from "./answers/chat.ts";
import { messagesAnswers } from "./answers/messages.ts";
import { responsesAnswers } from "./answers/responses.ts";
import type { Api } from "./apis.ts";
import { modelIn } from "./count-tenant.ts";
import type { Asked, Exchanging, Forward, SendAgain } from "./exchange.ts";
import { overflowIn } from "./overflow-answer.ts";
import { passBack } from "./pass-back.ts";
import type { Sendable } from "./preparation.ts";
import { prepareRequest } from "./prepared-request.ts";
import { GatewayRefusal } from "./refusals.ts";
import { sharedBody } from "./request-body.ts";
import { traceCalls } from "./request-spans.ts";
import { answerTurn } from "./tool-turn.ts";

export interface AskedModel extends Asked {
  readonly tenant: string;
  readonly forward: Forward;
  readonly again: SendAgain;
  /** Hears the answer as the client gets it. */
  readonly hear?: ((bytes: Buffer | string) => void) | undefined;
}

export async function exchangeWithModel(
  api: Api,
  { incoming, outgoing, requestId, tenant, forward, again, hear, trace }: AskedModel,
  exchanging: Exchanging,
): Promise<Account> {
  const { settings, preparation, metrics } = exchanging;
  const { maxBodyBytes } = settings;
  const body = await readWhole(incoming, maxBodyBytes, sharedBody);
  if (!body) throw new GatewayRefusal("too_large", `a body may have ${maxBodyBytes} bytes at most.`);
  const encoding = incoming.headers["content-encoding"];
  const conversation = nameIn(incoming);
  const model = encoding === undefined ? modelIn(body) : undefined;
  const request = prepareRequest({ body, encoding, api, tenant, conversation, trace }, exchanging);
  const send = ({ text, tools = [] }: Sendable, isAnother = false): Promise<IncomingMessage> =>
    forward(text === undefined ? body : Buffer.from(text), {
      isReplaced: text !== undefined,
      isRead: tools.length > 0,
      isAnother,
    });
  const told = (sent: Sendable, { statusCode = 0 }: IncomingMessage, retried = false): Account => {
    const { text: _text, writes: _writes, room: _room, due: _due, ...prepared } = sent;
    return { api: api.name, status: statusCode, model, prepared, ...(retried && { retried }) };
  };

  /** Passes an answer on; where the model called own tools, they are run first. */
  const passOn = async (sent: Sendable, answer: IncomingMessage, retried = false): Promise<Account> => {
    const account = told(sent, answer, retried);
    const { text = "", tools = [], conversation: name, fill } = sent;
    const answers = answerApis[api.name];
    if (!answers || tools.length === 0 || answer.headers["content-encoding"] !== undefined) {
      await passBack(answer, outgoing, { requestId, hear });
      return account;
    }
    let own: Pick<Account, "toolCalls" | "forgot"> = {};
    await answerTurn(answer, outgoing, {
      api: answers,
      tools,
      text,
      requestId,
      maxBytes: maxBodyBytes,
      hear,
      send: (next) => forward(Buffer.from(next), { isReplaced: true, isRead: true, isAnother: true }),
      run: (calls) =>
        traceCalls(trace, calls, async () =>
          preparation.run(calls, { conversation: name, fill, job: await request.job() }),
        ),
      keep: async ({ calls, ...turn }) => {
        metrics.add("tool_calls", {}, calls.length);
        const span = trace.child("archive write");
        const job = await request.job();
        const forgot = job && (await preparation.keepTurn({ job, calls, ...turn }));
        span.end(forgot === undefined ? {} : { failure: forgot });
        own = { toolCalls: calls.length, forgot };
      },
    });
    return { ...account, ...own };
  };

  /** What the model has just been sent, it has in its cache; where it did not answer, it cannot be asked behind it. */
  const beginSummary = async ({ due, text }: Sendable, answer?: IncomingMessage): Promise<void> => {
    if (!due) return;
    const sent = text ?? Buffer.from((await request.job())?.bytes ?? []).toString("utf8");
    const isAnswered = (answer?.statusCode ?? 500) < 300;
    const own = { format: api.format, text: sent, post: again };
    exchanging.summaries?.begin(due, isAnswered ? own : undefined);
  };

  const sent = await request.first();
  const answer = await send(sent).catch((error: unknown) => {
    void beginSummary(sent);
    throw error;
  });
  const refused = await overflowIn(answer);
  if (!refused) {
    void beginSummary(sent, answer);
    return passOn(sent, answer);
  }
  const smaller = refused.said === undefined ? undefined : await request.smaller(refused.said, sent);
  if (smaller) {
    metrics.add("overflow_retries");
    return passOn(smaller, await send(smaller, true), true);
  }
  await passBack(answer, outgoing, { requestId, bytes: refused.bytes });
  return told(sent, answer);
}

const answerApis: Readonly<Partial<Record<Api["name"], AnswerApi>>> = {
  chat: chatAnswers,
  messages: messagesAnswers,
  responses: responsesAnswers,
};

const LONGEST_NAME = 200;

/** The name that the client gives its conversation, where it gives one. */
function nameIn({ headers }: IncomingMessage): string | undefined {
  const name = headers["x-pith-conversation"];
  if (typeof name !== "string" || name.length <= LONGEST_NAME) return name as string | undefined;
  throw new GatewayRefusal("bad_request", `x-pith-conversation may have ${LONGEST_NAME} characters at most.`);
}
