/** messagePlaces: where the messages of a request are in their conversation, which a compaction does not renumber. */
import type { CompactionRecord, MessagePlace } from "./archive.ts";

/**
 * Messages that the last compaction saw or left keep their places, and what follows them is new.
 * A conversation without a compaction, and one that has nothing to do with the last, is counted from 0.
 *
 * @param ids the messages' items, in order
 */
export function messagePlaces(
  ids: readonly string[],
  last: CompactionRecord | undefined,
): readonly MessagePlace[] {
  const known = last && closest(ids, [last.messagesAfter, last.messagesBefore]);
  if (!known) return ids.map((id, position) => ({ position, id }));
  let next = 1 + last.messagesBefore.reduce((most, { position }) => Math.max(most, position), -1);
  return ids.map((id, at) => {
    const place = known[at];
    if (place && (place.id === id || place.position >= 0)) return { position: place.position, id };
    return { position: next++, id };
  });
}

/** The list that has more messages in common from the start; undefined when neither has any. */
function closest(
  ids: readonly string[],
  lists: readonly (readonly MessagePlace[])[],
): readonly MessagePlace[] | undefined {
  let best: readonly MessagePlace[] | undefined;
  let most = 0;
  for (const list of lists) {
    const common = list.filter(({ id }, at) => ids[at] === id).length;
    if (common > most) [best, most] = [list, common];
  }
  return best;
}
