/** The official clients through the gateway: 200 turns each, streamed and not, the client's tools and the gateway's own. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Json, type Said, type Wire, wires } from "../gateway-wires.ts";
import { gatewayTo, type Received, speaking, startProvider } from "../gateway-world.ts";

const TURNS = 200;
const WINDOW = 16_000;
const isInstalled = existsSync(join(import.meta.dirname, "node_modules/openai"));
if (!isInstalled)
  console.warn("SKIPPED: the official clients are not installed. `npm run test:sdk` does that.");
const folder = mkdtempSync(join(tmpdir(), "pith-gateway-sdk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Ask = (body: Json, stream: boolean) => Promise<Json>;
// biome-ignore lint/suspicious/noExplicitAny: the clients are not there when types are checked
type Client = any;
const load = (name: string): Client => createRequire(import.meta.url)(name);

function clientOf({ name }: Wire, url: string): Ask {
  if (name === "messages") {
    const { Anthropic } = load("@anthropic-ai/sdk");
    const client: Client = new Anthropic({ baseURL: url, apiKey: "sk-test", maxRetries: 0 });
    return (body, stream) =>
      stream ? client.messages.stream(body).finalMessage() : client.messages.create(body);
  }
  const { OpenAI } = load("openai");
  const client: Client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "sk-test", maxRetries: 0 });
  if (name === "responses")
    return (body, stream) =>
      stream ? client.responses.stream(body).finalResponse() : client.responses.create(body);
  return (body, stream) =>
    stream
      ? client.chat.completions
          .stream({ ...body, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : client.chat.completions.create(body);
}

const tools: Readonly<Record<Wire["name"], readonly Json[]>> = {
  chat: [
    { type: "function", function: { name: "read_file", parameters: { type: "object", properties: {} } } },
  ],
  messages: [{ name: "read_file", input_schema: { type: "object", properties: {} } }],
  responses: [
    { type: "function", name: "read_file", strict: false, parameters: { type: "object", properties: {} } },
  ],
};

/** Reads files one after the other, and now and then asks for what it has read long ago, alone or beside a file. */
const reading = ({ body, text }: Received, index: number): Said => {
  const search = { id: `own_${index}`, name: "recall_search", arguments: '{"query":"port of module 3"}' };
  const read = {
    id: `call_${index}`,
    name: "read_file",
    arguments: JSON.stringify({ path: `src/m${index}.ts` }),
  };
  const mayRecall =
    JSON.stringify(body.tools).includes("recall_search") && !text.includes(`own_${index - 1}`);
  if (mayRecall && index % 20 === 5) return { text: "Let me look.", calls: [search] };
  if (mayRecall && index % 20 === 15) return { text: "", calls: [search, read] };
  if (index % 8 === 7) return { text: `Module ${index} is understood.`, calls: [] };
  return { text: index % 3 === 0 ? `Next is module ${index}.` : "", calls: [read] };
};
const fileText = (path: string): string =>
  Array.from({ length: 14 }, (_, line) => `export const value${line} = "${path}:${line * 37}";`).join("\n");

test.skipIf(!isInstalled).each(wires)(
  "the official client of $name works through the gateway for 200 turns",
  async (wire) => {
    const provider = await startProvider(speaking(reading));
    const gateway = await gatewayTo(provider.url, {
      window: WINDOW,
      archive: join(folder, `${wire.name}.sqlite`),
    });
    const ask = clientOf(wire, gateway.url);
    const history: Json[] = [wire.user("Read all modules. Never edit generated.ts.")];
    for (let turn = 0; turn < TURNS; turn++) {
      const answer = await ask(wire.body(history, { tools: tools[wire.name] }), turn % 2 === 1);
      const { calls } = wire.saidIn(answer);
      expect(calls.filter(({ name }) => name !== "read_file")).toEqual([]);
      history.push(...wire.heard(answer));
      if (calls.length === 0) history.push(wire.user(`Go on, please (${turn}).`));
      else
        history.push(
          ...wire.results(calls.map((call) => ({ call, text: fileText(JSON.parse(call.arguments).path) }))),
        );
    }
    await gateway.stop();
    await provider.close();
    const lines = gateway.log.map((line) => JSON.parse(line));
    const count = (test: (line: Json) => boolean): number => lines.filter(test).length;
    expect(provider.received.flatMap(({ body }) => wire.faults(body))).toEqual([]);
    const compacted = count(({ outcome }) => outcome === "compacted");
    const breaks = provider.received.filter(({ body }, index) => {
      const before = (provider.received[index - 1]?.body[wire.key] ?? []) as Json[];
      return JSON.stringify((body[wire.key] as Json[]).slice(0, before.length)) !== JSON.stringify(before);
    });
    expect(compacted).toBeGreaterThan(2);
    expect(count(({ toolCalls }) => Number(toolCalls) > 0)).toBeGreaterThan(5);
    expect(count(({ forgot }) => forgot !== undefined)).toBe(0);
    expect(breaks.length).toBe(compacted);
  },
);
