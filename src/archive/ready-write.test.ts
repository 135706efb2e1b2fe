import { expect, expectTypeOf, test } from "vitest";
import { ArchiveError } from "../errors/archive-error.ts";
import { saidAs, textWrite } from "../testing/archive-writes.ts";
import type { Archive, ArchiveItem, ArchiveWrite, PithArchive, ReadyWrite } from "./archive.ts";
import { archiveItem, itemId } from "./item-id.ts";
import { memoryArchive } from "./memory.ts";
import { isReady, readyWrite, writeTo } from "./ready-write.ts";

const SECRET = `gh${"p_"}${"a1B2c3D4e5F6".repeat(3)}`;

/** One that somebody made by hand. */
const byHand = (kind: ArchiveItem["kind"], content: string): ArchiveItem => ({
  id: itemId(kind, content),
  kind,
  content,
  masked: [],
});

test("an archive cannot be given a write that was not made ready, nor a copy of one", () => {
  const ready = readyWrite("a", textWrite("a", ["said"]));
  expectTypeOf<Parameters<Archive["put"]>[0]>().toEqualTypeOf<ReadyWrite>();
  expectTypeOf<ArchiveWrite>().not.toExtend<ReadyWrite>();
  const copy = { ...ready };
  expectTypeOf(copy).not.toExtend<ReadyWrite>();
  expect(isReady(ready)).toBe(true);
  expect(isReady(copy)).toBe(false);
  // One that takes any write is an archive as well; one that asks for more than a ReadyWrite has is none.
  expectTypeOf<PithArchive>().toExtend<Archive>();
  expect(readyWrite("a", ready)).toBe(ready);
});

test("[R46] everything that a write holds is masked, of every kind, under the ids that were given", () => {
  const kinds = ["text", "message", "glue", "span", "request", "hand-off", "plan", "state"] as const;
  const items = kinds.flatMap((kind) => [
    byHand(kind, `{"note": "use ${SECRET} now"}`),
    byHand(kind, `use ${SECRET} now`),
  ]);
  const message = saidAs(items[0]!, { position: 0, text: `use ${SECRET} now`, tools: ["bash", SECRET] });
  const compaction = { id: "pith:0000000000aa", conversation: "a", preset: SECRET } as never;
  const write = { conversation: "a", at: 1, items, messages: [message], compaction };
  const ready = readyWrite("a", write);
  expect(JSON.stringify(ready)).not.toContain(SECRET);
  expect(ready.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
  expect(ready.items.every(({ masked }) => masked.length === 1)).toBe(true);
  expect(ready.messages![0]!.tools).toEqual(["bash", "[redacted: github]"]);
});

test("[R46] a state keeps the names that it is found by, and nothing else is spared for having such a name", () => {
  const own = { name: `acme/${SECRET}`, state: { conversation: `acme/${SECRET}`, ledger: {} } };
  expect(archiveItem("state", JSON.stringify(own)).masked).toEqual([]);
  const others = { ...own, recipe: { entries: [{ name: SECRET, conversation: SECRET }] } };
  const { content } = archiveItem("state", JSON.stringify(others));
  expect(JSON.parse(content)).toEqual({
    ...own,
    recipe: { entries: [{ name: "[redacted: github]", conversation: "[redacted: github]" }] },
  });
});

test("what no archive could give back is refused before the archive hears of it", async () => {
  const heard: ReadyWrite[] = [];
  const archive: Archive = { ...memoryArchive(), put: async (write) => void heard.push(write) };
  await expect(writeTo(archive, { conversation: "a\0b", at: 1, items: [] })).rejects.toThrow(ArchiveError);
  expect(heard).toEqual([]);
  await writeTo(archive, textWrite("a", [`use ${SECRET}`]));
  expect(heard.map(isReady)).toEqual([true]);
});
