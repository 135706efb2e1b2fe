/** testAdapter: what every adapter does through the same engine, shown with the real SDK against a model on loopback. */
import { expect, test } from "vitest";
import { memoryArchive } from "../../src/archive/memory.ts";
import type { CompactionEvent, Report } from "../../src/index.ts";
import { openAISummarizer } from "../../src/summarizer/openai-compatible.ts";
import { createModelServer } from "../../src/testing/model-server.ts";
import { type AgentServer, ask, createAgentServer, moduleText, type Received } from "./agent-server.ts";
import { expectLongRun, TURNS, WINDOW } from "./long-run.ts";
import { longHistory, type TestedAdapter } from "./sdk-agent.ts";
import { type StrictCount, strictCount } from "./strict-count.ts";
import { testSame } from "./test-same.ts";

export function testAdapter(tested: TestedAdapter): void {
  testSame(tested);
  const { name, create, gaps = {}, momentary = [] } = tested;
  test(`${name}: ${TURNS} turns in a window of ${WINDOW} tokens, streamed every other turn`, async () => {
    const server = await createAgentServer({ window: WINDOW });
    const { options, events } = observed({ window: WINDOW, archive: memoryArchive() });
    const modules: number[] = [];
    const agent = create({ server, options, onRead: (module) => modules.push(module) });
    const answers: string[] = [];
    for (let turn = 0; turn < TURNS; turn++)
      answers.push(await agent.ask(ask(turn), { stream: turn % 2 === 1 }));
    await server.close();
    expectLongRun({ server, events, modules, answers });
  });

  for (const { what, asModel, told, sealed, count } of strictServers) {
    test(`${name}: ${what}, and no request is over the window`, async () => {
      const server = await createAgentServer({
        window: WINDOW,
        sealed,
        count: (body) => strictCount(body, count),
      });
      const { options, events } = observed({ window: WINDOW, archive: memoryArchive() });
      const agent = create({ server, options, model: asModel?.(name), told });
      for (let turn = 0; turn < STRICT_TURNS; turn++)
        expect(await agent.ask(ask(turn))).toContain(`Turn ${turn} is done`);
      await server.close();
      expect(server.requests.filter(({ said }) => said === "refused")).toHaveLength(0);
      expect(server.requests.flatMap(({ faults }) => faults)).toEqual([]);
      expect(reportsOf(events).filter(({ compacted }) => compacted).length).toBeGreaterThan(2);
      console.log(
        `${server.requests.length} requests, largest ${Math.max(...server.requests.map(({ tokens }) => tokens))} tokens`,
      );
    });
  }

  test(`${name}: the chunks of a stream are those of an unwrapped run, calls included`, async () => {
    const server = await createAgentServer({ window: 1_000_000 });
    const history = longHistory(60);
    const plain = await create({ server, history }).chunks(ask(60));
    const half = server.requests.length;
    const wrapped = await create({ server, history, options: { window: WINDOW } }).chunks(ask(60));
    await server.close();
    expect(steady(wrapped, momentary)).toEqual(steady(plain, momentary));
    expect(plain.length).toBeGreaterThan(3);
    const [before, after] = [server.requests[0]!, server.requests[half]!];
    expect(before.tokens).toBeGreaterThan(WINDOW);
    expect(after.tokens).toBeLessThan(WINDOW);
    expect(withoutMessages(after)).toEqual(withoutMessages(before));
  });

  test(`${name}: ten pictures of the latest ask arrive whole, at the end of a long conversation`, async () => {
    const window = 128_000;
    const server = await createAgentServer({ window });
    const { options, events } = observed({ window, archive: memoryArchive() });
    const agent = create({ server, options, history: longHistory(150) });
    const pictures = Array.from({ length: 10 }, (_, at) => pictureOf(at));
    expect(await agent.show(pictures, ask(150))).toContain("Turn 150 is done");
    await server.close();
    expect(server.requests.length).toBeGreaterThan(1);
    for (const { body, tokens, faults } of server.requests) {
      expect(pictures.filter((picture) => JSON.stringify(body).includes(picture))).toHaveLength(10);
      expect(tokens).toBeLessThan(window - 40_000);
      expect(faults).toEqual([]);
    }
    expect(reportsOf(events).some(({ compacted }) => compacted)).toBe(true);
  });

  test.skipIf(gaps.overflow)(`${name}: refused for its size, compacted and sent once more`, async () => {
    const server = await createAgentServer({ window: 9_000 });
    const agent = create({ server, options: { window: 100_000 }, history: longHistory(30) });
    expect(await agent.ask(ask(30))).toContain("Turn 30 is done");
    await server.close();
    expect(server.requests.map(({ said }) => said === "refused")).toEqual([true, false, false]);
    expect(server.requests.slice(1).flatMap(({ faults }) => faults)).toEqual([]);
  });

  test(`${name}: a summary is written in the background, and told by the next compaction`, async () => {
    const told = "The ports of the first modules were read and noted.";
    const writer = await createModelServer({ reply: { type: "say", text: told } });
    const server = await createAgentServer({ window: WINDOW });
    const { options, events } = observed({
      window: WINDOW,
      archive: memoryArchive(),
      summarizer: openAISummarizer({ url: `${writer.url}/v1`, model: "m" }),
      summarize: "background" as const,
    });
    const agent = create({ server, options });
    for (let turn = 0; turn < 40 && !server.requests.some(says(told)); turn++) await agent.ask(ask(turn));
    await server.close();
    await writer.close();
    expect(server.requests.filter(says(told)).length).toBeGreaterThan(0);
    const summaries = reportsOf(events).flatMap(({ summary }) => summary?.summarizer ?? []);
    expect(summaries.length).toBeGreaterThan(0);
    expect(server.requests.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test(`${name}: [F83] a blank reason is refused, and nothing is compacted`, async () => {
    const { options, events } = observed({ window: 40_000, preset: "synthorg-agent" as const });
    const calls = [{ id: "c1", name: "compress_context", arguments: '{"reason":" "}' }];
    const server = await createAgentServer({
      window: 100_000,
      say: (_body, index) => (index === 0 ? { text: "", calls } : { text: "Done.", calls: [] }),
    });
    const agent = create({ server, options, history: longHistory(30) });
    expect(await agent.ask("Go on.")).toBe("Done.");
    await server.close();
    expect(JSON.stringify(server.requests[1]!.body)).toContain("compress_context needs a reason");
    expect(reportsOf(events).map(({ compacted }) => compacted)).toEqual([false, false]);
  });

  test(`${name}: [F82] the model asks by compress_context, and the next request is smaller`, async () => {
    const { options, events } = observed({ window: 40_000, preset: "synthorg-agent" as const });
    const calls = [{ id: "c1", name: "compress_context", arguments: '{"reason":"The modules are read."}' }];
    const server = await createAgentServer({
      window: 100_000,
      say: (_body, index) => (index === 0 ? { text: "", calls } : { text: "Done.", calls: [] }),
    });
    const agent = create({ server, options, history: longHistory(30) });
    expect(await agent.ask("Go on.")).toBe("Done.");
    await agent.ask("And now?");
    await server.close();
    const [first, second] = server.requests as [Received, Received];
    expect(second.tokens).toBeLessThan(first.tokens / 2);
    expect(server.requests.flatMap(({ faults }) => faults)).toEqual([]);
    expect(JSON.stringify(second.body)).toContain("Compaction requested: The modules are read.");
    const [, tokens] = /read\.\\n\[Context fill: \d+% \(([\d,]+) of/.exec(JSON.stringify(second.body)) ?? [];
    expect(Number(tokens?.replace(",", ""))).toBe(reportsOf(events)[0]!.promptTokensAfter);
    expect(reportsOf(events).map(({ compacted }) => compacted)).toEqual([false, true, false]);
    expect(reportsOf(events)[1]!.request?.reason).toBe("The modules are read.");
    // The note stands at the end of each request, and the tools before them never change (F82).
    const noted = gaps.liveFill === undefined ? reportsOf(events).map(fillOf) : [];
    expect(server.requests.flatMap(fillTold)).toEqual(noted);
    expect(new Set(server.requests.map(({ body }) => JSON.stringify(body.tools))).size).toBe(1);
  });
}

const STRICT_TURNS = 60;

/** Servers that count for themselves, and more than text alone. */
const strictServers: readonly StrictServer[] = [
  { what: "thinking comes sealed", sealed: 2_400 },
  {
    what: "Claude's tokenizer makes more of a text",
    asModel: (name: string) => `${/Anthropic|tool runner/.test(name) ? "" : "anthropic/"}claude-opus-5`,
    count: { factor: 1.6 },
  },
  { what: "the schema of a tool is large", told: moduleText(1).repeat(6) },
];

interface StrictServer {
  readonly what: string;
  readonly asModel?: (name: string) => string;
  readonly told?: string;
  readonly sealed?: number;
  readonly count?: StrictCount;
}

function observed<Options extends object>(options: Options) {
  const events: CompactionEvent[] = [];
  return { events, options: { ...options, onEvent: (event: CompactionEvent) => events.push(event) } };
}

function reportsOf(events: readonly CompactionEvent[]) {
  return events.flatMap((event) => (event.type === "compaction-end" ? [event.report] : []));
}

/** A PNG by its first bytes; what follows is different in each. */
function pictureOf(at: number): string {
  const head = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  return Buffer.concat([head, Buffer.alloc(3_000, `pixels of ${at} `)]).toString("base64");
}

const says =
  (text: string) =>
  ({ body }: AgentServer["requests"][number]): boolean =>
    JSON.stringify(body).includes(text);

/** How full the note behind the last message says that the context is. */
function fillTold({ body }: Received): readonly string[] {
  const told = JSON.stringify(body).matchAll(
    /\[Context fill: (\d+%) [^\]]* Consider using compress_context/g,
  );
  return [...told].map(([, share]) => share!);
}

function fillOf({ promptTokensAfter, base }: Report): string {
  return `${Math.round((promptTokensAfter / base!) * 100)}%`;
}

/** Without what is of the moment. */
function steady(chunks: readonly unknown[], momentary: readonly string[]): unknown {
  const text = JSON.stringify(chunks, (key, value) => (momentary.includes(key) ? undefined : value));
  return JSON.parse(text.replace(/(answer|call)_\d+/g, "$1").replace(UUID, "id"));
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Everything that the caller set besides what is said. */
function withoutMessages({ body }: Received): unknown {
  const { messages: _messages, input: _input, system: _system, instructions: _instructions, ...rest } = body;
  return rest;
}
