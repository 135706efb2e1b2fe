/** The part of the Archive conformance suite that is about storing pieces and giving them back. */
import type { ArchiveWrite } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";
import { writeTo } from "../archive/ready-write.ts";
import { type CheckArchive, refused } from "./archive-check.ts";
import { compactionWrite, messageItem, ODD_CONTENTS, saidAs, textWrite } from "./archive-writes.ts";
import type { TestRunner } from "./test-format.ts";

/** Registers the tests through the `check` of the suite. */
export function testArchivePieces(check: CheckArchive, expect: TestRunner["expect"]): void {
  check("gives every piece back as it was stored, whatever characters it has", [], async (archive) => {
    const contents = [...ODD_CONTENTS, "x".repeat(1_000_000), "漢字".repeat(100_000)];
    const items = contents.map((content) => archiveItem("text", content));
    await writeTo(archive, { conversation: "a", at: 1, items });
    for (const item of items) expect(await archive.get(item.id)).toEqual(item);
  });

  check(
    "knows which pieces a conversation holds, those of others and odd ids not",
    ["held"],
    async (archive) => {
      const [mine, theirs] = [compactionWrite("a", 1), compactionWrite("b", 1)];
      const alone = archiveItem("text", "stored before any message names it");
      const shared = archiveItem("text", "said in both");
      await writeTo(archive, { ...mine, items: [...mine.items, alone, shared] });
      await writeTo(archive, { ...theirs, items: [...theirs.items, shared] });
      const own = [...mine.items, alone, shared].map(({ id }) => id);
      const other = theirs.items.map(({ id }) => id);
      const held = await archive.held("a", [...own, ...other, "pith:000000000000", "", "\0", "'; --"]);
      expect([...held].toSorted()).toEqual(own.toSorted());
      expect((await archive.held("nobody", own)).size).toBe(0);
    },
  );

  check("knows the kind of a piece and what was masked in it", [], async (archive) => {
    const masked = archiveItem("message", "key [redacted: github]", ["github", "aws"]);
    const same = archiveItem("hand-off", "key [redacted: github]");
    await writeTo(archive, { conversation: "a", at: 1, items: [masked, same] });
    expect(await archive.get(masked.id)).toEqual(masked);
    expect(await archive.get(same.id)).toEqual(same);
  });

  check("has nothing for an id that it never had, however odd", [], async (archive) => {
    for (const id of ["pith:000000000000", "", "pith:'; DROP TABLE items; --", "../../etc/passwd", "\0"]) {
      expect(await archive.get(id)).toBe(undefined);
    }
  });

  check("gives several pieces in the order asked", ["getMany"], async (archive) => {
    const [one, two] = [archiveItem("text", "one"), archiveItem("text", "two")];
    await writeTo(archive, { conversation: "a", at: 1, items: [one, two] });
    expect(await archive.getMany([two.id, "pith:nothing00", one.id, two.id])).toEqual([
      two,
      undefined,
      one,
      two,
    ]);
    expect(await archive.getMany([])).toEqual([]);
    const many = Array.from({ length: 3_000 }, (_, index) => archiveItem("text", `piece ${index}`));
    await writeTo(archive, { conversation: "a", at: 2, items: many });
    expect(await archive.getMany(many.map(({ id }) => id))).toEqual(many);
  });

  check("changes nothing when the same is written twice", ["messages", "compactions"], async (archive) => {
    const write = compactionWrite("a", 1);
    await writeTo(archive, write);
    await writeTo(archive, write);
    expect(await archive.messages("a")).toEqual(write.messages);
    expect(await archive.compactions("a")).toEqual([write.compaction]);
  });

  check("refuses another content under a known id, and then writes nothing", [], async (archive) => {
    const first = archiveItem("text", "first");
    const other = archiveItem("text", "unrelated");
    await writeTo(archive, { conversation: "a", at: 1, items: [first] });
    const clash = { ...first, content: "something else" };
    await refused(expect, () => writeTo(archive, { conversation: "a", at: 2, items: [other, clash] }));
    expect(await archive.get(other.id)).toBe(undefined);
    expect(await archive.get(first.id)).toEqual(first);
  });

  check("refuses two contents under one id in one write", [], async (archive) => {
    const first = archiveItem("text", "first");
    await refused(expect, () =>
      writeTo(archive, { conversation: "a", at: 1, items: [first, { ...first, content: "second" }] }),
    );
    expect(await archive.get(first.id)).toBe(undefined);
  });

  check("refuses a message whose piece it does not have, and then writes nothing", [], async (archive) => {
    const piece = archiveItem("text", "piece");
    const message = saidAs(messageItem("never stored"), { position: 0, text: "never stored" });
    await refused(expect, () =>
      writeTo(archive, { conversation: "a", at: 1, items: [piece], messages: [message] }),
    );
    expect(await archive.get(piece.id)).toBe(undefined);
  });

  check("refuses values that it could not give back", [], async (archive) => {
    const good = textWrite("a", ["hello"]);
    const bad: readonly ArchiveWrite[] = [
      { ...good, at: Number.NaN },
      { ...good, conversation: "nul \0 inside" },
      { ...good, conversation: "half \ud800 a pair" },
      { ...good, about: "nul \0 inside" },
      { ...good, items: [{ ...good.items[0]!, id: "no marker" }] },
      { ...good, messages: [{ ...good.messages![0]!, position: 0.5 }] },
      { ...good, messages: [{ ...good.messages![0]!, position: -1 }] },
    ];
    for (const write of bad) await refused(expect, () => writeTo(archive, write));
    expect(await archive.get(good.items[0]!.id)).toBe(undefined);
  });
}
