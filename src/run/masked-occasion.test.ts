import { expect, test } from "vitest";
import { memoryArchive } from "../archive/memory.ts";
import { createCompactor } from "../compactor.ts";
import { readConversation } from "../providers/detect.ts";
import { createTokenCounter } from "../tokens/counter.ts";

/** A key of twelve lines, of which none but the first says that it is one. */
const keyLines = Array.from({ length: 12 }, (_, at) =>
  Buffer.from(`${at} of the lines of a key, say, whatever it is`).toString("base64").slice(0, 60),
);
const key = [`-----BEGIN RSA ${"PRIVATE"} KEY-----`, ...keyLines, `-----END RSA ${"PRIVATE"} KEY-----`].join(
  "\n",
);
const steps = (turn: number): string =>
  Array.from({ length: 40 }, (_, line) => `step ${line} of ${turn}: ${line * 7919 + turn}`).join("\n");

function call(turn: number, command: string, output: string): readonly object[] {
  const made = {
    id: `call_${turn}`,
    type: "function",
    function: { name: "bash", arguments: JSON.stringify({ command }) },
  };
  return [
    { role: "assistant", content: `Step ${turn}.`, tool_calls: [made] },
    { role: "tool", tool_call_id: `call_${turn}`, content: output },
  ];
}

const body = JSON.stringify([
  { role: "user", content: `Deploy it. Never change this key:\n${key}\nand always use it.` },
  ...Array.from({ length: 12 }, (_, turn) =>
    call(turn, `deploy <<< '${key}'`, `Exit code 1\n${steps(turn)}\nError: bad key ${key}\n${steps(turn)}`),
  ).flat(),
  { role: "user", content: "Go on." },
  ...call(99, "cat key.pem", key),
]);
const holdsKey = (text: string): boolean => keyLines.some((line) => text.includes(line));

async function compactedInto(target: number) {
  const archive = memoryArchive({ now: () => 1 });
  const compactor = createCompactor({ target: "50%", archive, clock: () => 1 });
  return { archive, compactor, result: await compactor.compact(body, { target, conversationId: "c" }) };
}

test("[R46] no line of a key is in what is stored of a compaction, wherever lines were taken from", async () => {
  const { archive, result } = await compactedInto(3_000);
  expect(result.report.error).toBeUndefined();
  expect(result.plan.steps.map(({ stage }) => stage)).toContain("hand-off");
  const record = (await archive.compactions!("c"))[0]!;
  const ids = [...record.messagesBefore, ...record.messagesAfter].map(({ id }) => id);
  const stored = await archive.getMany!([
    ...ids,
    record.plan,
    record.state,
    record.handOff!,
    ...record.markers,
  ]);
  expect(stored.length).toBeGreaterThan(20);
  expect(stored.filter((item) => holdsKey(item!.content))).toEqual([]);
  expect((await archive.messages!("c")).filter(({ text }) => holdsKey(text))).toEqual([]);
  expect(holdsKey(JSON.stringify([result.state, result.plan]))).toBe(false);
});

test("what nobody touches goes out as it came, and is counted so", async () => {
  const { result } = await compactedInto(3_000);
  const output = String(result.body);
  expect(output).toContain(JSON.stringify(call(99, "cat key.pem", key)[1]));
  expect(result.conversation.messages.at(-1)!.parts[0]).toMatchObject({ text: key });
  const { messages } = readConversation(output);
  const counter = createTokenCounter();
  const tokens = messages.reduce((sum, message) => sum + counter.message(message), 0);
  // Parts that are written as one text may take a token less.
  expect(Math.abs(tokens - result.report.tokensAfter)).toBeLessThan(5);
  expect(tokens).toBeLessThanOrEqual(3_000);
});

test("without an archive nothing is masked", async () => {
  const { body: output, state } = await createCompactor({ target: "50%", clock: () => 1 }).compact(body, {
    target: 5_000,
  });
  expect(String(output)).not.toContain("[redacted");
  expect(JSON.stringify(state)).not.toContain("[redacted");
});

test("a plan that was made of it and kept as JSON is applied to the same, and gives the same", async () => {
  const { compactor, result } = await compactedInto(3_000);
  const plan = JSON.parse(JSON.stringify(await compactor.plan(body, { target: 3_000 })));
  const applied = await compactor.apply(body, plan, { conversationId: "d" });
  expect(applied.report.error).toBeUndefined();
  expect(applied.body).toBe(result.body);
});
