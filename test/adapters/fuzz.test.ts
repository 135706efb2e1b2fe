/**
 * Fuzz: whatever a caller may have in its history, the requests that the SDK makes of it are as valid with Pith as without.
 * A sample of it, and 10,000 compactions with PITH_FULL=1.
 */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { type AgentInputItem, OpenAIResponsesModel, setTracingDisabled, withTrace } from "@openai/agents";
import { generateText, type LanguageModel, type ModelMessage, wrapLanguageModel } from "ai";
import fc from "fast-check";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { pithAiSdk } from "../../src/adapters/ai-sdk.ts";
import { pithLangChain } from "../../src/adapters/langchain.ts";
import { pithOpenAI } from "../../src/adapters/openai.ts";
import type { AdapterOptions } from "../../src/adapters/sessions.ts";
import { type Fault, validateRequest } from "../../src/providers/validate/index.ts";
import { anyTurn, type Turn } from "../arbitrary/turn.ts";
import { wires } from "../gateway-wires.ts";
import { agentsTurn, aiTurn, langChainTurn } from "./native-turns.ts";

setTracingDisabled(true);
// It tells of each thought that a provider does not take.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const FORMATS = { chat: "openai-chat", messages: "anthropic-messages", responses: "openai-responses" };

/** A provider that answers at once, and notes what is wrong with each request. */
function provider() {
  const faults: Fault[] = [];
  const answer = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    const wire = wires.find(({ path }) => url.replace(/\?.*/, "").endsWith(path.slice(3)))!;
    faults.push(
      ...validateRequest(String(init?.body), { format: FORMATS[wire.name], alternate: true }).faults,
    );
    const said = wire.answer({ text: "Done.", calls: [] }, "answer_0");
    return Response.json(said, { headers: { "content-type": "application/json" } });
  };
  return { faults, fetch: answer as typeof fetch };
}

/** Sends a history through an SDK; the turns stand in for it. */
type Send = (turns: readonly Turn[], end: number) => Promise<unknown>;
type Create = (fetch: typeof globalThis.fetch, options?: AdapterOptions) => Send;

const aiSdk =
  (modelOf: (fetch: typeof globalThis.fetch) => LanguageModel): Create =>
  (fetch, options) => {
    const plain = modelOf(fetch) as Parameters<typeof wrapLanguageModel>[0]["model"];
    const middleware = options && pithAiSdk(options).middleware;
    const model = middleware ? wrapLanguageModel({ model: plain, middleware }) : plain;
    return (turns, end) =>
      generateText({ model, maxRetries: 0, messages: upTo<ModelMessage>(turns.flatMap(aiTurn), end) });
  };

const langChain =
  (modelOf: (fetch: typeof globalThis.fetch) => ChatOpenAI | ChatAnthropic): Create =>
  (fetch, options) => {
    const model = modelOf(fetch);
    const handler = ({ messages }: { readonly messages: BaseMessage[] }) => model.invoke(messages);
    const wrap = options && pithLangChain(options).middleware.wrapModelCall;
    return (turns, end) => {
      const request = { messages: upTo<BaseMessage>(turns.flatMap(langChainTurn), end) };
      return wrap ? wrap(request, handler) : handler(request);
    };
  };

const agents: Create = (fetch, options) => {
  const client = new OpenAI({ apiKey: "none", baseURL: "http://127.0.0.1/v1", maxRetries: 0, fetch });
  const model = new OpenAIResponsesModel(client, "gpt-5");
  const filter = options && pithOpenAI(options).callModelInputFilter;
  return async (turns, end) => {
    const modelData = {
      input: upTo<AgentInputItem>(turns.flatMap(agentsTurn), end),
      instructions: "Be brief.",
    };
    const { input, instructions } = filter ? await filter({ modelData }) : modelData;
    const request = {
      modelSettings: {},
      tools: [],
      outputType: "text" as const,
      handoffs: [],
      tracing: false,
    };
    return withTrace("fuzz", () =>
      model.getResponse({ ...request, input: [...input], systemInstructions: instructions }),
    );
  };
};

/** Up to the ask or the results that the share falls on: what can be sent. */
function upTo<Native>(messages: readonly Native[], share: number): Native[] {
  const isAsked = (message: Native) => {
    const { role, type } = message as { readonly role?: string; readonly type?: string };
    return role === "user" || role === "tool" || /^(?:human|tool|function_call_result)$/.test(String(type));
  };
  const ends = messages.flatMap((message, at) => {
    const next = messages[at + 1] as { readonly type?: string } | undefined;
    const goesOn = /^(?:tool|function_call_result)$/.test(String(next?.type));
    return isAsked(message) && !goesOn ? [at + 1] : [];
  });
  return messages.slice(0, ends[Math.floor(share * (ends.length - 1))]);
}

const openAIOf = (fetch: typeof globalThis.fetch) =>
  createOpenAI({ apiKey: "none", baseURL: "http://127.0.0.1/v1", fetch });
const adapters: Readonly<Record<string, Create>> = {
  "AI SDK, OpenAI chat": aiSdk((fetch) => openAIOf(fetch).chat("gpt-4o")),
  "AI SDK, OpenAI responses": aiSdk((fetch) => openAIOf(fetch).responses("gpt-4o")),
  "AI SDK, Anthropic": aiSdk((fetch) =>
    createAnthropic({ apiKey: "none", baseURL: "http://127.0.0.1/v1", fetch })("claude-opus-4-1"),
  ),
  "LangChain, OpenAI chat": langChain(
    (fetch) =>
      new ChatOpenAI({
        model: "gpt-4o",
        apiKey: "none",
        maxRetries: 0,
        useResponsesApi: false,
        configuration: { baseURL: "http://127.0.0.1/v1", fetch },
      }),
  ),
  "LangChain, Anthropic": langChain(
    (fetch) =>
      new ChatAnthropic({
        model: "claude-opus-4-1",
        apiKey: "none",
        maxRetries: 0,
        anthropicApiUrl: "http://127.0.0.1",
        clientOptions: { fetch },
      }),
  ),
  "Agents SDK": agents,
};

const full = Boolean(process.env.PITH_FULL);
const COMPACTIONS = full ? Math.ceil(10_000 / Object.keys(adapters).length) : 30;

const anyCase = fc.record({
  turns: fc.array(anyTurn, { minLength: 2, maxLength: 6, size: "max" }),
  ends: fc.tuple(fc.double({ min: 0.3, max: 0.8, noNaN: true }), fc.constant(1)),
  window: fc.integer({ min: 1_000, max: 6_000 }),
});

test.each(Object.keys(adapters))(
  "%s: what is sent is as valid with Pith as without",
  async (name) => {
    const create = adapters[name]!;
    let compactions = 0;
    const cases = { all: 0, valid: 0 };
    const property = fc.asyncProperty(anyCase, async ({ turns, ends, window }) => {
      const [plain, wrapped] = [provider(), provider()];
      const onEvent: AdapterOptions["onEvent"] = (event) => {
        if (event.type === "compaction-end" && event.report.compacted) compactions++;
      };
      const [sendPlain, sendWrapped] = [create(plain.fetch), create(wrapped.fetch, { window, onEvent })];
      for (const end of ends) {
        await sendPlain(turns, end);
        await sendWrapped(turns, end);
      }
      cases.all++;
      // What the SDK makes of it by itself may be refused as well.
      if (plain.faults.length > 0) return;
      cases.valid++;
      expect(wrapped.faults).toEqual([]);
    });
    for (let seed = 1; compactions < COMPACTIONS; seed++)
      await fc.assert(property, { seed, numRuns: 20, endOnFailure: true });
    console.log(`${name}: ${compactions} compactions, 0 violations in ${cases.valid} of ${cases.all} cases`);
    expect(cases.valid).toBeGreaterThan(cases.all / 2);
  },
  full ? 3_600_000 : 600_000,
);
