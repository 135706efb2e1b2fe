import { expect, test } from "vitest";
import { memoryArchive } from "../archive/memory.ts";
import { createCompactor } from "../index.ts";
import { assistant, call, rawConversation, result, user } from "../testing/builders.ts";
import type { CompactionEvent } from "./event.ts";

const SECRET = `gh${"p_"}0123456789abcdefghijklmnopqrstuvwxyz`;

test("[R46] no event has a secret, with an archive or without one, and the plan's messages come without their originals", async () => {
  const events: CompactionEvent[] = [];
  const compactor = createCompactor({ window: 4_000, onEvent: (event) => events.push(event) });
  const turn = (at: number) => [
    user(`Part ${at}: use ${SECRET} for it.`),
    assistant("Doing it.", call("bash", { command: `deploy ${SECRET}` }, `c${at}`)),
    result(`done with ${SECRET}\n${`line of ${at}\n`.repeat(60)}`, { id: `c${at}` }),
  ];
  const { report } = await compactor.compact(rawConversation(...[1, 2, 3, 4, 5, 6, 7, 8].flatMap(turn)), {
    target: 1_500,
  });
  expect(report.compacted).toBe(true);
  const told = JSON.stringify(events);
  expect(told).toContain("[redacted: github]");
  expect(told).not.toContain(SECRET.slice(4, 16));
  const plan = events.find((event) => event.type === "plan-made")?.plan;
  expect(plan?.steps.length).toBeGreaterThan(0);
  expect(JSON.stringify(plan)).not.toContain('"raw"');
  expect(events.at(-1)).toEqual({ type: "compaction-end", report });
});

test("with an archive, what the plan takes out of view is in no event", async () => {
  const events: CompactionEvent[] = [];
  const compactor = createCompactor({
    window: 4_000,
    archive: memoryArchive(),
    onEvent: (event) => events.push(event),
  });
  const rows = (at: number) => Array.from({ length: 80 }, (_, row) => `row ${at}/${row};`).join("\n");
  const turn = (at: number) => [
    user(`Part ${at}.`),
    assistant("Doing it.", call("bash", { command: "make" }, `c${at}`)),
    result(rows(at), { id: `c${at}` }),
  ];
  const { report, messages } = await compactor.compact(rawConversation(...[1, 2, 3, 4, 5, 6].flatMap(turn)), {
    target: 800,
  });
  expect(report.compacted).toBe(true);
  const rowsIn = (value: unknown) => new Set(JSON.stringify(value).match(/row \d+\/\d+;/g));
  expect(rowsIn(messages).size).toBeLessThan(240);
  const shown = rowsIn(messages);
  expect([...rowsIn(events)].filter((row) => !shown.has(row))).toEqual([]);
  expect(events.find((event) => event.type === "plan-made")?.plan.originals).toEqual([]);
});
