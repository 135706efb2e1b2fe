import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../../../test/postgres-server.ts";
import { compactionWrite, messageItem, saidAs, textWrite } from "../../testing/archive-writes.ts";
import type { Archive, ArchiveWrite } from "../archive.ts";
import { archiveItem } from "../item-id.ts";
import { postgresArchive } from "../postgres.ts";
import { writeTo } from "../ready-write.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

/** Archives with a pool each, as processes on several machines have. */
async function withArchives(schema: string, count: number, work: (archives: Archive[]) => Promise<void>) {
  const archives = Array.from({ length: count }, () =>
    postgresArchive({ url: server.urlOf("postgres"), schema }),
  );
  try {
    await work(archives);
  } finally {
    await Promise.all(archives.map((archive) => archive.close!()));
  }
}

test("writers of the same pieces in any order do not stand in each other's way", async () => {
  const shared = Array.from({ length: 300 }, (_, index) => archiveItem("text", `shared piece ${index}`));
  await withArchives("shared", 6, async (archives) => {
    const write = (writer: number, round: number): ArchiveWrite => ({
      conversation: `conversation ${writer}`,
      at: round,
      items: writer % 2 ? shared : shared.toReversed(),
    });
    for (let round = 0; round < 5; round++) {
      await Promise.all(archives.map((archive, writer) => writeTo(archive, write(writer, round))));
    }
    const { items, faults } = await archives[0]!.verify!();
    expect({ items, faults }).toEqual({ items: shared.length, faults: [] });
    expect(await server.query("postgres", "SELECT count(*)::integer FROM shared.blobs")).toEqual([
      { count: 300 },
    ]);
  });
});

test("writers of one conversation lose none of their messages", async () => {
  await withArchives("together", 4, async (archives) => {
    await Promise.all(
      archives.flatMap((archive, writer) =>
        Array.from({ length: 10 }, (_, turn) =>
          writeTo(archive, textWrite("a", [`writer ${writer}, turn ${turn}`], turn)),
        ),
      ),
    );
    expect(await archives[0]!.messages!("a")).toHaveLength(40);
    expect(await archives[0]!.conversations!()).toMatchObject([{ id: "a", messages: 40 }]);
  });
});

test("what is written while the same is forgotten is there whole or forgotten whole", async () => {
  await withArchives("race", 4, async ([eraser, ...writers]) => {
    const shared = archiveItem("text", "every conversation has this");
    for (let round = 0; round < 8; round++) {
      await Promise.all([
        ...writers.map((archive, writer) => {
          const write = compactionWrite(`conversation ${writer}`, round);
          return writeTo(archive, { ...write, items: [...write.items, shared] });
        }),
        eraser!.forget!({ conversation: `conversation ${round % 3}` }),
        eraser!.forget!({ ids: [shared.id] }),
        eraser!.retain!({ before: round - 1 }),
      ]);
    }
    expect((await eraser!.verify!()).faults).toEqual([]);
  });
});

test("large writes go in several statements and are still one", async () => {
  await withArchives("large", 1, async ([archive]) => {
    const random = (size: number, seed: number) =>
      Array.from({ length: size / 8 }, (_, index) =>
        ((index * 2_654_435_761 + seed * 40_503) % 4_294_967_296).toString(36).padStart(8, "0"),
      ).join("");
    const big = Array.from({ length: 3 }, (_, seed) => messageItem(random(4_000_000, seed)));
    const small = Array.from({ length: 1_200 }, (_, index) => messageItem(`small ${index}`));
    const messages = [...big, ...small].map((item, position) =>
      saidAs(item, {
        position,
        text: position < 3 ? `large ${"text ".repeat(400_000)}` : `small ${position}`,
      }),
    );
    await writeTo(archive!, { conversation: "a", at: 1, items: [...big, ...small], messages });
    expect(await archive!.getMany!(big.map(({ id }) => id))).toEqual(big);
    expect(await archive!.messages!("a", { from: 1_000 })).toHaveLength(203);
    expect((await archive!.candidates!({ words: ["large"], limit: 9 })).length).toBe(3);
    const missing = saidAs(messageItem("absent"), { position: 9_999, text: "absent" });
    await expect(
      writeTo(archive!, { conversation: "b", at: 1, items: [], messages: [...messages, missing] }),
    ).rejects.toThrow(/has no item/);
    expect(await archive!.messages!("b")).toEqual([]);
  });
});

test("damaged content is refused when read and named by verify", async () => {
  await withArchives("damaged", 1, async ([archive]) => {
    const write = compactionWrite("a", 1);
    await writeTo(archive!, write);
    const damage = (id: string, change: string) =>
      server.query(
        "postgres",
        `UPDATE damaged.blobs SET ${change} WHERE hash = (SELECT hash FROM damaged.items WHERE id = $1)`,
        [id],
      );
    const [first, second] = write.items;
    await damage(first!.id, "bytes = '\\x00'");
    await expect(archive!.get(first!.id)).rejects.toThrow(/content of pith:\w+ in postgres:.* is damaged/);
    await server.query(
      "postgres",
      "DELETE FROM damaged.blobs WHERE hash = (SELECT hash FROM damaged.items WHERE id = $1)",
      [second!.id],
    );
    await server.query("postgres", "INSERT INTO damaged.blobs VALUES ('\\x0102', 0, '\\x00')");
    await server.query("postgres", "DELETE FROM damaged.items WHERE id = $1", [write.messages![2]!.id]);
    const { faults } = await archive!.verify!();
    expect(faults).toContainEqual({ id: first!.id, problem: "Its content does not match its hash." });
    expect(faults).toContainEqual({ id: second!.id, problem: "Its content is missing." });
    expect(faults).toContainEqual({ id: "0102", problem: "Content that no item points at." });
    expect(faults).toContainEqual({
      id: write.messages![2]!.id,
      problem: "A message points at it, but its content is gone.",
    });
  });
});

test("what is forgotten is in no row of any table", async () => {
  await withArchives("erased", 1, async ([archive]) => {
    const secret = "plover-7731 quetzalcoatl";
    await writeTo(archive!, textWrite("a", [`the word is ${secret}`, "harmless"]));
    await writeTo(archive!, textWrite("b", [`again ${secret}`]));
    const rowsWith = async (needle: string) => {
      const tables = await server.query(
        "postgres",
        "SELECT tablename FROM pg_tables WHERE schemaname = 'erased'",
      );
      const counts = await Promise.all(
        tables.map(({ tablename }) =>
          server.query("postgres", `SELECT 1 FROM erased.${tablename} AS row WHERE row::text ILIKE $1`, [
            `%${needle}%`,
          ]),
        ),
      );
      return counts.flat().length;
    };
    expect(await rowsWith("quetzalcoatl")).toBe(2);
    await archive!.forget!({ ids: [messageItem(`the word is ${secret}`).id] });
    await archive!.forget!({ conversation: "b" });
    expect(await rowsWith("quetzalcoatl")).toBe(0);
    expect(await rowsWith("plover")).toBe(0);
    expect(await server.query("postgres", "SELECT count(*)::integer FROM erased.blobs")).toEqual([
      { count: 1 },
    ]);
  });
});
