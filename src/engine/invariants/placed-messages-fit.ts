/** A program's words among the messages are where the provider takes them, and the first and the newest of them stay. */
import type { Message } from "../../conversation/message.ts";
import { type Part, textOfPart } from "../../conversation/part.ts";
import { isPlace } from "../../conversation/place.ts";
import type { Invariant } from "./invariant.ts";

export const placedMessagesFit: Invariant = {
  name: "placed-messages-fit",
  broken: (before, after) => {
    const placed = before.filter(isPlaced);
    if (placed.length === 0) return [];
    const said = new Set(after.filter(isPlaced).flatMap(({ parts }) => parts.map(wordsOf)));
    const gone = [...placed[0]!.parts.slice(0, 1), ...placed.at(-1)!.parts]
      .filter((part) => !said.has(wordsOf(part)))
      .map((part) => `what a program said is gone: ${JSON.stringify(wordsOf(part).slice(0, 120))}`);
    // What came in elsewhere, its provider takes elsewhere.
    if (misplacedIn(before).length > 0) return gone;
    return [
      ...gone,
      ...misplacedIn(after).map((at) => `message ${at} is a program's, and not in a place for one`),
    ];
  },
};

function isPlaced({ placed }: Message): boolean {
  return placed === true;
}

function wordsOf(part: Part): string {
  return textOfPart(part).replace(/\d+/g, "0");
}

/** Where the messages are that may not be there. Those that came in side by side are in one place. */
function misplacedIn(messages: readonly Message[]): readonly number[] {
  const found: number[] = [];
  let previous: Message | undefined;
  let open: number[] = [];
  const close = (next: Message | undefined): void => {
    if (!isPlace(previous, next)) found.push(...open);
    previous = next;
    open = [];
  };
  messages.forEach((message, at) => {
    if (!isPlaced(message)) {
      close(message);
      return;
    }
    const neighbour = messages[at - 1];
    const isBeside = neighbour !== undefined && isPlaced(neighbour);
    const cameBeside = neighbour?.position !== undefined && neighbour.position + 1 === message.position;
    if (isBeside && !cameBeside) found.push(at);
    open.push(at);
  });
  close(undefined);
  return found;
}
