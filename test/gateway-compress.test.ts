/** compress_context through the gateway: the model asks, the gateway answers, and the next request is compacted. */
import { expect, test } from "vitest";
import { answerTo, begins, listOf, modulesRead, read, talkThrough, wireCases } from "./gateway-talk.ts";
import { type Call, type Json, type Wire, wires } from "./gateway-wires.ts";
import { eventsOf, outcomesOf, type Received } from "./gateway-world.ts";

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
/** The percentages of the fill indicators in a request, in order. */
const fillTold = ({ text }: Received): readonly number[] =>
  [...text.matchAll(/\[Context fill: (\d+)% \([\d,]+ of [\d,]+ tokens\)\./g)].map(([, share]) =>
    Number(share),
  );

/** What a request says apart from the note behind it, which no later one has at that place. */
function withoutNote(wire: Wire, request: Received): Received {
  const list = listOf(wire, request);
  const last = JSON.stringify(list.at(-1));
  const plain = last
    .replace(/(?:\\n\\n)\[Context fill: [^\]]*\]/, "")
    .replace(/,\{"type":"(?:input_)?text","text":"\[Context fill: [^\]]*\]"\}/, "")
    // A text of the Messages API is a single block.
    .replace(/"content":\[\{"type":"text","text":("[^"]*")\}\]/, '"content":$1');
  expect(plain).not.toBe(last);
  const messages = [...list.slice(0, -1), JSON.parse(plain) as Json];
  return { ...request, body: { ...request.body, [wire.key]: messages } };
}

test.each(wireCases)(
  "[F74 F82] the next request is compacted, on any gateway, and those after it are not, on $name (stream $stream)",
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
    const [full, asked] = [fillTold(first), fillTold(second)];
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
    // The agent sees how full it is, then in the answer of its tool, and on its next turn what came of it (F82).
    expect(full).toHaveLength(1);
    expect(asked).toEqual([full[0], full[0]]);
    expect(fillTold(third).at(-1)).toBeLessThan(full[0]! - 10);
    expect(wire.faults(third.body)).toEqual([]);
    expect(JSON.stringify(third.body.tools)).toContain("recall_search");

    list = [...list, ...wire.heard(next), wire.user("And on.")];
    await ask(0, wire, list, stream);
    expect(outcomes(0).at(-1)).toBe("replayed");
    expect(begins(wire, talk.provider.received[3]!, withoutNote(wire, third))).toBe(true);
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

test("[F84] the strategy archive leaves no summary in the next request, and recall finds the originals", async () => {
  const [chat] = wires as readonly [Wire];
  const list = history(chat, "archived");
  const archive = { ...compress, arguments: '{"reason":"the survey is done","strategy":"archive"}' };
  const find = { id: "own_2", name: "recall_search", arguments: '{"query":"Which value has zebra17_5?"}' };
  const calls = [[archive], [], [find]];
  talk.say = (_, index) => ({ text: "Fine.", calls: calls[index] ?? [] });
  const answer = await ask(0, chat, list, false);
  await ask(1, chat, [...list, ...chat.heard(answer), chat.user("Go on.")], false);
  const [, , compacted, recalled] = talk.provider.received as readonly Received[];
  expect(outcomes(1).at(-1)).toBe("compacted");
  expect(compacted!.text).toMatch(/\[Archived \d+ messages\./);
  expect(compacted!.text).not.toContain("Summary of prior work");
  expect(recalled!.text).toContain("zebra17_5 = 39612");
});

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

test("[F73] a request with a strategy that there is not is answered with those that there are, and nothing is compacted", async () => {
  const [chat] = wires as readonly [Wire];
  const list = history(chat, "strategy");
  talk.say = (_, index) =>
    index === 0
      ? { text: "", calls: [{ ...compress, arguments: '{"reason":"done","strategy":"delete"}' }] }
      : { text: "Done.", calls: [] };
  const answer = await ask(0, chat, list, false);
  expect(talk.provider.received[1]!.text).toContain("compress_context has no such strategy");
  await ask(1, chat, [...list, ...chat.heard(answer), chat.user("Go on.")], false);
  expect(outcomes(1).at(-1)).toBe("replayed");
});

test("[F76 F83 F90] the log and the metrics say what the agent asked for and why, and that the net caught where it did not", async () => {
  const [chat] = wires as readonly [Wire];
  const gateway = talk.gateways[1]!;
  const metrics = async () => (await fetch(`${gateway.url}/metrics`)).text();
  const counted = async (name: string) =>
    Number(new RegExp(`pith_gateway_${name} (\\d+)`).exec(await metrics())?.[1] ?? 0);
  const before = await counted('compactions_total{cause="request"}');
  const list = history(chat, "why");
  talk.say = (_, index) =>
    index === 0 ? { text: "A good moment.", calls: [compress] } : { text: "Done.", calls: [] };
  const answer = await ask(1, chat, list, false);
  await ask(1, chat, [...list, ...chat.heard(answer), chat.user("Go on.")], false);
  expect(eventsOf(gateway, "request").at(-1)).toMatchObject({
    outcome: "compacted",
    cause: "request",
    asked: "the survey is done",
    stages: [expect.objectContaining({ stage: "hand-off" })],
  });
  expect(await counted('compactions_total{cause="request"}')).toBe(before + 1);
  expect(await counted('agent_requests_total{outcome="honoured"}')).toBeGreaterThan(0);
  expect(await counted('stage_tokens_saved_total{stage="hand-off"}')).toBeGreaterThan(1_000);
  expect(eventsOf(gateway, "CONTEXT_BUDGET_COMPACTION_SAFETY_NET")).toEqual([]);

  await ask(1, chat, modulesRead(chat, { title: "silent", turns: 400 }), false);
  const [net, ...more] = eventsOf(gateway, "CONTEXT_BUDGET_COMPACTION_SAFETY_NET");
  expect(more).toEqual([]);
  expect(net).toMatchObject({ level: "warn", conversation: expect.any(String) });
  expect(net!.fill).toBeGreaterThan(0.95);
  expect(eventsOf(gateway, "request").at(-1)).toMatchObject({ cause: "safety-net", safetyNet: net!.fill });
  expect(await counted('compactions_total{cause="safety-net"}')).toBe(1);
});
