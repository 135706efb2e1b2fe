import { expect, test } from "vitest";
import type { Archive } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";
import { memoryArchive } from "../archive/memory.ts";
import { writeTo } from "../archive/ready-write.ts";
import { textWrite } from "../testing/archive-writes.ts";
import { oneConversation } from "./one-conversation.ts";

const mine = textWrite("mine", ["The harbour opens at six.", "Bring the blue rope."]);
const theirs = textWrite("theirs", ["The harbour master is called Ida.", "Bring nothing."]);

async function both(): Promise<Archive> {
  const archive = memoryArchive();
  await archive.put(mine);
  await archive.put(theirs);
  return archive;
}

test("an item of another conversation is not there, alone or among others", async () => {
  const archive = oneConversation(await both(), "mine");
  const [own, other] = [mine.items[0]!, theirs.items[0]!];
  expect(await archive.get(own.id)).toEqual(own);
  expect(await archive.get(other.id)).toBeUndefined();
  expect(await archive.getMany!([other.id, own.id, "pith:000000000000"])).toEqual([
    undefined,
    own,
    undefined,
  ]);
});

test("a piece that was offloaded before any message named it is there", async () => {
  const whole = await both();
  const piece = archiveItem("text", "a very long output");
  await writeTo(whole, { conversation: "mine", at: 2, items: [piece] });
  expect(await oneConversation(whole, "mine").get(piece.id)).toEqual(piece);
  expect(await oneConversation(whole, "theirs").get(piece.id)).toBeUndefined();
});

test("that something was erased may be known, so that the text which names it is explained", async () => {
  const whole = await both();
  await whole.forget!({ ids: [mine.items[1]!.id] });
  expect(await oneConversation(whole, "mine").get(mine.items[1]!.id)).toMatchObject({
    content: "",
    forgotten: expect.any(Number),
  });
});

test("search and ranges stay inside, whatever is asked for", async () => {
  const archive = oneConversation(await both(), "mine");
  const inside = await archive.candidates!({ words: ["harbour", "bring"], limit: 10 });
  expect(inside.map(({ conversation }) => conversation)).toEqual(["mine", "mine"]);
  const scope = { conversation: "theirs" };
  expect(await archive.candidates!({ words: ["harbour"], limit: 10, scope })).toEqual([]);
  expect(await archive.messages!("mine")).toHaveLength(2);
  expect(await archive.messages!("theirs")).toEqual([]);
});

test("it cannot be written to, and an archive that cannot tell whose a piece is cannot be narrowed", async () => {
  const whole = await both();
  await expect(writeTo(oneConversation(whole, "mine"), theirs)).rejects.toMatchObject({
    code: "ARCHIVE_FAILED",
  });
  const { held: _, ...blind } = whole;
  expect(() => oneConversation(blind, "mine")).toThrow("cannot tell");
});
