/** A provider that refuses how the messages of a compacted request are put together: they are sent once more as they came. */
import { expect, onTestFinished, test } from "vitest";
import { modulesRead } from "./gateway-talk.ts";
import { type Json, type Wire, wires } from "./gateway-wires.ts";
import {
  eventsOf,
  gatewayTo,
  outcomesOf,
  post,
  type Received,
  speaking,
  startProvider,
} from "./gateway-world.ts";

const [chat, messages, responses] = wires as [Wire, Wire, Wire];
/** What each API says of a message that may not be where it is, and with which status. */
const refusals: readonly (readonly [wire: Wire, status: number, error: Json])[] = [
  [
    chat,
    400,
    {
      message: "Invalid parameter: messages with role 'tool' must be a response to a preceeding message.",
      param: "messages.[1].role",
    },
  ],
  [messages, 400, { type: "invalid_request_error", message: 'messages.1: role "system" must follow "user"' }],
  [responses, 400, { message: "No tool output found for function call c1.", param: "input" }],
  [chat, 422, { detail: [{ loc: ["body", "messages", 1, "role"], msg: "Input should be 'user'" }] }],
];
/** The conversation has 8,620 tokens: with room for the answer too many for this window, and within it. */
const WINDOW = 9_200;

const isCompacted = ({ text }: Received): boolean => text.includes("[Pith hand-off]");

async function refusing({
  window,
  status,
  error,
  whom = isCompacted,
}: {
  readonly window: number;
  readonly status: number;
  readonly error: Json;
  readonly whom?: (request: Received) => boolean;
}) {
  const answer = speaking(() => ({ text: "Fine.", calls: [] }));
  const provider = await startProvider((request, response, index) => {
    if (!whom(request)) return answer(request, response, index);
    const text = JSON.stringify({ error });
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  });
  const gateway = await gatewayTo(provider.url, { window });
  onTestFinished(async () => {
    await gateway.stop();
    await provider.close();
  });
  const retries = async () => {
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    return Number(/^pith_gateway_shape_retries_total (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  return { provider, gateway, retries };
}

const bodyOf = (wire: Wire) => JSON.stringify(wire.body(modulesRead(wire, { title: "Shape" })));

test.each(refusals.map(([wire, status, error]) => ({ name: wire.name, wire, status, error })))(
  "$name: after a $status the agent goes on, and it is counted",
  async ({ wire, status, error }) => {
    const { provider, gateway, retries } = await refusing({ window: WINDOW, status, error });
    const body = bodyOf(wire);
    const response = await post(`${gateway.url}${wire.path}`, body);
    expect([response.status, wire.saidIn((await response.json()) as Json).text]).toEqual([200, "Fine."]);
    const [compacted, again, ...more] = provider.received;
    expect([isCompacted(compacted!), again!.text === body, more]).toEqual([true, true, []]);
    expect(await retries()).toBe(1);
    expect(eventsOf(gateway, "request")[0]).toMatchObject({
      outcome: "failed-open",
      retried: true,
      level: "warn",
    });
  },
);

test("what was compacted before, and is only replayed, is sent again just so", async () => {
  const seen: Received[] = [];
  const whom = (request: Received) => isCompacted(request) && seen.push(request) > 1;
  const [, status, error] = refusals[1]!;
  const { provider, gateway, retries } = await refusing({ window: WINDOW, status, error, whom });
  const body = bodyOf(messages);
  for (let time = 0; time < 2; time++)
    expect((await post(`${gateway.url}${messages.path}`, body)).status).toBe(200);
  expect(outcomesOf(gateway)).toEqual(["compacted", "failed-open"]);
  expect(provider.received.map(isCompacted)).toEqual([true, true, false]);
  expect(await retries()).toBe(1);
});

test.each<[string, number, Json]>([
  ["a bill", 400, { message: "Your credit balance is too low to access the API." }],
  ["a key", 401, { message: "messages: invalid x-api-key" }],
  ["a field", 400, { message: "max_tokens: 900000 > 64000, the maximum." }],
])("an error about %s is passed on as it is", async (_what, status, error) => {
  const { provider, gateway, retries } = await refusing({ window: WINDOW, status, error });
  const response = await post(`${gateway.url}${chat.path}`, bodyOf(chat));
  expect([response.status, await response.json()]).toEqual([status, { error }]);
  expect([provider.received.length, await retries()]).toEqual([1, 0]);
});

test("what does not fit the window as it came is not sent, and what is refused as well is not sent a third time", async () => {
  const [wire, status, error] = refusals[1]!;
  const small = await refusing({ window: 6_000, status, error });
  expect((await post(`${small.gateway.url}${wire.path}`, bodyOf(wire))).status).toBe(400);
  expect([small.provider.received.length, await small.retries()]).toEqual([1, 0]);

  const never = await refusing({ window: WINDOW, status, error, whom: () => true });
  expect((await post(`${never.gateway.url}${wire.path}`, bodyOf(wire))).status).toBe(400);
  expect(never.provider.received.length).toBe(2);
  // Nothing was made of a small request: its fault is the client's own.
  expect((await post(`${never.gateway.url}${wire.path}`, wire.body([wire.user("hi")]))).status).toBe(400);
  expect([never.provider.received.length, await never.retries()]).toEqual([3, 1]);
});
