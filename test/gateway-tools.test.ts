/** The gateway's own tools: the model calls them, the gateway answers, and the client sees one answer. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { answerTo, begins, listOf, modulesRead, read, wireCases } from "./gateway-talk.ts";
import { type Call, type Json, type Said, type Wire, wires } from "./gateway-wires.ts";
import {
  gatewayTo,
  type Provider,
  post,
  type Received,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-gateway-tools-"));
let provider: Provider;
let gateway: TestGateway;
let say: (request: Received, index: number) => Said;

beforeAll(async () => {
  provider = await startProvider(speaking((request, index) => say(request, index)));
  gateway = await gatewayTo(provider.url, { window: 8_000, archive: join(folder, "archive.sqlite") });
});
beforeEach(() => {
  provider.received.length = 0;
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

const search: Call = { id: "own_1", name: "recall_search", arguments: '{"query":"zebra17_5"}' };
const longHistory = (wire: Wire, title: string): readonly Json[] => modulesRead(wire, { title });
const ask = (wire: Wire, messages: readonly Json[], stream: boolean): Promise<Json> =>
  answerTo(gateway, wire, messages, stream);

test.each(wireCases)(
  "recall is answered inside the turn, unseen by the client on $name (stream $stream)",
  async ({ wire, stream }) => {
    const history = longHistory(wire, `seen-${stream}`);
    say = (_, index) =>
      index === 0
        ? { text: "I look it up.", calls: [search] }
        : { text: index === 1 ? "It is 39612." : "Fine.", calls: [] };
    const answer = await ask(wire, history, stream);
    const [first, second] = provider.received as [Received, Received];
    expect(provider.received).toHaveLength(2);
    expect(JSON.stringify(first.body.tools)).toContain("recall_expand");
    expect(begins(wire, second, first)).toBe(true);
    expect(JSON.stringify(listOf(wire, second).slice(listOf(wire, first).length))).toContain(
      "zebra17_5 = 39612",
    );
    expect(wire.faults(second.body)).toEqual([]);
    const { text, calls } = wire.saidIn(answer);
    expect(calls).toEqual([]);
    expect(text.replace(/\s+/g, " ")).toMatch(/^I look it up\. ?It is 39612\.$/);
    expect(JSON.stringify(answer.usage)).toMatch(/(?:prompt|input)_tokens":200/);
    expect(JSON.stringify(answer.usage)).toMatch(/(?:completion|output)_tokens":20/);
    expect(answer.starts ?? 1).toBe(1);
    expect(JSON.stringify(answer)).not.toContain("recall");
    expect(JSON.stringify(answer)).toMatch(/"(?:end_turn|stop|completed)"/);
    // The next request has in view upstream what the client never saw.
    await ask(wire, [...history, ...wire.heard(answer), wire.user("Thanks. Go on.")], stream);
    const third = provider.received[2]!;
    expect(begins(wire, third, second)).toBe(true);
    expect(wire.faults(third.body)).toEqual([]);
    expect(JSON.stringify(listOf(wire, third))).toContain("own_1");
  },
);

test.each(wireCases)(
  "a call of the client's beside an own one reaches the client alone on $name (stream $stream)",
  async ({ wire, stream }) => {
    const history = longHistory(wire, `mixed-${stream}`);
    say = (_, index) =>
      index === 0 ? { text: "Both.", calls: [search, read] } : { text: "Done.", calls: [] };
    const answer = await ask(wire, history, stream);
    expect(provider.received).toHaveLength(1);
    expect(wire.saidIn(answer)).toEqual({ text: "Both.", calls: [read] });
    expect(JSON.stringify(answer)).toMatch(/"(?:tool_use|tool_calls|completed)"/);
    const results = wire.results([{ call: read, text: "export {};" }]);
    await ask(wire, [...history, ...wire.heard(answer), ...results], stream);
    const [first, second] = provider.received as [Received, Received];
    expect(begins(wire, second, first)).toBe(true);
    expect(wire.faults(second.body)).toEqual([]);
    const added = JSON.stringify(listOf(wire, second).slice(listOf(wire, first).length));
    for (const part of ["own_1", "theirs_1", "zebra17_5 = 39612", "export {};"])
      expect(added).toContain(part);
  },
);

test.each(wires)(
  "a stream in which no own tool is called has the very bytes of the provider on $name",
  async (wire) => {
    say = () => ({ text: "Grüße, 世界. ".repeat(50), calls: [read] });
    const history = longHistory(wire, "plain");
    const response = await post(`${gateway.url}${wire.path}`, wire.body(history, { stream: true }));
    expect(await response.text()).toBe(wire.events(say(provider.received[0]!, 0), "a0").join(""));
    expect(JSON.stringify(provider.received[0]!.body.tools)).toContain("recall_search");
  },
);

test.each(wires)("a model that never stops asking has to answer without on $name", async (wire) => {
  say = ({ body }, index) =>
    JSON.stringify(body.tool_choice ?? "").includes("none")
      ? { text: "Enough.", calls: [] }
      : { text: "", calls: [{ ...search, id: `own_${index}` }] };
  expect(wire.saidIn(await ask(wire, longHistory(wire, "endless"), true))).toEqual({
    text: "Enough.",
    calls: [],
  });
  expect(provider.received.length).toBe(10);
  expect(wire.faults(provider.received.at(-1)!.body)).toEqual([]);
});

test("tools are not offered before something was compacted, against the client's will, or when they are switched off", async () => {
  const [chat] = wires as [Wire];
  say = () => ({ text: "Fine.", calls: [] });
  await ask(chat, [chat.user("hi"), ...longHistory(chat, "short").slice(1, 30)], false);
  await post(`${gateway.url}${chat.path}`, chat.body(longHistory(chat, "none"), { tool_choice: "none" }));
  const off = await gatewayTo(provider.url, {
    window: 8_000,
    archive: join(folder, "off.sqlite"),
    tools: "none",
  });
  await post(`${off.url}${chat.path}`, chat.body(longHistory(chat, "off")));
  await off.stop();
  expect(provider.received.map(({ body }) => body.tools)).toEqual([undefined, undefined, undefined]);
  const own = [{ type: "function", function: { name: "recall_search", parameters: { type: "object" } } }];
  await post(`${gateway.url}${chat.path}`, chat.body(longHistory(chat, "own"), { tools: own }));
  const tools = provider.received.at(-1)!.body.tools as Json[];
  expect(tools.map((tool) => (tool.function as Json).name)).toEqual([
    "recall_search",
    "recall_expand",
    "compress_context",
  ]);
  expect(tools[0]).toEqual(own[0]);
});
