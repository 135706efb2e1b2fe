/** A tool result that is the beginning of a JSON text takes the gateway no longer than any other text, however it is nested. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { modulesRead } from "./gateway-talk.ts";
import { wires } from "./gateway-wires.ts";
import {
  gatewayTo,
  outcomesOf,
  type Provider,
  post,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";

const chat = wires[0]!;
let provider: Provider;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await startProvider(speaking(() => ({ text: "Fine.", calls: [] })));
  gateway = await gatewayTo(provider.url, { window: 60_000, deadlineMs: 10_000 });
  // What is compiled and loaded once is not what is measured.
  await cpuMsFor("a line of a log\n".repeat(50_000));
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

/** Processor time of all threads, the gateway's workers included. */
async function cpuMsFor(output: string): Promise<number> {
  const textOf = (turn: number): string => (turn === 3 ? output : `const zebra = ${turn};`);
  const messages = modulesRead(chat, { title: `Cut ${output.length}`, turns: 10, textOf });
  const before = process.cpuUsage();
  const answer = await post(`${gateway.url}${chat.path}`, chat.body(messages));
  await answer.text();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const nestings: Readonly<Record<string, (chars: number) => string>> = {
  list: (chars) => `[{"a":${"[1,".repeat(chars / 3)}`,
  object: (chars) => '{"a":1,"b":'.repeat(chars / 11),
  "list of objects": (chars) => '[{"a":1,"b":'.repeat(chars / 12),
  "string of many quotes": (chars) => `{"ok":true,"text":"${'say \\"it\\" '.repeat(chars / 11)}`,
};
const cases = Object.keys(nestings).flatMap((name) => [160_000, 1_000_000].map((chars) => ({ name, chars })));

test.each(cases)("JSON that was cut off after $chars characters: $name", async ({ name, chars }) => {
  const seen = outcomesOf(gateway).length;
  const cpuMs = await cpuMsFor(nestings[name]!(chars));
  expect(outcomesOf(gateway).slice(seen)).toEqual(["compacted"]);
  // A second for a megabyte; of a small one, what every request takes as well.
  expect(cpuMs).toBeLessThan(200 + chars / 1_000);
});
