/** originalsNamed: what the texts of a plan name by an id, as the archive is to hold it before anybody reads them. */
import type { ArchiveItem } from "../archive/archive.ts";
import { MARKER } from "../archive/item-id.ts";
import type { Marks } from "../archive/marks.ts";
import { idsOfItem } from "../archive/named-ids.ts";
import { type Message, textOfMessage } from "../conversation/message.ts";
import type { Plan, PlanStep } from "./plan.ts";

/**
 * Each once, and after what it names itself. Empty where nothing is archived.
 *
 * @param span what the hand-off stands for: in bare form only the Report names it
 */
export function originalsNamed(
  steps: readonly PlanStep[],
  marks: Marks | undefined,
  span?: Plan["span"],
): readonly ArchiveItem[] {
  if (!marks) return [];
  const named = writtenBy(steps).flatMap((message) => textOfMessage(message).match(MARKER) ?? []);
  const ids = [...named, ...(span ? [span.id] : [])];
  const found = new Map<string, ArchiveItem>();
  const add = (id: string): void => {
    const item = found.has(id) ? undefined : marks.items.get(id);
    if (!item) return;
    if (item.kind === "span") idsOfItem(item).forEach(add);
    found.set(id, item);
  };
  for (const id of ids) add(id);
  return [...found.values()];
}

/** The messages that the steps leave behind: what a later one takes away or writes again is not among them. */
function writtenBy(steps: readonly PlanStep[]): readonly Message[] {
  const replaced = new Map<number, Message>();
  const inserted: Message[] = [];
  for (const edit of steps.flatMap(({ edits }) => edits)) {
    if (edit.kind === "insert") inserted.push(edit.message);
    else if (edit.kind === "remove") replaced.delete(edit.position);
    else replaced.set(edit.position, edit.message);
  }
  return [...replaced.values(), ...inserted];
}
