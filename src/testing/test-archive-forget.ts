/** The part of the Archive conformance suite that is about forgetting. */

import { archiveItem } from "../archive/item-id.ts";
import { writeTo } from "../archive/ready-write.ts";
import { unlisted } from "../archive/unlisted.ts";
import type { CheckArchive } from "./archive-check.ts";
import { compactionWrite, messageItem, saidAs, textWrite } from "./archive-writes.ts";
import type { TestRunner } from "./test-format.ts";

/** Registers the tests through the `check` of the suite. */
export function testArchiveForget(check: CheckArchive, expect: TestRunner["expect"]): void {
  check("forgets a conversation and keeps what another one shares", ["forget", "verify"], async (archive) => {
    const shared = archiveItem("text", "both have this");
    const own = compactionWrite("a", 1);
    const other = textWrite("b", ["stays"]);
    await writeTo(archive, { ...own, items: [...own.items, shared] });
    await writeTo(archive, { ...other, items: [...other.items, shared] });
    const removed = await archive.forget({ conversation: "a" });
    expect(removed).toEqual({ conversations: 1, items: own.items.length });
    expect(await archive.get(shared.id)).toEqual(shared);
    for (const { id } of own.items) {
      const item = await archive.get(id);
      expect(item?.content).toBe("");
      expect(typeof item?.forgotten).toBe("number");
    }
    expect((await archive.conversations?.())?.map(({ id }) => id) ?? ["b"]).toEqual(["b"]);
    expect((await archive.messages?.("a")) ?? []).toEqual([]);
    expect((await archive.compactions?.("a")) ?? []).toEqual([]);
    expect(await archive.compaction?.(own.compaction!.id)).toBe(undefined);
    expect(await archive.checkpoint?.("a")).toBe(undefined);
    const { faults, forgotten } = await archive.verify();
    expect(faults).toEqual([]);
    expect(forgotten).toBe(own.items.length);
    expect(await archive.forget({ conversation: "a" })).toEqual({ conversations: 0, items: 0 });
  });

  check(
    "counts what is erased, whoever erases it, so that nobody shows it from memory",
    ["erasures", "forget", "retain"],
    async (archive) => {
      await writeTo(archive, textWrite("a", ["one"]));
      await writeTo(archive, textWrite("b", ["two"]));
      await writeTo(archive, textWrite(unlisted("b/place"), ["three"]));
      const seen = [await archive.erasures()];
      await archive.forget({ conversation: "never stored" });
      await archive.forget({ conversation: unlisted("b/place") });
      expect(await archive.erasures()).toBe(seen[0]);
      const more: readonly (() => Promise<unknown>)[] = [
        () => archive.forget({ ids: [messageItem("one").id] }),
        () => archive.forget({ conversation: "a" }),
        () => archive.retain({ before: Number.MAX_SAFE_INTEGER }),
      ];
      for (const erase of more) {
        await erase();
        seen.push(await archive.erasures());
      }
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  check("forgets single pieces with the messages that hold them", ["forget", "verify"], async (archive) => {
    const write = compactionWrite("a", 1);
    await writeTo(archive, write);
    const [gone, stays] = [write.messages![1]!, write.messages![0]!];
    expect(await archive.forget({ ids: [gone.id, "pith:nothing00", "", "\0", "'; --"] })).toEqual({
      conversations: 0,
      items: 1,
    });
    expect((await archive.get(gone.id))?.content).toBe("");
    expect((await archive.get(stays.id))?.forgotten).toBe(undefined);
    expect((await archive.messages?.("a"))?.some(({ id }) => id === gone.id) ?? false).toBe(false);
    expect((await archive.verify()).faults).toEqual([]);
  });

  check("forgets a long piece with the message that it was cut from", ["forget"], async (archive) => {
    const long = "a very long answer of a tool ".repeat(20);
    const piece = archiveItem("text", long);
    const item = messageItem(`before ${long} after`);
    const messages = [saidAs(item, { position: 0, text: `before ${long} after` })];
    await writeTo(archive, { conversation: "a", at: 1, items: [piece, item], messages });
    expect((await archive.forget({ ids: [piece.id] })).items).toBe(2);
    expect((await archive.get(item.id))?.content).toBe("");
    await writeTo(archive, { conversation: "b", at: 2, items: [piece, item], messages });
    expect((await archive.forget({ ids: [item.id] })).items).toBe(2);
    expect((await archive.get(piece.id))?.content).toBe("");
    const longer = archiveItem("text", `${long} and more`);
    await writeTo(archive, { conversation: "c", at: 3, items: [piece, longer] });
    expect((await archive.forget({ ids: [piece.id] })).items).toBe(2);
    expect((await archive.get(longer.id))?.content).toBe("");
  });

  check("takes a forgotten piece back when it is written anew", ["forget", "verify"], async (archive) => {
    const write = textWrite("a", ["said again"]);
    await writeTo(archive, write);
    await archive.forget({ conversation: "a" });
    await writeTo(archive, write);
    expect(await archive.get(write.items[0]!.id)).toEqual(write.items[0]);
    expect((await archive.verify()).forgotten).toBe(0);
  });

  check(
    "leaves a message forgotten when it is written again without its piece",
    ["forget", "verify", "messages"],
    async (archive) => {
      const write = textWrite("a", ["forgotten", "kept"]);
      await writeTo(archive, write);
      await archive.forget({ ids: [write.items[0]!.id] });
      await writeTo(archive, { ...write, items: [] });
      expect((await archive.messages("a")).map(({ text }) => text)).toEqual(["kept"]);
      expect((await archive.get(write.items[0]!.id))?.content).toBe("");
      expect((await archive.verify()).faults).toEqual([]);
    },
  );
}
