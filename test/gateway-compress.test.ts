/** compress_context through the gateway: the model asks, the gateway answers, and the next request is compacted. */
import { expect, test } from "vitest";
import { answerTo, begins, listOf, modulesRead, read, talkThrough, wireCases } from "./gateway-talk.ts";
import { type Call, type Json, type Wire, wires } from "./gateway-wires.ts";
import { outcomesOf, type Received } from "./gateway-world.ts";

/** Two on one archive: what one hears, the other one must honour. */
const talk = talkThrough(2, { preset: "synthorg-agent", window: 40_000 });
const compress: Call = {
  id: "own_1",
  name: "compress_context",
  arguments: '{"reason":"the survey is done"}',
};
const history = (wire: Wire, title: string): readonly Json[] => modulesRead(wire, { title, turns: 50 });
const ask = (at: 0 | 1, wire: Wire, messages: readonly Json[], stream: boolean): Promise<Json> =>
  answerTo(talk.gateways[at]!, wire, messages, stream);
const outcomes = (at: 0 | 1): readonly unknown[] => outcomesOf(talk.gateways[at]!);
test.each(wireCases)(
  "[F74] the next request is compacted, on any gateway, and those after it are not, on $name (stream $stream)",
  async ({ wire, stream }) => {
    let list = history(wire, `asked-${stream}`);
    talk.say = (_, index) =>
      index === 0 ? { text: "A good moment.", calls: [compress] } : { text: "Done.", calls: [] };
    const answer = await ask(0, wire, list, stream);
    const [first, second] = talk.provider.received as [Received, Received];
    expect(talk.provider.received).toHaveLength(2);
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
    const third = talk.provider.received[2]!;
    expect(third.text.length).toBeLessThan(second.text.length / 2);
    expect(third.text).toContain("Never edit generated.ts.");
    expect(wire.faults(third.body)).toEqual([]);
    expect(JSON.stringify(third.body.tools)).toContain("recall_search");

    list = [...list, ...wire.heard(next), wire.user("And on.")];
    await ask(0, wire, list, stream);
    expect(outcomes(0).at(-1)).toBe("replayed");
    expect(begins(wire, talk.provider.received[3]!, third)).toBe(true);
  },
);

test.each(wireCases)(
  "[F74] a request beside a call of the client's waits for its result, on $name (stream $stream)",
  async ({ wire, stream }) => {
    const list = history(wire, `beside-${stream}`);
    talk.say = (_, index) =>
      index === 0 ? { text: "Both.", calls: [compress, read] } : { text: "Done.", calls: [] };
    const answer = await ask(0, wire, list, stream);
    expect(wire.saidIn(answer)).toEqual({ text: "Both.", calls: [read] });
    const results = wire.results([{ call: read, text: "export {};" }]);
    await ask(1, wire, [...list, ...wire.heard(answer), ...results], stream);
    expect(outcomes(1).at(-1)).toBe("compacted");
    const [, second] = talk.provider.received as [Received, Received];
    expect(wire.faults(second.body)).toEqual([]);
    expect(second.text).toContain("export {};");
  },
);

test("[F83] a request without a reason is answered with what is missing, and nothing is compacted", async () => {
  const [chat] = wires as readonly [Wire];
  const list = history(chat, "blank");
  talk.say = (_, index) =>
    index === 0
      ? { text: "", calls: [{ ...compress, arguments: '{"reason":" "}' }] }
      : { text: "Done.", calls: [] };
  const answer = await ask(0, chat, list, false);
  expect(talk.provider.received[1]!.text).toContain("compress_context needs a reason");
  await ask(1, chat, [...list, ...chat.heard(answer), chat.user("Go on.")], false);
  expect(outcomes(1).at(-1)).toBe("replayed");
});
