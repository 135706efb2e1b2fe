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
import type { ClientRequest, Exchanging, Forward, SendAgain } from "./exchange.ts";
import { passBack } from "./pass-back.ts";
import type { Sendable } from "./preparation.ts";
import { type PreparedRequest, prepareRequest } from "./prepared-request.ts";
import { GatewayRefusal } from "./refusals.ts";
import { refusedAnswer } from "./refused-answer.ts";
import { sharedBody } from "./request-body.ts";
import { traceCalls } from "./request-spans.ts";
import { toldName } from "./told-name.ts";
import { answerTurn } from "./tool-turn.ts";
import { leastWindow } from "./windows.ts";

export interface AskedModel extends ClientRequest {
  readonly tenant: string;
  readonly forward: Forward;
  readonly again: SendAgain;
  /** The client's going. */
  readonly gone: AbortSignal;
  /** Hears the answer as the client gets it. */
  readonly hear?: ((bytes: Buffer | string) => void) | undefined;
}

export async function exchangeWithModel(
  api: Api,
  asked: AskedModel,
  exchanging: Exchanging,
): Promise<Account> {
  const { outgoing, requestId, hear } = asked;
  const held = await readBody(asked, exchanging);
  if (!held) return passUnread(api, asked, exchanging);
  try {
    const { answer, account, bytes, turn } = await askModel(api, held, asked, exchanging);
    const shed = account.prepared?.shed;
    if (turn) return { ...account, ...(await turn()) };
    // subtle: `askModel` is over, so that nothing holds the body while its answer streams.
    held.letGo();
    await passBack(answer, outgoing, { requestId, shed, ...(bytes ? { bytes } : { hear }) });
    return account;
  } finally {
    held.letGo();
  }
}

interface Held {
  readonly body: Buffer;
  /** Makes room for more that comes of it, or throws a GatewayRefusal. */
  readonly hold: (bytes: number) => void;
  readonly letGo: () => void;
}

/** Undefined where too many bodies are held for this one to be read. */
async function readBody({ incoming }: AskedModel, { settings, held }: Exchanging): Promise<Held | undefined> {
  const { maxBodyBytes } = settings;
  const declared = Number(incoming.headers["content-length"] ?? 0);
  if (!held.hasRoomFor(Math.min(declared, maxBodyBytes))) return undefined;
  const { grow, letGo } = held.begin();
  const hold = (bytes: number): void => {
    if (!grow(bytes)) throw tooManyHeld();
  };
  try {
    const body = await readWhole(incoming, maxBodyBytes, { join: sharedBody, hold });
    if (!body) throw new GatewayRefusal("too_large", `a body may have ${maxBodyBytes} bytes at most.`);
    return { body, hold, letGo };
  } catch (error) {
    letGo();
    throw error;
  }
}

function tooManyHeld(): GatewayRefusal {
  return new GatewayRefusal("overloaded", "too many bodies are held. Try again in a while.");
}

/** What cannot be over its window goes on unread; anything else is to come again. */
async function passUnread(
  { name }: Api,
  { incoming, outgoing, requestId, forward }: AskedModel,
  { settings, metrics }: Exchanging,
): Promise<Account> {
  const length = Number(incoming.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  if (length >= leastWindow(settings) * 0.75 || incoming.headers["content-encoding"] !== undefined)
    throw tooManyHeld();
  metrics.add("shed", { reason: "memory" });
  const answer = await forward(incoming);
  await passBack(answer, outgoing, { requestId, shed: "memory" });
  const prepared = { outcome: "failed-open", reason: "Too many bodies are held.", shed: "memory" } as const;
  return { api: name, status: answer.statusCode ?? 0, prepared };
}

/** The model's answer, and what is to be done with it. */
interface Answered {
  readonly answer: IncomingMessage;
  readonly account: Account;
  /** The answer's bytes, where they were read already. */
  readonly bytes?: Buffer;
  /** Passes it on and runs the own tools that it calls, where the model was offered some. */
  readonly turn?: () => Promise<Pick<Account, "toolCalls" | "forgot">>;
}

async function askModel(
  api: Api,
  { body, hold }: Held,
  asked: AskedModel,
  exchanging: Exchanging,
): Promise<Answered> {
  const { incoming, tenant, forward, again, trace, gone } = asked;
  const { metrics } = exchanging;
  const encoding = incoming.headers["content-encoding"];
  const conversation = nameIn(incoming);
  const model = encoding === undefined ? modelIn(body) : undefined;
  const told = model === undefined ? undefined : toldName(model, incoming);
  const request = prepareRequest(
    { body, hold, encoding, api, tenant, conversation, trace, gone },
    exchanging,
  );
  const send = ({ text, tools = [] }: Sendable, isAnother = false): Promise<IncomingMessage> =>
    forward(text === undefined ? body : Buffer.from(text), {
      isReplaced: text !== undefined,
      isRead: tools.length > 0,
      isAnother,
    });

  const answered = (sent: Sendable, answer: IncomingMessage, retried = false): Answered => {
    const { text: _text, writes: _writes, room: _room, due: _due, archive: _archive, ...prepared } = sent;
    const { statusCode: status = 0 } = answer;
    const account: Account = { api: api.name, status, model: told, prepared, ...(retried && { retried }) };
    const answers = answerApis[api.name];
    const isPlain = !sent.tools?.length || answer.headers["content-encoding"] !== undefined;
    if (!answers || isPlain) return { answer, account };
    return { answer, account, turn: () => takeTurn(answers, { sent, answer, request }, asked, exchanging) };
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
  const refused = await refusedAnswer(answer);
  if (!refused) {
    void beginSummary(sent, answer);
    return answered(sent, answer);
  }
  const { bytes, overflow, isAboutShape } = refused;
  const smaller = overflow === undefined ? undefined : await request.smaller(overflow, sent);
  const asWritten = isAboutShape ? await request.asWritten(sent) : undefined;
  const other = smaller ?? asWritten;
  if (!other) return { answer, account: answered(sent, answer).account, bytes };
  metrics.add(smaller ? "overflow_retries" : "shape_retries");
  return answered(other, await send(other, true), true);
}

interface Turn {
  readonly sent: Sendable;
  readonly answer: IncomingMessage;
  readonly request: PreparedRequest;
}

/** Passes an answer on; where the model called own tools, they are run first. */
async function takeTurn(
  api: AnswerApi,
  { sent, answer, request }: Turn,
  { outgoing, requestId, forward, hear, trace }: AskedModel,
  { settings, preparation, metrics }: Exchanging,
): Promise<Pick<Account, "toolCalls" | "forgot">> {
  const { text = "", tools = [], conversation, fill, shed } = sent;
  let own: Pick<Account, "toolCalls" | "forgot"> = {};
  await answerTurn(answer, outgoing, {
    api,
    tools,
    text,
    requestId,
    shed,
    maxBytes: settings.maxBodyBytes,
    hear,
    send: (next) => forward(Buffer.from(next), { isReplaced: true, isRead: true, isAnother: true }),
    run: (calls) =>
      traceCalls(trace, calls, async () =>
        preparation.run(calls, { conversation, fill, job: await request.job() }),
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
  return own;
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
