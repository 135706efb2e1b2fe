/** The part of the Archive conformance suite that is about finding its own faults. */

import { archiveItem } from "../archive/item-id.ts";
import { writeTo } from "../archive/ready-write.ts";
import type { CheckArchive } from "./archive-check.ts";
import { compactionWrite } from "./archive-writes.ts";
import type { TestRunner } from "./test-format.ts";

/** Registers the tests through the `check` of the suite. */
export function testArchiveVerify(check: CheckArchive, expect: TestRunner["expect"]): void {
  check("finds itself whole", ["verify"], async (archive) => {
    expect(await archive.verify()).toEqual({ items: 0, markers: 0, requests: 0, forgotten: 0, faults: [] });
    const write = compactionWrite("a", 1);
    await writeTo(archive, write);
    const { items, markers, requests, forgotten, faults } = await archive.verify();
    expect(faults).toEqual([]);
    expect({ items, markers, requests, forgotten }).toEqual({
      items: write.items.length,
      markers: write.compaction!.markers.length,
      requests: 2,
      forgotten: 0,
    });
  });

  check("names every id that leads nowhere", ["verify"], async (archive) => {
    const write = compactionWrite("a", 1);
    const span = archiveItem("span", "pith:missing00001");
    const compaction = { ...write.compaction!, markers: [span.id, "pith:missing00002"] };
    await writeTo(archive, { ...write, items: [...write.items, span], compaction });
    const { faults } = await archive.verify();
    expect(faults.map(({ id }) => id).toSorted()).toEqual(["pith:missing00001", "pith:missing00002"]);
    expect(faults.every(({ problem }) => problem.length > 0)).toBe(true);
  });

  check("names a content that is another one than its id stands for", ["verify"], async (archive) => {
    const [one, other] = [archiveItem("text", "one"), archiveItem("text", "other")];
    await writeTo(archive, { conversation: "a", at: 1, items: [{ ...one, content: other.content }] });
    expect((await archive.verify()).faults.map(({ id }) => id)).toEqual([one.id]);
  });
}
