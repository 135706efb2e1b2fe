import { expect, test } from "vitest";
import type { ArchiveItem, CompactionRecord, MessagePlace } from "./archive.ts";
import { archiveItem } from "./item-id.ts";
import { memoryArchive } from "./memory.ts";
import { pastOf } from "./past.ts";
import { createSayings } from "./sayings.ts";

const ids = (places: readonly MessagePlace[]) => places.map(({ id }) => id);

const said = (at: number): ArchiveItem =>
  archiveItem("message", JSON.stringify({ role: at % 2 ? "assistant" : "user", content: `message ${at}` }));

interface Talk {
  readonly said: readonly MessagePlace[];
  readonly records: readonly CompactionRecord[];
  readonly items: ReadonlyMap<string, ArchiveItem>;
}

/** A client that goes on with what each compaction left. */
function talk(
  compactions: number,
  between: number,
  compact: (
    before: readonly MessagePlace[],
    at: number,
    write: (text: string) => string,
  ) => readonly MessagePlace[],
): Talk {
  const messages = Array.from({ length: compactions * between }, (_, at) => said(at));
  const places = messages.map(({ id }, position) => ({ position, id }));
  const items = new Map(messages.map((item) => [item.id, item]));
  const write = (content: string): string => {
    const item = archiveItem("message", JSON.stringify({ role: "assistant", content }));
    items.set(item.id, item);
    return item.id;
  };
  const records: CompactionRecord[] = [];
  for (let at = 0; at < compactions; at++) {
    const added = places.slice(at * between, (at + 1) * between);
    const messagesBefore = [...(records.at(-1)?.messagesAfter ?? []), ...added];
    const messagesAfter = compact(messagesBefore, at, write);
    const { id } = archiveItem("plan", `${at}`);
    const rest = {
      conversation: "talk",
      at,
      preset: "balanced",
      tokensBefore: 2,
      tokensAfter: 1,
      markers: [],
    };
    records.push({ ...rest, id, before: id, after: id, plan: id, state: id, messagesBefore, messagesAfter });
  }
  return { said: places, records, items };
}

/** Three messages stay, then a hand-off and the last four. */
const handingOff = (compactions: number, between: number): Talk =>
  talk(compactions, between, (before, at, write) => [
    ...before.slice(0, 3),
    { position: -1, id: write(`hand-off ${at}`) },
    ...before.slice(-4),
  ]);

/** Everything stays; of what came last, every fourth message is shortened. */
const trimming = (compactions: number, between: number): Talk =>
  talk(compactions, between, (before, at, write) =>
    before.map(({ position, id }) => {
      const isTrimmed =
        position >= (at - 0.5) * between && position < (at + 0.5) * between && position % 4 === 3;
      return { position, id: isTrimmed ? write(`shortened ${position}`) : id };
    }),
  );

const asks = ["what was said", "what was left"] as const;
const cases = [
  ...asks.map((asked) => ({ name: "hand-offs", asked, made: () => handingOff(60, 10) })),
  ...asks.map((asked) => ({ name: "shortened messages", asked, made: () => trimming(50, 400) })),
];

test.each(cases)("all of a long conversation with $name is in its past: $asked", async ({ asked, made }) => {
  const { records, said, items } = made();
  const sayings = createSayings(memoryArchive(), items);
  let compared = 0;
  const counting = {
    ...sayings,
    isSame: (one: string, other: string) => {
      compared++;
      return sayings.isSame(one, other);
    },
  };
  const begin = [asked === "what was said" ? ids(said) : ids(records.at(-1)!.messagesAfter)];
  const past = await pastOf({ begin, records, sayings: counting });
  expect(past.records.size).toBe(records.length);
  expect([...items.keys()].filter((id) => !past.ids.has(id))).toEqual([]);
  // Messages are told apart by their ids; their texts matter only where two lists part.
  expect(compared).toBeLessThan(records.length * 4);
});

test("of a compaction of another branch, what it made of the common messages is in the past, and no more", async () => {
  const { records, said: places, items } = trimming(2, 40);
  const other = said(1_000);
  const begin = [[...ids(places.slice(0, 30)), other.id]];
  const all = new Map([...items, [other.id, other]]);
  const past = await pastOf({ begin, records, sayings: createSayings(memoryArchive(), all) });
  expect([...past.records]).toEqual([]);
  const expected = records.flatMap(({ messagesAfter }) => ids(messagesAfter.slice(0, 30)));
  expect([...past.ids].toSorted()).toEqual([...new Set([...begin.flat(), ...expected])].toSorted());
});

test("a hand-off that stays beside a new one is no way into what came after it", async () => {
  const {
    records,
    said: places,
    items,
  } = talk(2, 10, (before, at, write) => [
    ...before.slice(0, 1).filter(() => at > 0),
    { position: -1, id: write(`hand-off ${at}`) },
    ...before.slice(-2),
  ]);
  const other = said(1_000);
  const begin = [[...ids(places.slice(0, 10)), other.id]];
  const all = new Map([...items, [other.id, other]]);
  const past = await pastOf({ begin, records, sayings: createSayings(memoryArchive(), all) });
  expect([...past.records]).toEqual(records.slice(0, 1));
  expect(ids(places.slice(10)).filter((id) => past.ids.has(id))).toEqual([]);
});
