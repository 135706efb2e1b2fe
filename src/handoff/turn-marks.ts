/** Which turn of the story each message of a span is of: by this a turn can be opened under the hand-off's id. */
import { turnText } from "../archive/span-pieces.ts";
import { handoffIn, isHandoffMessage } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { type ReadTurn, readTurns } from "../reading/read-turns.ts";
import { numberedTurns } from "./tell-story.ts";

/** What leaves and what stays, as in a `HandoffRequest`. */
interface Sides {
  readonly span: readonly Message[];
  readonly stay: readonly Message[];
}

export interface TurnsRead {
  /** Both sides in their order. */
  readonly all: readonly Message[];
  readonly turns: readonly ReadTurn[];
}

/** Read once for all attempts at one layout. */
const readBy = new WeakMap<readonly Message[], TurnsRead>();

export function turnsOfSides({ span, stay }: Sides): TurnsRead {
  let read = readBy.get(span);
  if (!read) {
    const all = [...span, ...stay].sort((a, b) => a.position - b.position);
    const stays = new Set(stay);
    read = { all, turns: readTurns(all, (message) => stays.has(message)) };
    readBy.set(span, read);
  }
  return read;
}

/** For each message of the conversation, what its line in the span says. */
export function turnMarks(sides: Sides): (message: Message) => string {
  const { all, turns } = turnsOfSides(sides);
  const numbered = numberedTurns(turns);
  const turnAt = new Map<number, number>();
  const toldBy = new Map<string, { readonly from: number; readonly to: number }>();
  numbered.forEach(({ turn, number, earlierNumbers }, index) => {
    const start = index === 0 ? 0 : turn.at;
    const end = numbered[index + 1]?.turn.at ?? all.length;
    for (const { position } of all.slice(start, Math.max(end, start + 1))) turnAt.set(position, number);
    const handoff = turn.earlier?.by === "handoff" && handoffIn(turn.earlier.message);
    if (handoff && earlierNumbers) toldBy.set(handoff.framed, earlierNumbers);
  });
  return (message) => {
    const standsFor = toldBy.get(handoffIn(message)?.framed ?? "");
    const turn = standsFor && isHandoffMessage(message) ? undefined : turnAt.get(message.position);
    return turnText({ ...(turn !== undefined && { turn }), ...(standsFor && { standsFor }) });
  };
}
