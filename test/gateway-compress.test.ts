/** compress_context through the gateway: the model asks, the gateway answers, and the next request is compacted. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { answerTo, begins, listOf, modulesRead, read, wireCases } from "./gateway-talk.ts";
import { type Call, type Json, type Said, type Wire, wires } from "./gateway-wires.ts";
import {
  gatewayTo,
  outcomesOf,
  type Provider,
  type Received,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-gateway-compress-"));
let provider: Provider;
/** Two on one archive: what one hears, the other one must honour. */
let gateways: readonly [TestGateway, TestGateway];
let say: (request: Received, index: number) => Said;

beforeAll(async () => {
  provider = await startProvider(speaking((request, index) => say(request, index)));
  const settings = {
    preset: "synthorg-agent",
    window: 40_000,
    archive: join(folder, "archive.sqlite"),
  };
  gateways = [await gatewayTo(provider.url, settings), await gatewayTo(provider.url, settings)];
});
beforeEach(() => {
  provider.received.length = 0;
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

const compress: Call = {
  id: "own_1",
  name: "compress_context",
  arguments: '{"reason":"the survey is done"}',
};
const history = (wire: Wire, title: string): readonly Json[] => modulesRead(wire, { title, turns: 50 });
const ask = (at: 0 | 1, wire: Wire, messages: readonly Json[], stream: boolean): Promise<Json> =>
  answerTo(gateways[at], wire, messages, stream);
const outcomes = (at: 0 | 1): readonly unknown[] => outcomesOf(gateways[at]);
test.each(wireCases)(
  "[F74] the next request is compacted, on any gateway, and those after it are not, on $name (stream $stream)",
  async ({ wire, stream }) => {
    let list = history(wire, `asked-${stream}`);
    say = (_, index) =>
      index === 0 ? { text: "A good moment.", calls: [compress] } : { text: "Done.", calls: [] };
    const answer = await ask(0, wire, list, stream);
    const [first, second] = provider.received as [Received, Received];
    expect(provider.received).toHaveLength(2);
    expect(JSON.stringify(first.body.tools)).toContain("compress_context");
    expect(JSON.stringify(first.body.tools)).not.toContain("recall_search");
    expect(begins(wire, second, first)).toBe(true);
    expect(JSON.stringify(listOf(wire, second))).toContain("Compaction requested: the survey is done");
    expect(wire.faults(second.body)).toEqual([]);
    expect(JSON.stringify(answer)).not.toContain("compress_context");
    expect(wire.saidIn(answer).text.replace(/\s+/g, " ")).toMatch(/^A good moment\. ?Done\.$/);
    expect(outcomes(0).at(-1)).toBe("untouched");

    list = [...list, ...wire.heard(answer), wire.user("Go on.")];
    const next = await ask(1, wire, list, stream);
    expect(outcomes(1).at(-1)).toBe("compacted");
    const third = provider.received[2]!;
    expect(third.text.length).toBeLessThan(second.text.length / 2);
    expect(third.text).toContain("Never edit generated.ts.");
    expect(wire.faults(third.body)).toEqual([]);
    expect(JSON.stringify(third.body.tools)).toContain("recall_search");

    list = [...list, ...wire.heard(next), wire.user("And on.")];
    await ask(0, wire, list, stream);
    expect(outcomes(0).at(-1)).toBe("replayed");
    expect(begins(wire, provider.received[3]!, third)).toBe(true);
  },
);

test.each(wireCases)(
  "[F74] a request beside a call of the client's waits for its result, on $name (stream $stream)",
  async ({ wire, stream }) => {
    const list = history(wire, `beside-${stream}`);
    say = (_, index) =>
      index === 0 ? { text: "Both.", calls: [compress, read] } : { text: "Done.", calls: [] };
    const answer = await ask(0, wire, list, stream);
    expect(wire.saidIn(answer)).toEqual({ text: "Both.", calls: [read] });
    const results = wire.results([{ call: read, text: "export {};" }]);
    await ask(1, wire, [...list, ...wire.heard(answer), ...results], stream);
    expect(outcomes(1).at(-1)).toBe("compacted");
    const [, second] = provider.received as [Received, Received];
    expect(wire.faults(second.body)).toEqual([]);
    expect(second.text).toContain("export {};");
  },
);

test("a request without a reason is answered with what is missing, and nothing is compacted", async () => {
  const [chat] = wires as readonly [Wire];
  const list = history(chat, "blank");
  say = (_, index) =>
    index === 0
      ? { text: "", calls: [{ ...compress, arguments: '{"reason":" "}' }] }
      : { text: "Done.", calls: [] };
  const answer = await ask(0, chat, list, false);
  expect(provider.received[1]!.text).toContain("compress_context needs a reason");
  await ask(1, chat, [...list, ...chat.heard(answer), chat.user("Go on.")], false);
  expect(outcomes(1).at(-1)).toBe("replayed");
});
