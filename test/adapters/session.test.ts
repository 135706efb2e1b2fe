/** A Session of the Agents SDK, which keeps what the input filter gives as what the user said. */
import { Agent, MemorySession, OpenAIResponsesModel, Runner, tool } from "@openai/agents";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { z } from "zod";
import { pithOpenAI } from "../../src/adapters/openai.ts";
import { memoryArchive } from "../../src/archive/memory.ts";
import type { Said } from "../gateway-wires.ts";
import {
  type AgentServer,
  type AgentServerOptions,
  ask,
  createAgentServer,
  moduleText,
} from "./agent-server.ts";
import { readModule, SYSTEM } from "./sdk-agent.ts";
import { strictCount } from "./strict-count.ts";

const WINDOW = 8_000;
const ASKS = 40;

/** Two asks of five are answered at length, without a tool: then it is an ask that finds the window full. */
const atLength: AgentServerOptions["say"] = ({ input }) => {
  const last = (input as { readonly role?: string }[]).at(-1)!;
  const turn = Number(/Turn (\d+): read/.exec(JSON.stringify(last))?.[1]);
  if (last.role !== "user" || !(turn % 5 < 2)) return undefined;
  return { text: [0, 1, 2].map((more) => moduleText(turn + more)).join("\n"), calls: [] };
};

test.each([false, true])(
  "64 turns leave all 40 asks in the Session, verbatim (streamed: %s)",
  async (stream) => {
    const { server, said } = await ran({ say: atLength, stream, asks: asks(ASKS) });
    expect(server.requests).toHaveLength(64);
    expect(handedOff(server)).toBeGreaterThan(5);
    expect(said).toEqual(asks(ASKS));
  },
);

test("the ask of a run stays itself while its own steps are handed off", async () => {
  const { server, said } = await ran({
    say: (_body, index) => (index === 48 ? { text: "Done.", calls: [] } : reading(index)),
    asks: ["Read all modules."],
  });
  expect(handedOff(server)).toBeGreaterThan(2);
  expect(said).toEqual(["Read all modules."]);
});

test("an ask too large for the window is in the Session as it was sent, and nobody else's words with it", async () => {
  const huge = `Read this and tell me its port.\n${moduleText(1).repeat(12)}`;
  const { server, said } = await ran({ asks: [...asks(6), huge, ...asks(3)], say: atLength });
  expect(strictCount({ input: [{ role: "user", content: huge }] })).toBeGreaterThan(WINDOW);
  expect(server.requests.length).toBeGreaterThan(10);
  expect(said.toSpliced(6, 1)).toEqual([...asks(6), ...asks(3)]);
  expect(said[6]).toMatch(/^Read this and tell me its port\./);
});

interface Talk {
  readonly asks: readonly string[];
  readonly say?: AgentServerOptions["say"];
  readonly stream?: boolean;
}

/** What the Session has of the user after all asks; no request was refused, and no hand-off is in the Session. */
async function ran({ asks, say, stream = false }: Talk) {
  const server = await createAgentServer({ window: WINDOW, count: (body) => strictCount(body), say });
  const pith = pithOpenAI({ window: WINDOW, archive: memoryArchive() });
  const own = tool({
    name: "read_module",
    description: "Reads a module.",
    parameters: z.object({ module: z.number().int() }),
    execute: (given) => readModule({ server }, given),
  });
  const client = new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1`, maxRetries: 0 });
  const model = new OpenAIResponsesModel(client, "gpt-5");
  const agent = new Agent({
    name: "reader",
    instructions: SYSTEM,
    model,
    tools: [own, ...pith.agentTools],
  });
  const runner = new Runner({ tracingDisabled: true, callModelInputFilter: pith.callModelInputFilter });
  const session = new MemorySession();
  for (const each of asks) {
    const how = { session, maxTurns: 100 };
    if (!stream) await runner.run(agent, each, how);
    else await (await runner.run(agent, each, { ...how, stream })).completed;
  }
  await server.close();
  expect(server.requests.filter(({ said }) => said === "refused")).toHaveLength(0);
  expect(server.requests.flatMap(({ faults }) => faults)).toEqual([]);
  const items = await session.getItems();
  const messages = items.filter((item) => "role" in item);
  expect(JSON.stringify(messages)).not.toContain("[Pith hand-off]");
  return {
    server,
    said: messages.flatMap((item) => (item.role === "user" ? [textOf(item)] : [])),
  };
}

const asks = (count: number): readonly string[] => Array.from({ length: count }, (_, turn) => ask(turn));

function reading(index: number): Said {
  return {
    text: "",
    calls: [{ id: `call_${index}`, name: "read_module", arguments: `{"module":${index}}` }],
  };
}

/** In how many requests the hand-off is another one. */
function handedOff({ requests }: AgentServer): number {
  return new Set(requests.map(({ body }) => JSON.stringify((body.input as unknown[])[0]))).size - 1;
}

function textOf({ content }: { readonly content: string | readonly object[] }): string {
  if (typeof content === "string") return content;
  return content.map((block) => ("text" in block ? String(block.text) : "")).join("\n");
}
