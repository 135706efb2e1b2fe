import { expect, test } from "vitest";
import { archiveItem } from "../archive/item-id.ts";
import { memoryArchive } from "../archive/memory.ts";
import { createCompactor } from "../compactor.ts";
import { assistant, rawConversation, user, type WireMessage } from "../testing/builders.ts";
import { contextBody } from "./context-body.ts";
import { readStanding } from "./standing.ts";

const talk = (from: number, to: number): readonly WireMessage[] =>
  Array.from({ length: to - from }, (_, at) => [
    user(`Ask ${from + at}.`),
    assistant(`Answer ${from + at}: ${`item ${from + at} `.repeat(60)}`),
  ]).flat();

/** Compacted twice, the second time on top of the first and with more said in between. */
async function twice() {
  const archive = memoryArchive();
  let now = 0;
  const compactor = createCompactor({ target: "50%", archive, clock: () => ++now });
  const first = await compactor.compact(rawConversation(...talk(0, 30)), {
    target: "40%",
    conversationId: "c",
  });
  const grown = [...(first.messages as readonly WireMessage[]), ...talk(30, 45)];
  const second = await compactor.compact(grown, { target: "40%", conversationId: "c" });
  return { archive, compactor, first, second };
}

test("everything that was said is there once, and the context is what the last compaction left", async () => {
  const { archive, first, second } = await twice();
  const standing = (await readStanding(archive, "c"))!;
  expect(standing.said.map(({ position }) => position)).toEqual(Array.from({ length: 90 }, (_, at) => at));
  expect(standing.inForce.map(({ id }) => id)).toEqual([first.report.compaction, second.report.compaction]);
  const { body } = await contextBody(archive, standing, undefined, undefined);
  expect(JSON.parse(String(body))).toEqual(second.messages);
  expect(standing.context).toHaveLength((second.messages as readonly unknown[]).length);
});

test("one that was made from the same beginning as another stands beside it, and only the newest is in force", async () => {
  const { archive, compactor } = await twice();
  const branch = rawConversation(...talk(0, 20), user("Something else altogether."));
  const { report, messages: output } = await compactor.compact(branch, {
    target: "50%",
    conversationId: "c",
  });
  expect(report.error).toBeUndefined();
  const standing = (await readStanding(archive, "c"))!;
  expect(standing.records).toHaveLength(3);
  expect(standing.said).toHaveLength(branch.length);
  const { body } = await contextBody(archive, standing, undefined, undefined);
  expect(JSON.parse(String(body))).toEqual(output);
  expect(standing.inForce.map(({ id }) => id)).toEqual([report.compaction]);
  expect(standing.said.filter(({ position }) => position === 40).map(({ text }) => text)).toEqual([
    "Something else altogether.",
  ]);
});

test("after an undo what was said on top of it goes on from the one below", async () => {
  const { archive, compactor, first, second } = await twice();
  const { state, messages: output } = await compactor.undo(second.report.compaction!, second.messages);
  const item = archiveItem("state", JSON.stringify(state));
  await archive.put({ conversation: "c", at: 1_000, items: [item] });
  const standing = (await readStanding(archive, "c"))!;
  expect(standing.inForce.map(({ id }) => id)).toEqual([first.report.compaction]);
  expect(standing.said).toHaveLength(90);
  const { body } = await contextBody(archive, standing, undefined, undefined);
  expect(JSON.parse(String(body))).toEqual(output);
});

test("of what nobody ever said there is no standing", async () => {
  expect(await readStanding(memoryArchive(), "c")).toBeUndefined();
});
