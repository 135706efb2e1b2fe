/** Model server: a real HTTP server on loopback that speaks two model APIs and behaves as well or as badly as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, anthropicWire, type Finish, openAIWire } from "./model-wires.ts";
import { type SummaryFlaws, summaryOf } from "./summary-of.ts";

export { type MadeSummary, type SummaryFlaws, summaryOf } from "./summary-of.ts";

/** What the server does with one request. */
export type Behaviour =
  /** Answers with this text. */
  | { readonly type: "say"; readonly text: string }
  /** Answers with a summary of the facts, or of the lines of the transcript where none are given. */
  | ({ readonly type: "summarize"; readonly facts?: readonly string[] } & SummaryFlaws)
  /** Answers with no text. */
  | { readonly type: "empty" }
  | { readonly type: "refuse" }
  /** Says something and calls a tool. */
  | { readonly type: "call-tool"; readonly text: string }
  /** Stops at a length limit, half way through. */
  | { readonly type: "truncate"; readonly text?: string }
  /** Repeats the orders that it finds in the transcript, as an injected model does. */
  | { readonly type: "echo" }
  | { readonly type: "fail"; readonly status: number; readonly message?: string; readonly code?: string }
  /** Takes the request and never answers. */
  | { readonly type: "hang" }
  /** Ends the connection in the middle of the answer. */
  | { readonly type: "cut"; readonly text?: string }
  | { readonly type: "malformed" }
  /** Waits first. */
  | { readonly type: "slow"; readonly delayMs: number; readonly reply: Behaviour }
  /** Answers when it is told to: as slow as one likes, without a clock. */
  | { readonly type: "held"; readonly until: Promise<unknown>; readonly reply: Behaviour };

export interface RecordedRequest {
  readonly api: "openai" | "anthropic";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as it came. */
  readonly text: string;
  /** The text of all its messages. */
  readonly prompt: string;
}

export interface ModelServerOptions {
  /** One behaviour for every request, a list with one for each (the last repeats), or a function that chooses. */
  readonly reply: Behaviour | readonly Behaviour[] | ((request: RecordedRequest, index: number) => Behaviour);
}

export interface ModelServer {
  /** Such as "http://127.0.0.1:40123". */
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Ends all connections, the hanging ones too. */
  readonly close: () => Promise<void>;
}

/** Serves POST …/chat/completions and …/messages, as JSON or, where the request says `stream`, as server-sent events. */
export async function createModelServer({ reply }: ModelServerOptions): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((incoming, response) => {
    response.on("error", () => {});
    readRequest(incoming).then(
      (request) => {
        const behaviour = chosen(reply, request, requests.push(request) - 1);
        behave(behaviour, request, response, timers);
      },
      () => response.writeHead(400).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function chosen(reply: ModelServerOptions["reply"], request: RecordedRequest, index: number): Behaviour {
  if (typeof reply === "function") return reply(request, index);
  if (!Array.isArray(reply)) return reply as Behaviour;
  return (
    reply[Math.min(index, reply.length - 1)] ?? {
      type: "fail",
      status: 500,
      message: "No reply is scripted.",
    }
  );
}

async function readRequest(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const body = JSON.parse(text) as Record<string, unknown>;
  const path = incoming.url ?? "/";
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  const api = /\/messages(?:\?|$)/.test(path) ? "anthropic" : "openai";
  return { api, path, headers, body, text, prompt: promptOf(body) };
}

function promptOf({ messages }: Readonly<Record<string, unknown>>): string {
  if (!Array.isArray(messages)) return "";
  return messages
    .map(({ content }: { content?: unknown }) =>
      Array.isArray(content)
        ? content.map((part: { text?: string }) => part.text ?? "").join("\n")
        : String(content),
    )
    .join("\n\n");
}

function behave(
  behaviour: Behaviour,
  request: RecordedRequest,
  response: ServerResponse,
  timers: Set<NodeJS.Timeout>,
): void {
  const answer = answerOf(behaviour, request.prompt);
  if (answer !== undefined) {
    send(answer, request, response);
  } else if (behaviour.type === "fail") {
    fail(behaviour, request, response);
  } else if (behaviour.type === "malformed") {
    response.writeHead(200, { "content-type": "application/json" }).end('{"choices": [{"message": {"cont');
  } else if (behaviour.type === "slow") {
    const timer = setTimeout(() => {
      timers.delete(timer);
      behave(behaviour.reply, request, response, timers);
    }, behaviour.delayMs);
    timers.add(timer);
  } else if (behaviour.type === "held") {
    const answer = () => behave(behaviour.reply, request, response, timers);
    behaviour.until.then(answer, answer);
  }
}

/** What the model says, where it says anything. */
function answerOf(behaviour: Behaviour, prompt: string): Answer | undefined {
  const said = (text: string, finish: Finish = "stop", cut = false): Answer => ({ text, finish, cut });
  switch (behaviour.type) {
    case "say":
      return said(behaviour.text);
    case "summarize":
      return said(summaryOf(behaviour.facts ?? linesOf(prompt), behaviour).text);
    case "empty":
      return said("");
    case "refuse":
      return said("I'm sorry, but I can't help with summarizing this conversation.", "refusal");
    case "call-tool":
      return said(behaviour.text, "tool-calls");
    case "truncate":
      return said(behaviour.text ?? "[CONTEXT SUMMARY]: The user asked for", "length");
    case "echo":
      return said(`[CONTEXT SUMMARY]: ${ordersIn(prompt).join("\n")}`);
    case "cut":
      return said(behaviour.text ?? "[CONTEXT SUMMARY]: All went well until it broke off", "stop", true);
    default:
      return undefined;
  }
}

function fail(
  { status, message = "The model is not available.", code }: Behaviour & { type: "fail" },
  { api }: RecordedRequest,
  response: ServerResponse,
): void {
  const error = {
    type: code ?? (status === 529 ? "overloaded_error" : "api_error"),
    code: code ?? null,
    message,
  };
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(api === "anthropic" ? { type: "error", error } : { error }));
}

function send(answer: Answer, { api, body, prompt }: RecordedRequest, response: ServerResponse): void {
  const usage = { input: Math.ceil(prompt.length / 4), output: Math.ceil(answer.text.length / 4) };
  const model = String(body.model ?? "model");
  const wire = api === "anthropic" ? anthropicWire : openAIWire;
  if (body.stream === true) {
    const events = wire.events(answer, model, usage);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of answer.cut ? events.slice(0, Math.ceil(events.length / 2)) : events)
      response.write(event);
    // A cut must come after what was written, or nothing of it arrives.
    if (answer.cut) response.write("data: {", () => response.destroy());
    else response.end();
    return;
  }
  const text = JSON.stringify(wire.body(answer, model, usage));
  const length = Buffer.byteLength(text);
  response.writeHead(200, { "content-type": "application/json", "content-length": length });
  if (answer.cut) response.write(text.slice(0, text.length / 2), () => response.destroy());
  else response.end(text);
}

/** The transcript's lines, without labels, fences and marks. */
function linesOf(prompt: string): readonly string[] {
  const start = prompt.indexOf("TURNS TO SUMMARIZE:");
  const turns = start < 0 ? prompt : prompt.slice(start, prompt.lastIndexOf("\n---\n")).slice(19);
  return turns
    .split("\n")
    .filter((line) => !/^(?:<\/?turn-|\[…)/.test(line))
    .map((line) => line.replace(/^\[[A-Z]+\]: /, "").trim())
    .filter(Boolean);
}

const ORDER =
  /ignore|disregard|you must|you are now|new instructions|system prompt|<\/?\w+>|\[\/?INST\]|<\|\w+\|>|^(?:please|run|delete|send)\b/i;

function ordersIn(prompt: string): readonly string[] {
  const lines = linesOf(prompt);
  const orders = lines.filter((line) => ORDER.test(line));
  return orders.length > 0 ? orders : lines.slice(-1);
}
