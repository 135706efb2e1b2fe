/** The part of the Archive conformance suite that is about what is kept beside a conversation, and goes with it. */
import type { ArchiveItem, ArchiveWrite } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";
import { writeTo } from "../archive/ready-write.ts";
import { unlisted } from "../archive/unlisted.ts";
import type { CheckArchive } from "./archive-check.ts";
import { compactionWrite, textWrite } from "./archive-writes.ts";
import type { TestRunner } from "./test-format.ts";

/** Registers the tests through the `check` of the suite. */
export function testArchiveAbout(check: CheckArchive, expect: TestRunner["expect"]): void {
  check(
    "forgets with a conversation what is about it, and nothing else",
    ["forget", "verify", "checkpoint", "conversations"],
    async (archive) => {
      const own = compactionWrite("a", 1);
      await writeTo(archive, own);
      await writeTo(archive, textWrite("b", ["stays"]));
      const gone = [recipe("first", "a"), recipe("second", "a"), recipe("second", undefined, "later")];
      const stays = recipe("third", "b");
      for (const write of [...gone, stays]) await writeTo(archive, write);
      const items = own.items.length + gone.length;
      expect(await archive.forget({ conversation: "a" })).toEqual({ conversations: 1, items });
      for (const { conversation, items } of gone) {
        expect(await archive.checkpoint(conversation)).toBe(undefined);
        const item = await archive.get(onlyOf(items).id);
        expect([item?.content, typeof item?.forgotten]).toEqual(["", "number"]);
      }
      expect((await archive.checkpoint(stays.conversation))?.state).toBe(onlyOf(stays.items).content);
      expect((await archive.conversations()).map(({ id }) => id)).toEqual(["b"]);
      const { faults, forgotten } = await archive.verify();
      expect([faults, forgotten]).toEqual([[], items]);
    },
  );

  check("forgets what is about a conversation that it never had", ["forget"], async (archive) => {
    const write = recipe("first", "never stored");
    await writeTo(archive, write);
    expect(await archive.forget({ conversation: "never stored" })).toEqual({ conversations: 0, items: 1 });
    expect((await archive.get(onlyOf(write.items).id))?.content).toBe("");
  });

  check(
    "forgets with a piece what is about its conversation, since it may quote it",
    ["forget", "messages"],
    async (archive) => {
      const own = textWrite("a", ["forgotten", "kept"]);
      const [gone, stays] = [recipe("first", "a"), recipe("second", "b")];
      for (const write of [own, gone, stays]) await writeTo(archive, write);
      expect(await archive.forget({ ids: [own.items[0]!.id] })).toEqual({ conversations: 0, items: 2 });
      expect((await archive.get(onlyOf(gone.items).id))?.content).toBe("");
      expect(await archive.get(onlyOf(stays.items).id)).toEqual(onlyOf(stays.items));
      expect((await archive.messages("a")).map(({ text }) => text)).toEqual(["kept"]);
    },
  );

  check("removes with an old conversation what is about it", ["retain"], async (archive) => {
    const [gone, stays] = [recipe("first", "old"), recipe("second", "new")];
    await writeTo(archive, { ...textWrite("old", ["said in old"]), at: 100 });
    await writeTo(archive, { ...textWrite("new", ["said in new"]), at: 300 });
    for (const write of [gone, stays]) await writeTo(archive, { ...write, at: 300 });
    expect(await archive.retain({ before: 200 })).toEqual({ conversations: 1, items: 2 });
    expect((await archive.get(onlyOf(gone.items).id))?.content).toBe("");
    expect(await archive.get(onlyOf(stays.items).id)).toEqual(onlyOf(stays.items));
    expect((await archive.retain({ maxBytes: 0 })).conversations).toBe(1);
  });
}

/** What a door may keep for itself. */
function recipe(name: string, about: string | undefined, content = name): ArchiveWrite {
  return { conversation: unlisted(name), about, at: 1, items: [archiveItem("state", `{"of":"${content}"}`)] };
}

function onlyOf([item]: readonly ArchiveItem[]): ArchiveItem {
  return item!;
}
