/** Two tenants at every door: neither sees anything of the other. Some attempts by default; PITH_FULL=1 makes 1,000. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Archive } from "../src/archive/archive.ts";
import { doors, sharedArchive } from "./tenant-doors.ts";
import { otherOf, randomNumbers, startTenantWorld, type TenantWorld, tenants } from "./tenant-world.ts";

const ATTEMPTS = process.env.PITH_FULL ? 1_000 : 60;
const LIMIT_MS = process.env.PITH_FULL ? 14_400_000 : 300_000;

let world: TenantWorld;
beforeAll(async () => {
  world = await startTenantWorld(sharedArchive);
}, 60_000);
afterAll(async () => {
  await world.stop();
});

test(
  `in ${ATTEMPTS} attempts at every door, no tenant gets a word of another`,
  async () => {
    const random = randomNumbers(20_261_116);
    const order = Object.entries(doors).flatMap(([name, [often, door]]) =>
      Array.from({ length: often }, () => ({ name, door })),
    );
    const leaks: string[] = [];
    const tried = new Map<string, number>();
    let own = 0;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Every door once, then by chance.
      const names = Object.keys(doors);
      const { name, door } =
        attempt < names.length
          ? { name: names[attempt]!, door: doors[names[attempt]!]![1] }
          : order[random(order.length)]!;
      const tenant = tenants[attempt % 2 === 0 ? random(2) : attempt % 4 === 1 ? 0 : 1]!;
      const text = await door({ world, tenant, random });
      tried.set(name, (tried.get(name) ?? 0) + 1);
      const foreign = text.match(new RegExp(`sx${otherOf(tenant)}\\d+q`, "g")) ?? [];
      if (foreign.length > 0 || text.startsWith("let in") || text.includes("a header went on: x-pith-"))
        leaks.push(`${attempt} ${name}, ${tenant}: ${foreign.slice(0, 2).join(" ")} ${text.slice(0, 300)}`);
      own += (text.match(new RegExp(`sx${tenant}\\d+q`, "g")) ?? []).length > 0 ? 1 : 0;
    }
    console.info(
      `${ATTEMPTS} attempts, ${own} with words of one's own, ${leaks.length} leaks`,
      Object.fromEntries(tried),
    );
    expect(leaks.slice(0, 5)).toEqual([]);
    expect(tried.size).toBe(Object.keys(doors).length);
    expect(own).toBeGreaterThan(ATTEMPTS / 3);
  },
  LIMIT_MS,
);

test("erasing a tenant leaves nothing of it and all of the other", async () => {
  for (const [archive, names] of [
    [world.archive, ["ann", "ben"]],
    [sharedArchive, ["@ann", "@ben"]],
  ] as const) {
    const kept = await everythingOf(archive);
    expect(kept).toContain("sxben");
    const secretsOfAnn = new Set(kept.match(/sxann\d+q/g));
    const { conversations, items } = await archive.forget!({ tenant: names[1] });
    expect(conversations).toBeGreaterThan(0);
    expect(items).toBeGreaterThan(0);
    if (archive === sharedArchive) await archive.forget!({ tenant: "ben" });
    const left = await everythingOf(archive);
    expect(left.match(/sxben\d+q/g)).toBeNull();
    expect(new Set(left.match(/sxann\d+q/g))).toEqual(secretsOfAnn);
    expect((await archive.verify!()).faults).toEqual([]);
  }
});

/** Every message and original that an archive gives. */
async function everythingOf(archive: Archive): Promise<string> {
  const texts: string[] = [];
  for (const { id } of await archive.conversations!()) {
    const ids: string[] = [];
    for (const { text, id: item } of await archive.messages!(id)) {
      texts.push(text);
      ids.push(item);
    }
    for (const record of await archive.compactions!(id))
      ids.push(
        record.before,
        record.after,
        record.plan,
        record.state,
        record.handOff ?? "",
        ...record.markers,
      );
    for (const item of await archive.getMany!(ids.filter(Boolean))) texts.push(item?.content ?? "");
  }
  return texts.join("\n");
}
