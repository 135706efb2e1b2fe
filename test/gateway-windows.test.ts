/** Each model's requests are compacted by its own window. */
import { afterAll, expect, test } from "vitest";
import { readWindows } from "../src/gateway/windows.ts";
import { modulesRead } from "./gateway-talk.ts";
import { wires } from "./gateway-wires.ts";
import { gatewayTo, outcomesOf, post, speaking, startProvider } from "./gateway-world.ts";

const provider = await startProvider(speaking(() => ({ text: "Done.", calls: [] })));
afterAll(() => provider.close());

test("the same messages are compacted for a model with a small window, and not for one with a large", async () => {
  const gateway = await gatewayTo(provider.url, readWindows(["tiny-*=6000", "200000"]));
  const [chat] = wires;
  const ask = (model: string, title: string) =>
    post(`${gateway.url}${chat!.path}`, { ...chat!.body(modulesRead(chat!, { title })), model });
  await ask("large-1", "one");
  await ask("tiny-1", "one");
  await ask("tiny-1", "two");
  await ask("large-1", "three");
  expect(outcomesOf(gateway)).toEqual(["untouched", "compacted", "compacted", "untouched"]);
  const sizes = provider.received.map(({ bytes }) => bytes.length);
  expect(Math.max(sizes[1]!, sizes[2]!)).toBeLessThan(Math.min(sizes[0]!, sizes[3]!) / 2);
  await gateway.stop();
});
