/** settlePlaced: puts a program's words where the provider takes them: right after the user, before the assistant or last. */
import type { Message } from "../conversation/message.ts";
import { isPlace } from "../conversation/place.ts";

/** Several as one message. */
type Join = (messages: readonly Message[]) => Message;

/** The messages with each placed one at its place, or at the next that there is. What is where it was stays as it is. */
export function settlePlaced(messages: readonly Message[], join: Join): readonly Message[] {
  const others = messages.filter(({ placed }) => !placed);
  const slots = slotsBetween(others);
  const settled: Message[][] = slots.map(() => []);
  let before = 0;
  for (const message of messages) {
    if (message.placed) settled[slots[before]!]!.push(message);
    else before++;
  }
  return [undefined, ...others].flatMap((other, slot) => {
    const here = settled[slot]!;
    const together = here.length < 2 || isAsItCame(here, other) ? here : [join(here)];
    return other ? [other, ...together] : together;
  });
}

/**
 * For each number of messages that come before: after how many of them the nearest place is, a later one if there is any.
 * Where nobody follows the user whom the provider would take there, as an agent that it does not know, after the user all the same.
 */
function slotsBetween(others: readonly Message[]): readonly number[] {
  const places = Array.from({ length: others.length + 1 }, (_, at) => isPlace(others[at - 1], others[at]));
  const isFree = places.includes(true) ? places : places.map((_, at) => others[at - 1]?.role === "user");
  const slots: number[] = [];
  const last = isFree.lastIndexOf(true);
  let next = last < 0 ? undefined : last;
  for (let at = others.length; at >= 0; at--) {
    if (isFree[at]) next = at;
    slots[at] = next ?? at;
  }
  return slots;
}

/** What came in side by side, after the very message that it still follows, the provider took so. */
function isAsItCame(here: readonly Message[], before: Message | undefined): boolean {
  return here.every(
    ({ position }, at) => position >= 0 && position === (here[at - 1] ?? before)!.position + 1,
  );
}
