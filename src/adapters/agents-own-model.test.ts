import { expect, test } from "vitest";
import { ownAgentsModel, watchedAgentsModel } from "./agents-own-model.ts";

const user = (content: string) => ({ role: "user", content });
const ASK = { prompt: "Sum up.", targetTokens: 100, signal: new AbortController().signal };
const RIDE = { messages: [], fields: {} };
const ANSWER = {
  output: [{ type: "message", content: [{ type: "output_text", text: "[CONTEXT SUMMARY]: It was done." }] }],
};

/** A model that notes what it is sent, watched. */
function watched(events: readonly unknown[] = []) {
  const sent: { readonly input: readonly unknown[]; readonly systemInstructions?: string }[] = [];
  const model = watchedAgentsModel({
    getResponse: async (request: (typeof sent)[number]) => {
      sent.push(request);
      return ANSWER;
    },
    getStreamedResponse: async function* (_request: unknown) {
      yield* events;
    },
  });
  return { model, sent };
}

test("of runs that end in the same words each is asked behind its own", async () => {
  const { model, sent } = watched();
  const inputs = ["first", "second"].map((name) => [user(`This is the ${name}.`), user("Go on.")]);
  const owns = inputs.map((input) => ownAgentsModel(model, () => ({ input }))!);
  for (const input of inputs.toReversed()) await model.getResponse({ input: structuredClone(input) });
  for (const own of owns) await own.ask({ ...ASK, ride: RIDE });
  expect(sent.slice(2).map(({ input }) => input[0])).toEqual(inputs.map(([first]) => first));
});

test("of agents that are told the same each is asked behind its own instructions", async () => {
  const { model, sent } = watched();
  const input = [user("Go on.")];
  const names = ["reader", "writer", "tester"];
  const owns = names.map((instructions) => ownAgentsModel(model, () => ({ instructions, input }))!);
  for (const at of [1, 0, 2]) await model.getResponse({ systemInstructions: names[at]!, input });
  for (const own of owns) await own.ask({ ...ASK, ride: RIDE });
  expect(sent.slice(3).map(({ systemInstructions }) => systemInstructions)).toEqual(names);
});

test("a run that was given up takes no call from the one that came after it, and is told so in the end", async () => {
  const { model } = watched();
  const input = [user("Go on.")];
  const stale = ownAgentsModel(model, () => ({ input }))!;
  const fresh = ownAgentsModel(model, () => ({ input }))!;
  await model.getResponse({ input });
  await fresh.ready;
  for (let more = 0; more < 64; more++) ownAgentsModel(model, () => ({ input: [user(`Run ${more}.`)] }));
  await expect(stale.ready).rejects.toThrow("never came");
});

test("a stream that came all at once is an answer, an empty one is none", async () => {
  for (const [events, outcome] of [
    [[{ type: "response_started" }, { type: "response_done" }], "fulfilled"],
    [[], "rejected"],
  ] as const) {
    const { model } = watched(events);
    const input = [user("Go on.")];
    const { ready } = ownAgentsModel(model, () => ({ input }))!;
    for await (const event of model.getStreamedResponse({ input })) expect(event).toBeDefined();
    expect((await Promise.allSettled([ready]))[0]?.status).toBe(outcome);
  }
});
