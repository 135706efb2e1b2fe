/** The gateway's own tools: the model calls them, the gateway answers, and the client sees one answer. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { itemId } from "../src/archive/item-id.ts";
import { answerTo, begins, listOf, modulesRead, read, talkThrough, wireCases } from "./gateway-talk.ts";
import { type Call, type Json, type Wire, wires } from "./gateway-wires.ts";
import { gatewayTo, post, type Received } from "./gateway-world.ts";

const talk = talkThrough(1, { window: 8_000 });
const search: Call = { id: "own_1", name: "recall_search", arguments: '{"query":"zebra17_5"}' };
const longHistory = (wire: Wire, title: string): readonly Json[] => modulesRead(wire, { title });
const ask = (wire: Wire, messages: readonly Json[], stream: boolean): Promise<Json> =>
  answerTo(talk.gateways[0]!, wire, messages, stream);

test.each(wireCases)(
  "recall is answered inside the turn, unseen by the client on $name (stream $stream)",
  async ({ wire, stream }) => {
    const history = longHistory(wire, `seen-${stream}`);
    talk.say = (_, index) =>
      index === 0
        ? { text: "I look it up.", calls: [search] }
        : { text: index === 1 ? "It is 39612." : "Fine.", calls: [] };
    const answer = await ask(wire, history, stream);
    const [first, second] = talk.provider.received as [Received, Received];
    expect(talk.provider.received).toHaveLength(2);
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
    const third = talk.provider.received[2]!;
    expect(begins(wire, third, second)).toBe(true);
    expect(wire.faults(third.body)).toEqual([]);
    expect(JSON.stringify(listOf(wire, third))).toContain("own_1");
  },
);

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(20_000, "pixels ")]);
const picture = png.toString("base64");
const url = `data:image/png;base64,${picture}`;
const shownOn = {
  chat: { type: "image_url", image_url: { url } },
  messages: { type: "image", source: { type: "base64", media_type: "image/png", data: picture } },
  responses: { type: "input_image", detail: "auto", image_url: url },
};

test.each(wires)("a picture is opened as a picture, where a result can be one, on $name", async (wire) => {
  const shown = { role: "user", content: [shownOn[wire.name]] };
  const id = itemId("message", JSON.stringify(shown));
  const history = [shown, { role: "assistant", content: "A heron." }, ...longHistory(wire, "pictured")];
  const open: Call = { id: "own_2", name: "recall_expand", arguments: JSON.stringify({ id }) };
  talk.say = (_, index) => ({ text: "I look at it.", calls: index === 0 ? [open] : [] });
  await ask(wire, history, false);
  const [first, second] = talk.provider.received as [Received, Received];
  expect(JSON.stringify(first.body)).not.toContain(picture);
  const added = JSON.stringify(listOf(wire, second).slice(listOf(wire, first).length));
  expect(added).toContain(`[image/png, 20,008 bytes, ${id}]`);
  expect(added.split(picture)).toHaveLength(wire.name === "chat" ? 1 : 2);
  expect(wire.faults(second.body)).toEqual([]);
});

test.each(wireCases)(
  "a call of the client's beside an own one reaches the client alone on $name (stream $stream)",
  async ({ wire, stream }) => {
    const history = longHistory(wire, `mixed-${stream}`);
    talk.say = (_, index) =>
      index === 0 ? { text: "Both.", calls: [search, read] } : { text: "Done.", calls: [] };
    const answer = await ask(wire, history, stream);
    expect(talk.provider.received).toHaveLength(1);
    expect(wire.saidIn(answer)).toEqual({ text: "Both.", calls: [read] });
    expect(JSON.stringify(answer)).toMatch(/"(?:tool_use|tool_calls|completed)"/);
    const results = wire.results([{ call: read, text: "export {};" }]);
    await ask(wire, [...history, ...wire.heard(answer), ...results], stream);
    const [first, second] = talk.provider.received as [Received, Received];
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
    talk.say = () => ({ text: "Grüße, 世界. ".repeat(50), calls: [read] });
    const history = longHistory(wire, "plain");
    const response = await post(`${talk.gateways[0]!.url}${wire.path}`, wire.body(history, { stream: true }));
    expect(await response.text()).toBe(wire.events(talk.say(talk.provider.received[0]!, 0), "a0").join(""));
    expect(JSON.stringify(talk.provider.received[0]!.body.tools)).toContain("recall_search");
  },
);

test.each(wires)("a model that never stops asking has to answer without on $name", async (wire) => {
  talk.say = ({ body }, index) =>
    JSON.stringify(body.tool_choice ?? "").includes("none")
      ? { text: "Enough.", calls: [] }
      : { text: "", calls: [{ ...search, id: `own_${index}` }] };
  expect(wire.saidIn(await ask(wire, longHistory(wire, "endless"), true))).toEqual({
    text: "Enough.",
    calls: [],
  });
  expect(talk.provider.received.length).toBe(10);
  expect(wire.faults(talk.provider.received.at(-1)!.body)).toEqual([]);
});

test("tools are not offered before something was compacted, against the client's will, or when they are switched off", async () => {
  const [chat] = wires as [Wire];
  talk.say = () => ({ text: "Fine.", calls: [] });
  await ask(chat, [chat.user("hi"), ...longHistory(chat, "short").slice(1, 30)], false);
  await post(
    `${talk.gateways[0]!.url}${chat.path}`,
    chat.body(longHistory(chat, "none"), { tool_choice: "none" }),
  );
  const off = await gatewayTo(talk.provider.url, {
    window: 8_000,
    archive: join(talk.folder, "off.sqlite"),
    tools: "none",
  });
  await post(`${off.url}${chat.path}`, chat.body(longHistory(chat, "off")));
  await off.stop();
  expect(talk.provider.received.map(({ body }) => body.tools)).toEqual([undefined, undefined, undefined]);
  const own = [{ type: "function", function: { name: "recall_search", parameters: { type: "object" } } }];
  await post(`${talk.gateways[0]!.url}${chat.path}`, chat.body(longHistory(chat, "own"), { tools: own }));
  const tools = talk.provider.received.at(-1)!.body.tools as Json[];
  expect(tools.map((tool) => (tool.function as Json).name)).toEqual(["recall_search", "recall_expand"]);
  expect(tools[0]).toEqual(own[0]);
});

test.each(wires)(
  "what the gateway answered or wrote before is no answer of recall on $name",
  async (wire) => {
    let history = longHistory(wire, "own words");
    for (let turn = 0; turn < 6; turn++) {
      const first = talk.provider.received.length;
      const asking = { ...search, id: `own_${turn}`, arguments: `{"query":"Which value has zebra17_5?"}` };
      talk.say = (_, index) =>
        index === first ? { text: "", calls: [asking] } : { text: "Fine.", calls: [] };
      const answer = await ask(wire, history, false);
      const [before, after] = talk.provider.received.slice(first) as [Received, Received];
      const added = JSON.stringify(listOf(wire, after).slice(listOf(wire, before).length));
      expect(added).toContain("zebra17_5 = 39612");
      expect(added).not.toMatch(/hand-off\]|\[showing \d+ of \d+ results\].*\[showing/);
      const more = modulesRead(wire, { title: `part ${turn}`, turns: 20 });
      history = [...history, ...wire.heard(answer), ...more];
    }
  },
);
