import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { assistant, rawConversation, user } from "../testing/builders.ts";
import { importConversation } from "./import-conversation.ts";
import { memoryArchive } from "./memory.ts";
import { partOfArchive } from "./part-of-archive.ts";
import { writeTo } from "./ready-write.ts";

const talk = (who: string) =>
  rawConversation(
    user(`This is ${who}.`),
    ...Array.from({ length: 30 }, (_, at) => [
      assistant(`${who} did ${at}. `.repeat(50)),
      user(`Next ${at}, ${who}.`),
    ]).flat(),
  );

async function shared() {
  const whole = memoryArchive();
  const compactor = createCompactor({ target: "50%", archive: whole });
  const ann = await compactor.compact(talk("ann"), { target: "40%", conversationId: "ann/1" });
  const ben = await compactor.compact(talk("ben"), { target: "40%", conversationId: "ben/1" });
  await importConversation(whole, { conversationId: "ann/2", body: talk("ann again"), at: 1 });
  return { whole, part: partOfArchive(whole, (name) => name.startsWith("ann/")), ann, ben };
}

test("what is of the part is there, whatever way it is asked for", async () => {
  const { whole, part, ann } = await shared();
  const id = ann.report.compaction!;
  expect((await part.conversations!()).map((each) => each.id).sort()).toEqual(["ann/1", "ann/2"]);
  expect(await part.compaction!(id)).toEqual(await whole.compaction!(id));
  expect(await part.messages!("ann/1")).toEqual(await whole.messages!("ann/1"));
  expect(await part.checkpoint!("ann/1")).toEqual(await whole.checkpoint!("ann/1"));
  const record = (await whole.compaction!(id))!;
  // By another that has not come upon it before.
  const fresh = partOfArchive(whole, (name) => name.startsWith("ann/"));
  for (const each of [record.before, record.plan, record.state, ...record.markers])
    expect(await fresh.get(each)).toEqual(await whole.get(each));
  const found = await part.candidates!({ words: ["ann"], limit: 5 });
  expect(found.length).toBeGreaterThan(0);
  expect(await part.get(found[0]!.id)).toBeDefined();
});

test("of the rest nothing is there, and nothing is written", async () => {
  const { whole, part, ben } = await shared();
  const record = (await whole.compaction!(ben.report.compaction!))!;
  expect(await part.compaction!(record.id)).toBeUndefined();
  expect(await part.compactions!("ben/1")).toEqual([]);
  expect(await part.messages!("ben/1")).toEqual([]);
  expect(await part.checkpoint!("ben/1")).toBeUndefined();
  const ids = [
    record.before,
    record.after,
    record.plan,
    record.state,
    ...record.messagesBefore.map(({ id }) => id),
  ];
  expect((await part.getMany!(ids)).filter((item) => item !== undefined)).toEqual([]);
  expect(await part.candidates!({ words: ["ben"], limit: 5, scope: { conversation: "ben/1" } })).toEqual([]);
  const found = await part.candidates!({ words: ["ben", "did"], limit: 5 });
  expect(found.every(({ conversation }) => conversation.startsWith("ann/"))).toBe(true);
  await expect(writeTo(part, { conversation: "ann/1", at: 1, items: [] })).rejects.toThrow(/look in only/);
});
