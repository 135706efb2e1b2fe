import { expect, test } from "vitest";
import type { CompactionRecord, MessagePlace } from "./archive.ts";
import { archiveItem } from "./item-id.ts";
import { createLines, type Joint } from "./lines.ts";
import { memoryArchive } from "./memory.ts";
import { pastOf } from "./past.ts";
import { createSayings } from "./sayings.ts";

const ids = (places: readonly MessagePlace[]) => places.map(({ id }) => id);

/** Sixty compactions of a client that goes on with what each left: three messages stay, then a hand-off and the last four. */
function sixtyCompactions() {
  const items = Array.from({ length: 60 * 10 + 60 }, (_, at) =>
    archiveItem("message", JSON.stringify({ role: at % 2 ? "assistant" : "user", content: `message ${at}` })),
  );
  const said = items.slice(0, 600).map(({ id }, position) => ({ position, id }));
  const handOffs = items.slice(600).map(({ id }) => ({ position: -1, id }));
  const records: CompactionRecord[] = [];
  for (const [at, handOff] of handOffs.entries()) {
    const messagesBefore = [...(records.at(-1)?.messagesAfter ?? []), ...said.slice(at * 10, at * 10 + 10)];
    const messagesAfter = [...said.slice(0, 3), handOff, ...messagesBefore.slice(-4)];
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
  return { records, said, items: new Map(items.map((item) => [item.id, item])) };
}

test.each(["what was said", "what was left"])(
  "makes a few lines for each compaction where the same messages stay first: %s",
  async (asked) => {
    const { records, said, items } = sixtyCompactions();
    const lines = createLines();
    let made = 0;
    const counted = {
      ...lines,
      add: (joint: Joint) => {
        made++;
        lines.add(joint);
      },
    };
    const begin = [asked === "what was said" ? ids(said) : ids(records.at(-1)!.messagesAfter)];
    const sayings = createSayings(memoryArchive(), items);
    const past = await pastOf({ begin, records, sayings, lines: counted });
    expect([...past.records]).toHaveLength(60);
    expect(ids(said).filter((id) => !past.ids.has(id))).toEqual([]);
    // With every pair of a line and a compaction it would be thousands.
    expect(made).toBeLessThan(60 * 4);
  },
);
