/** What a person who runs the gateway sees of thresholds and of the splitter: counters, and a log line for each request. */
import { expect, test } from "vitest";
import { type Wire, wires } from "./gateway-wires.ts";
import { eventsOf, gatewayTo, post, speaking, startProvider } from "./gateway-world.ts";

test("[F90] counters and the log say which threshold acted, and how many sentences the splitter found and kept", async () => {
  const [chat] = wires as readonly [Wire];
  const provider = await startProvider(speaking(() => ({ text: "Fine.", calls: [] })));
  const gateway = await gatewayTo(provider.url, { window: 8_000, reserve: 0, preset: "gptme" });
  const essay = Array.from(
    { length: 100 },
    (_, at) => `Sentence ${at} tells of the module m${at} and its port.`,
  );
  const said = { role: "assistant", content: essay.join(" ") };
  const list = Array.from({ length: 4 }, (_, at) => [chat.user(`Tell of part ${at}.`), said]).flat();
  await post(`${gateway.url}${chat.path}`, chat.body([...list, chat.user("And now?")]));
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  await gateway.stop();
  await provider.close();
  const counted = (name: string) => Number(metrics.split(`pith_gateway_${name} `)[1]?.split("\n")[0] ?? 0);
  const [kept, left] = ["kept", "left out"].map((fate) => counted(`sentences_total{fate="${fate}"}`));
  expect((kept! + left!) % 100).toBe(0);
  expect(kept! / (kept! + left!)).toBeCloseTo(0.7, 2);
  expect(counted('compactions_total{cause="threshold"}')).toBe(1);
  const saved = counted('stage_tokens_saved_total{stage="extract-sentences"}');
  expect(saved).toBeGreaterThan(500);
  expect(eventsOf(gateway, "request")).toMatchObject([
    {
      outcome: "compacted",
      cause: "threshold",
      stages: [{ stage: "extract-sentences", tokensSaved: saved, sentences: { kept, total: kept! + left! } }],
    },
  ]);
});
