/** The part of the Archive conformance suite that is about what is removed by age and size. */

import { itemId } from "../archive/item-id.ts";
import { writeTo } from "../archive/ready-write.ts";
import type { CheckArchive } from "./archive-check.ts";
import { compactionWrite, textWrite } from "./archive-writes.ts";
import type { TestRunner } from "./test-format.ts";

/** Registers the tests through the `check` of the suite. */
export function testArchiveRetain(check: CheckArchive, expect: TestRunner["expect"]): void {
  check("removes conversations by age, whole", ["retain", "conversations"], async (archive) => {
    for (const [index, name] of ["old", "middle", "new"].entries()) {
      await writeTo(archive, { ...textWrite(name, [`said in ${name}`]), at: 100 * (index + 1) });
    }
    expect(await archive.retain({ before: 200 })).toEqual({ conversations: 1, items: 1 });
    expect((await archive.conversations()).map(({ id }) => id).toSorted()).toEqual(["middle", "new"]);
    expect(await archive.retain({})).toEqual({ conversations: 0, items: 0 });
  });

  check(
    "removes the longest untouched until the size is met",
    ["retain", "conversations"],
    async (archive) => {
      for (const [index, name] of ["one", "two", "three"].entries()) {
        const text = noise(name, name === "three" ? 40_000 : 1_000);
        await writeTo(archive, { ...textWrite(name, [text]), at: 300 - 100 * index });
      }
      await writeTo(archive, { ...textWrite("two", ["two is touched again"], 1), at: 400 });
      expect((await archive.retain({ maxBytes: 100_000_000 })).conversations).toBe(0);
      expect((await archive.retain({ maxBytes: 20_000 })).conversations).toBe(1);
      const left = (await archive.conversations()).map(({ id }) => id);
      expect(left.includes("three")).toBe(false);
      expect(left.includes("two")).toBe(true);
      await archive.retain({ maxBytes: 0 });
      expect(await archive.conversations()).toEqual([]);
    },
  );

  check("never removes what a live marker names", ["retain", "verify"], async (archive) => {
    const source = textWrite("old", ["recalled elsewhere later on"]);
    await writeTo(archive, { ...source, at: 1 });
    const write = compactionWrite("new", 1_000);
    const marker = source.items[0]!;
    const compaction = { ...write.compaction!, markers: [...write.compaction!.markers, marker.id] };
    await writeTo(archive, { ...write, compaction });
    expect(await archive.retain({ before: 500 })).toEqual({ conversations: 1, items: 0 });
    expect(await archive.get(marker.id)).toEqual(marker);
    expect((await archive.verify()).faults).toEqual([]);
  });
}

/** Text that hardly shrinks. */
function noise(seed: string, length: number): string {
  let text = "";
  for (let round = 0; text.length < length; round++)
    text += `${itemId("text", `${seed} ${round}`).slice(5)} `;
  return text.slice(0, length);
}
