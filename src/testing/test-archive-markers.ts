/** The part of the Archive conformance suite that is about markers: whatever is removed, none that is in use dangles. */
import type { Archive, ArchiveWrite } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";
import { idsOfItem } from "../archive/named-ids.ts";
import { writeTo } from "../archive/ready-write.ts";
import type { ArchivePower, CheckArchive } from "./archive-check.ts";
import { compactionWrite } from "./archive-writes.ts";

import type { TestRunner } from "./test-format.ts";

const CONVERSATIONS = 5;
const STEPS = 60;

/** Registers the tests through the `check` of the suite. */
export function testArchiveMarkers(check: CheckArchive, expect: TestRunner["expect"]): void {
  const powers: readonly ArchivePower[] = ["forget", "retain", "verify", "conversations", "compactions"];
  for (const seed of [1, 2, 3]) {
    check(`keeps every marker that is in use, whatever goes (${seed})`, powers, async (archive) => {
      const random = numbers(seed);
      for (let step = 1; step <= STEPS; step++) {
        await oneStep(archive, step, random);
        if (step % 10 === 0) expect(await danglingMarkers(archive)).toEqual([]);
      }
      expect((await liveMarkers(archive)).length > 0).toBe(true);
      expect((await archive.verify()).faults).toEqual([]);
    });
  }
}

/** Mostly writes; now and then a conversation is forgotten, or the old ones or the last beyond a size are removed. */
async function oneStep(archive: Required<Archive>, step: number, random: () => number): Promise<void> {
  const choice = random();
  if (choice < 0.1) {
    await archive.forget({ conversation: `conversation ${Math.floor(random() * CONVERSATIONS)}` });
  } else if (choice < 0.2) {
    await archive.retain({ before: step - 15 });
  } else if (choice < 0.25) {
    await archive.retain({ maxBytes: 4_000 + Math.floor(random() * 20_000) });
  } else {
    const live = await liveMarkers(archive);
    const quoted = Array.from(
      { length: Math.min(3, live.length) },
      () => live[Math.floor(random() * live.length)]!,
    );
    await writeTo(archive, quoting(`conversation ${Math.floor(random() * CONVERSATIONS)}`, step, quoted));
  }
}

/** A compaction after which the context also names what was recalled from elsewhere. */
function quoting(conversation: string, at: number, quoted: readonly string[]): ArchiveWrite {
  const write = compactionWrite(conversation, at);
  const span = archiveItem("span", [write.items[0]!.id, ...quoted].join("\n"));
  const markers = [...new Set([...write.compaction!.markers, ...quoted, span.id])];
  return { ...write, items: [...write.items, span], compaction: { ...write.compaction!, markers } };
}

/** Markers in use that stand for something which is gone, be it a message of a span of a span. */
async function danglingMarkers(archive: Required<Archive>): Promise<readonly string[]> {
  const dangling: string[] = [];
  const seen = new Set(await liveMarkers(archive));
  for (const id of seen) {
    const item = await archive.get(id);
    if (!item || item.forgotten !== undefined) dangling.push(id);
    else for (const piece of idsOfItem(item)) seen.add(piece);
  }
  return dangling;
}

async function liveMarkers(archive: Required<Archive>): Promise<readonly string[]> {
  const records = [];
  for (const { id } of await archive.conversations()) records.push(...(await archive.compactions(id)));
  return [...new Set(records.flatMap(({ markers }) => markers))].toSorted();
}

/** Numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
