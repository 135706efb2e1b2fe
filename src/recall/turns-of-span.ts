/** turnsOfSpan: the messages of each turn that a hand-off stands for, those of the hand-offs before it included. */
import type { Archive } from "../archive/archive.ts";
import { MARKER } from "../archive/item-id.ts";
import { spanPieces, type TurnRange } from "../archive/span-pieces.ts";
import { handoffIn } from "../conversation/handoffs/separate.ts";
import { openedBy } from "../engine/write.ts";
import { readStory } from "../handoff/read-story.ts";
import { readSections } from "../handoff/sections.ts";
import { storedMessages } from "./stored-message.ts";

export interface TurnOfSpan {
  readonly number: number;
  /** Its messages, in order. */
  readonly ids: readonly string[];
}

const ALL: TurnRange = { from: 0, to: Number.POSITIVE_INFINITY };

/** In order, as far as the archive has them; none where the span is of a kind that has no numbered turns. */
export async function turnsOfSpan(
  archive: Archive,
  id: string,
  wanted: TurnRange = ALL,
): Promise<readonly TurnOfSpan[]> {
  const found = new Map<number, string[]>();
  await collect(archive, { id, wanted, shift: 0, found });
  return [...found].map(([number, ids]) => ({ number, ids })).sort((a, b) => a.number - b.number);
}

interface Collecting {
  readonly id: string;
  /** By the numbers that are asked for, which are higher by `shift` than those of this span. */
  readonly wanted: TurnRange;
  readonly shift: number;
  readonly found: Map<number, string[]>;
}

/** Depth first: what an earlier hand-off stands for was said before all that follows it. */
async function collect(archive: Archive, { id, wanted, shift, found }: Collecting): Promise<void> {
  const item = await archive.get(id);
  if (item?.kind !== "span") return;
  for (const { id: piece, turn, standsFor } of spanPieces(item.content)) {
    if (standsFor && standsFor.from + shift <= wanted.to && standsFor.to + shift >= wanted.from) {
      const earlier = await earlierSpan(archive, piece);
      if (earlier) {
        const moved = shift + standsFor.to - earlier.lastTurn;
        await collect(archive, { id: earlier.id, wanted, shift: moved, found });
      }
    }
    if (turn === undefined || turn + shift < wanted.from || turn + shift > wanted.to) continue;
    const ids = found.get(turn + shift) ?? [];
    found.set(turn + shift, [...ids, piece]);
  }
}

/** What the hand-off in a message stands for: the id that it names, and the last of its turns by its own numbers. */
async function earlierSpan(
  archive: Archive,
  id: string,
): Promise<{ readonly id: string; readonly lastTurn: number } | undefined> {
  const [message] = storedMessages((await archive.get(id))?.content ?? "");
  const opened = openedBy((message && handoffIn(message)?.body) ?? "");
  if (opened) return { id: opened.id, lastTurn: opened.last };
  const sections = readSections((message && handoffIn(message)?.body) ?? "");
  const named = sections.archive.join("\n").match(MARKER)?.[0];
  const lastTurn = readStory(sections.story).at(-1)?.number;
  return named === undefined || lastTurn === undefined ? undefined : { id: named, lastTurn };
}
