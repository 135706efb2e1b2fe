/**
 * Agent server: a model on loopback that works as an agent does, through all three APIs. At each ask it reads a module by
 * a tool, now and then it asks for something old by recall, and it refuses what is over its window.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Conversation } from "../../src/conversation/conversation.ts";
import { carriesResults, isUserMessage, proseOf } from "../../src/conversation/message.ts";
import { readConversation } from "../../src/providers/detect.ts";
import { type Fault, validateRequest } from "../../src/providers/validate/index.ts";
import { createTokenCounter } from "../../src/tokens/counter.ts";
import { type Json, type Said, type Wire, wires } from "../gateway-wires.ts";

export interface AgentServer {
  readonly url: string;
  readonly requests: readonly Received[];
  readonly close: () => Promise<void>;
}

export interface Received {
  readonly wire: Wire["name"];
  readonly body: Json;
  /** The body as it came. */
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly tokens: number;
  readonly faults: readonly Fault[];
  /** What was answered: text and calls, or the refusal; nothing to what is no part of the agent's work. */
  readonly said: Said | "refused" | "aside";
}

export interface AgentServerOptions {
  readonly window: number;
  /** Takes the place of what the agent would say. */
  readonly say?: (body: Json, index: number) => Said | undefined;
  /** What a request costs. @default as the engine counts for an OpenAI model */
  readonly count?: (body: Json) => number;
  /** Characters of sealed thinking in each answer that is not streamed. @default none */
  readonly sealed?: number;
  /** What becomes of a request that asks for a summary. @default it is taken for the agent's */
  readonly aside?: Aside;
}

export type Aside = { readonly say: string } | "hang" | "refuse" | "truncate" | "call" | "fail";

const FORMATS = {
  chat: "openai-chat",
  messages: "anthropic-messages",
  responses: "openai-responses",
} as const;
const counter = createTokenCounter({ model: "gpt-5" });

export async function createAgentServer({
  window,
  say,
  count,
  sealed = 0,
  aside,
}: AgentServerOptions): Promise<AgentServer> {
  const requests: Received[] = [];
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const body = JSON.parse(text) as Json;
    if (incoming.url?.endsWith("/responses/compact")) return compacted(response);
    const wire = wires.find(({ path }) => incoming.url?.replace(/\?.*/, "").endsWith(path.slice(3)));
    if (!wire) return void response.writeHead(404).end();
    const format = FORMATS[wire.name];
    const conversation = readConversation(body, { format });
    const tokens = count?.(body) ?? counter.conversation(conversation);
    const { faults } = validateRequest(body, { format, alternate: true });
    const index = requests.length;
    const received = { wire: wire.name, body, text, headers: incoming.headers, tokens, faults };
    if (aside !== undefined && isAside(conversation)) {
      requests.push({ ...received, said: "aside" });
      return answerAside(aside, wire, received, response);
    }
    const said = tokens > window ? "refused" : (say?.(body, index) ?? agentSays(conversation, body, index));
    requests.push({ ...received, said });
    if (said === "refused") refuse(wire, tokens, window, response);
    else if (body.stream === true) stream(wire, said, index, response);
    else reply(thoughtful(wire.answer(said, `answer_${index}`), sealed), response);
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The agent's own requests end with what a tool gave or with an ask of the user. */
function isAside({ messages }: Conversation): boolean {
  const last = messages.at(-1)!;
  const spoken = last.parts.findLast((part) => part.type === "text");
  return spoken?.type === "text" && !/^Turn \d+: read module/.test(spoken.text);
}

function answerAside(
  aside: Aside,
  wire: Wire,
  { body, headers }: Pick<Received, "body" | "headers">,
  response: ServerResponse,
): void {
  if (aside === "hang") return;
  if (aside === "fail") {
    // As some providers do, it quotes the key.
    const message = `Incorrect API key provided: ${headers.authorization ?? headers["x-api-key"]}.`;
    response.writeHead(401, { "content-type": "application/json" });
    return void response.end(
      JSON.stringify({ type: "error", error: { type: "authentication_error", message } }),
    );
  }
  const calls =
    aside === "call" ? [{ id: "call_aside", name: "read_module", arguments: '{"module":1}' }] : [];
  const text = typeof aside === "object" ? aside.say : "The modules were read one after the other.";
  const said: Said = { text, calls };
  if (body.stream === true) {
    stream(wire, said, 0, response);
    return;
  }
  const answer = wire.answer(said, "aside");
  const cut = aside === "truncate" ? cutShort(wire, answer) : {};
  reply({ ...answer, ...cut, ...(aside === "refuse" && refusing(wire, answer)) }, response);
}

function cutShort({ name }: Wire, { choices }: Json): Json {
  if (name === "messages") return { stop_reason: "max_tokens" };
  if (name === "responses")
    return { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
  return { choices: [{ ...(choices as Json[])[0], finish_reason: "length" }] };
}

function refusing({ name }: Wire, { choices }: Json): Json {
  const refusal = "I can't help with that.";
  if (name === "messages") return { stop_reason: "refusal", content: [{ type: "text", text: refusal }] };
  const item = { type: "message", id: "m", role: "assistant", status: "completed" };
  if (name === "responses") return { output: [{ ...item, content: [{ type: "refusal", refusal }] }] };
  const message = { role: "assistant", content: null, refusal };
  return { choices: [{ ...(choices as Json[])[0], finish_reason: "content_filter", message }] };
}

/** As `responses.compact` answers: all that was said is in one sealed item. */
function compacted(response: ServerResponse): void {
  const output = [{ type: "compaction", id: "cmp_1", encrypted_content: "sealed" }];
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ id: "resp_1", object: "response.compaction", created_at: 1, output }));
}

export const ask = (turn: number): string => `Turn ${turn}: read module ${turn} and tell me its port.`;

export const moduleText = (module: number): string =>
  [
    `export const port = ${portOf(module)};`,
    ...Array.from(
      { length: 40 },
      (_, line) => `export const value${line} = "module-${module}:${line * 37}"; // keep in order`,
    ),
  ].join("\n");

export const portOf = (module: number): number => 20_000 + module * 13;

/** How far back it asks by recall. */
export const RECALL_BACK = 35;
/** When it does. */
export const isRecallTurn = (turn: number): boolean => turn % 10 === 9 && turn > RECALL_BACK;

function agentSays({ messages }: Conversation, { tools }: Json, index: number): Said {
  const asked = messages.findLast(isUserMessage);
  const turn = Number([...proseOf(asked!).matchAll(/Turn (\d+): read module/g)].at(-1)?.[1]);
  if (carriesResults(messages.at(-1)!))
    return { text: `Turn ${turn} is done: the port of module ${turn} is ${portOf(turn)}.`, calls: [] };
  const call = (name: string, given: Json): Said => ({
    text: `Looking into it (${turn}).`,
    calls: [{ id: `call_${index}_${name}`, name, arguments: JSON.stringify(given) }],
  });
  if (isRecallTurn(turn) && JSON.stringify(tools ?? []).includes("recall_search"))
    return call("recall_search", { query: `port of module-${turn - RECALL_BACK}` });
  return call("read_module", { module: turn });
}

function reply(answer: Json, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(answer));
}

/** The answer with thinking before it that only the provider can read, where the API has such. */
function thoughtful(answer: Json, sealed: number): Json {
  const { output, content, id } = answer;
  if (sealed === 0) return answer;
  const seal = randomBytes(Math.ceil((sealed * 3) / 4)).toString("base64");
  const thinking = { type: "thinking", thinking: "", signature: seal };
  if (Array.isArray(content)) return { ...answer, content: [thinking, ...content] };
  const reasoning = { type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: seal };
  return Array.isArray(output) ? { ...answer, output: [reasoning, ...output] } : answer;
}

function stream(wire: Wire, said: Said, index: number, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of wire.events(said, `answer_${index}`)) response.write(event);
  response.end();
}

function refuse({ name }: Wire, tokens: number, window: number, response: ServerResponse): void {
  const anthropic = {
    type: "error",
    error: {
      type: "invalid_request_error",
      message: `prompt is too long: ${tokens} tokens > ${window} maximum`,
    },
  };
  const openai = {
    error: {
      type: "invalid_request_error",
      code: "context_length_exceeded",
      message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens.`,
    },
  };
  response.writeHead(400, { "content-type": "application/json" });
  response.end(JSON.stringify(name === "messages" ? anthropic : openai));
}
