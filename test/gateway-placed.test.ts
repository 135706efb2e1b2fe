/** An agent whose program says things among the messages, as Claude Code does, through the gateway to an API with rules for that. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { begins, listOf } from "./gateway-talk.ts";
import { type Json, wires } from "./gateway-wires.ts";
import { eventsOf, gatewayTo, outcomesOf, post, speaking, startProvider, strict } from "./gateway-world.ts";

const wire = wires[1]!;
const STEPS = 80;

test("none of its requests is refused, all begin as the one before until the next compaction, and the first word stays", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pith-placed-"));
  let step = 0;
  const provider = await startProvider(
    strict(
      speaking(() => ({
        text: "",
        calls: [{ id: `call_${step}`, name: "Read", arguments: `{"path":"m${step}.ts"}` }],
      })),
    ),
  );
  const gateway = await gatewayTo(provider.url, { window: 9_000, archive: join(folder, "archive.sqlite") });
  onTestFinished(async () => {
    await gateway.stop();
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const environment = {
    role: "system",
    content: "# Environment\n- skill: review",
    output_config: { effort: "medium" },
  };
  const history: Json[] = [wire.user("Read all modules. Never edit generated.ts."), environment];
  for (; step < STEPS; step++) {
    const response = await post(`${gateway.url}${wire.path}`, wire.body(history, { stream: false }));
    const answer = (await response.json()) as Json;
    expect([step, response.status]).toEqual([step, 200]);
    const [call] = wire.saidIn(answer).calls;
    const text = `const value = ${step};\n`.repeat(40);
    history.push(...wire.heard(answer), ...wire.results([{ call: call!, text }]));
    // At times about the time, at times about something new.
    if (step % 4 === 3) history.push({ role: "system", content: `${step} steps without a word.` });
    else if (step % 10 === 6)
      history.push({ role: "system", content: `File ${"abcdefgh"[(step / 10) | 0]}.ts was changed.` });
  }
  expect(provider.received.flatMap(({ body }) => wire.faults(body))).toEqual([]);
  const outcomes = outcomesOf(gateway);
  expect(outcomes.filter((outcome) => outcome === "compacted").length).toBeGreaterThan(2);
  const changed = provider.received.flatMap((request, at) =>
    at > 0 && outcomes[at] !== "compacted" && !begins(wire, request, provider.received[at - 1]!) ? [at] : [],
  );
  expect(changed).toEqual([]);
  const last = JSON.stringify(listOf(wire, provider.received.at(-1)!));
  expect(last).toContain("# Environment");
  expect(last).toContain('"output_config":{"effort":"medium"}');
  expect(eventsOf(gateway, "request").every(({ status }) => status === 200)).toBe(true);
});
