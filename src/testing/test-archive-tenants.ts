/** The part of the Archive conformance suite that is about tenants and branches: what is told apart within one archive. */
import { archiveItem } from "../archive/item-id.ts";
import { writeTo } from "../archive/ready-write.ts";
import { unlisted } from "../archive/unlisted.ts";
import type { CheckArchive } from "./archive-check.ts";
import { compactionWrite, textWrite } from "./archive-writes.ts";
import type { TestRunner } from "./test-format.ts";

/** Names that are another tenant's, however alike they look. */
const OTHERS = ["acme", "acme2/talk", "xacme/talk", "Acme/talk", "%/talk", "acm_/talk", "other/acme/talk"];

/** Registers the tests through the `check` of the suite. */
export function testArchiveTenants(check: CheckArchive, expect: TestRunner["expect"]): void {
  check(
    "finds within a tenant's conversations, and without single messages",
    ["candidates"],
    async (archive) => {
      for (const name of ["acme/one", "acme/two", ...OTHERS])
        await writeTo(archive, textWrite(name, [`the parser of ${name}`, `the parser again, ${name}`]));
      const query = { words: ["parser"], fragments: ["parser"], limit: 50 };
      const found = await archive.candidates({ ...query, scope: { tenant: "acme" } });
      expect([...new Set(found.map(({ conversation }) => conversation))].toSorted()).toEqual([
        "acme/one",
        "acme/two",
      ]);
      const without = found.filter(({ text }) => text.includes("again")).map(({ id }) => id);
      const rest = await archive.candidates({ ...query, scope: { tenant: "acme", without } });
      expect(rest.map(({ text }) => text).toSorted()).toEqual([
        "the parser of acme/one",
        "the parser of acme/two",
      ]);
      const scope = { conversation: "acme/one", without: [...without, "pith:nothing00"] };
      expect((await archive.candidates({ ...query, scope })).map(({ text }) => text)).toEqual([
        "the parser of acme/one",
      ]);
      expect(await archive.candidates({ ...query, scope: { tenant: "nobody" } })).toEqual([]);
      expect(await archive.candidates({ ...query, scope: { tenant: "" } })).toEqual([]);
    },
  );

  check("says which pieces a tenant has", ["held"], async (archive) => {
    const [own, other] = [textWrite("acme/one", ["ours"]), textWrite("acme2/one", ["theirs"])];
    await writeTo(archive, own);
    await writeTo(archive, other);
    const ids = [own, other].flatMap(({ items }) => items.map(({ id }) => id));
    expect([...(await archive.held({ tenant: "acme" }, ids))]).toEqual([own.items[0]!.id]);
    expect((await archive.held({ tenant: "nobody" }, ids)).size).toBe(0);
  });

  check(
    "forgets all that is of a tenant, and nothing else",
    ["forget", "verify", "conversations", "checkpoint"],
    async (archive) => {
      const shared = archiveItem("text", "all have this");
      for (const [at, name] of ["acme/one", "acme/two", ...OTHERS].entries()) {
        const write = compactionWrite(name, at + 1);
        await writeTo(archive, { ...write, items: [...write.items, shared] });
      }
      const kept = archiveItem("state", '{"kept":"beside"}');
      const place = unlisted("acme/3f2a");
      await writeTo(archive, { conversation: place, about: "acme/never-stored", at: 1, items: [kept] });
      const removed = await archive.forget({ tenant: "acme" });
      expect(removed.conversations).toBe(2);
      expect(removed.items > 2).toBe(true);
      expect((await archive.conversations()).map(({ id }) => id).toSorted()).toEqual(OTHERS.toSorted());
      expect(await archive.checkpoint(place)).toBe(undefined);
      expect((await archive.get(kept.id))?.content).toBe("");
      expect(await archive.get(shared.id)).toEqual(shared);
      expect((await archive.verify()).faults).toEqual([]);
      expect(await archive.forget({ tenant: "acme" })).toEqual({ conversations: 0, items: 0 });
    },
  );
}
