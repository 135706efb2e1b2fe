import { expect, test } from "vitest";
import type { Archive } from "../archive/archive.ts";
import { memoryArchive } from "../archive/memory.ts";
import { createCompactor } from "../compactor.ts";
import { assistant, call, rawConversation, result, user, type WireMessage } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";

const counter = createTokenCounter();
const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `12:00:0${at % 10} worker ${at} handed in ${at * 31} rows`).join(
    "\n",
  );
const huge = lines(3_000);
const output = { text: huge, toolName: "Bash", toolArguments: '{"command":"cat all.log"}', isError: false };
const asking = (text: string) =>
  rawConversation(user("Read it."), assistant("", call("Bash", { command: "cat all.log" })), result(text));
const idIn = (text: string) => /pith:[0-9a-z]{8,}/.exec(text)?.[0] ?? "";

test("[F62 F79] a huge result goes to the archive when it arrives; head, tail and id stand for it", async () => {
  const archive = memoryArchive();
  const received = await createCompactor({ target: "50%", archive }).receive(output, { conversationId: "c" });
  expect(counter.text(received)).toBeLessThanOrEqual(2_000);
  expect(received).toContain("worker 0 handed in 0 rows");
  expect(received).toContain("worker 2999 handed in");
  expect((await archive.get(idIn(received)))!.content).toBe(huge);
  expect((await archive.conversations!()).map(({ id }) => id)).toEqual(["c"]);
});

test("[F62] compact offloads what is new, below every threshold, and leaves what was sent before untouched", async () => {
  const archive = memoryArchive();
  const compactor = createCompactor({ archive, window: 1_000_000 });
  const first = await compactor.compact(asking(huge));
  expect(first.report).toMatchObject({ compacted: true });
  expect(first.report.tokensAfter).toBeLessThan(2_200);
  const messages = first.messages as readonly WireMessage[];
  expect((await archive.get(idIn(String(messages[2]!.content))))!.content).toBe(huge);
  expect((await archive.verify!()).faults).toEqual([]);
  const goneOn = [
    ...messages,
    assistant("Done."),
    user("Again."),
    assistant("", call("Bash", {}, "x")),
    result(lines(50), { id: "x" }),
  ];
  const second = await compactor.compact(goneOn, { state: first.state });
  expect(second.messages).toBe(goneOn);
  const sent = [...asking(huge), assistant("Done."), user("Thanks.")];
  expect((await compactor.compact(sent)).messages).toBe(sent);
});

test("what is small, an archive that is not there or fails, and debug leave a result as it is", async () => {
  const archive = memoryArchive();
  const small = { ...output, text: lines(100) };
  expect(await createCompactor({ target: "50%", archive }).receive(small)).toBe(small.text);
  expect(await createCompactor({ target: "50%" }).receive(output)).toBe(huge);
  expect(await createCompactor({ target: "50%", archive, preset: "balanced+debug" }).receive(output)).toBe(
    huge,
  );
  const events: string[] = [];
  const broken: Archive = { ...archive, put: () => Promise.reject(new Error("full")) };
  const compactor = createCompactor({
    target: "50%",
    archive: broken,
    onEvent: ({ type }) => events.push(type),
  });
  expect(await compactor.receive(output)).toBe(huge);
  expect(events).toEqual(["compaction-fail"]);
});
