/** The part of the Archive conformance suite that is about what an archive says it holds. */

import { writeTo } from "../archive/ready-write.ts";
import type { CheckArchive } from "./archive-check.ts";
import { textWrite } from "./archive-writes.ts";
import type { TestRunner } from "./test-format.ts";

/** Registers the tests through the `check` of the suite. */
export function testArchiveStat(check: CheckArchive, expect: TestRunner["expect"]): void {
  check("says how much it holds, by conversation and in all", ["stat", "forget"], async (archive) => {
    const long = "what somebody said, over and over ".repeat(3);
    await writeTo(archive, textWrite("short", ["said once"]));
    await writeTo(archive, textWrite("long", [long, `${long}again`]));
    await writeTo(archive, { ...textWrite("beside", ["kept for it"]), about: "long" });
    const full = await archive.stat();
    expect([full.items, full.forgotten]).toEqual([4, 0]);
    expect([...full.bytesOf.keys()].toSorted()).toEqual(["long", "short"]);
    expect(full.bytesOf.get("long")! > 2 * full.bytesOf.get("short")!).toBe(true);
    expect([...full.bytesOf.values()].reduce((sum, bytes) => sum + bytes)).toBe(full.contentBytes);
    expect(full.storedBytes >= full.contentBytes).toBe(true);
    await archive.forget({ conversation: "long" });
    const left = await archive.stat();
    expect([left.items, left.forgotten]).toEqual([1, 3]);
    expect(left.contentBytes).toBe(full.bytesOf.get("short")!);
  });
}
