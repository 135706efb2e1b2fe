/**
 * Protection: what a policy's source keeps byte for byte yields only to what there is room for, one message after the other (SPEC F91):
 * the largest result first, shown in less; then what is left, whole, the oldest first. What a person said last is the last.
 */
import { separateHandoff } from "../conversation/handoffs/separate.ts";
import { isUserMessage, type Message, makesCalls, toolResultsOf } from "../conversation/message.ts";
import { groupAt } from "../conversation/turn.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { NUMBERS } from "./numbers.ts";

/** One message that gives way, or one with the results of its calls. */
export interface Concession {
  readonly positions: readonly number[];
  /** `less`: it is shown in less; `gone`: it is handed off. */
  readonly as: "less" | "gone";
  /** About so many tokens. */
  readonly saves: number;
}

/** Those that may give way: not what somebody pinned, not what is running, and with a call its results. */
export function yieldingAmong(
  messages: readonly Message[],
  positions: readonly number[],
  stays: (position: number) => boolean,
): ReadonlySet<number> {
  const isHeld = (position: number): boolean => {
    const { start, end, inFlight } = groupAt(messages, position);
    return inFlight || messages.slice(start, end).some(({ pinned, role }) => pinned || role === "system");
  };
  return new Set(positions.filter((position) => !stays(position) && !isHeld(position)));
}

/** In the order in which they are made; the message that a person said last is in none of them. */
export function concessionsOf(
  messages: readonly Message[],
  yielding: ReadonlySet<number>,
  counter: TokenCounter,
): readonly Concession[] {
  const newest = messages.findLastIndex((message) => {
    const { own } = separateHandoff(message);
    return own !== undefined && isUserMessage(own);
  });
  const last = newest < 0 ? undefined : groupAt(messages, newest);
  const isLast = (position: number) => last !== undefined && position >= last.start && position < last.end;
  const open = messages.filter(({ position }) => yielding.has(position) && !isLast(position));
  const shaped = open
    .map((message): Concession => {
      return { positions: [message.position], as: "less", saves: shapingSaves(message, counter) };
    })
    .filter(({ saves }) => saves > 0)
    .toSorted((a, b) => b.saves - a.saves);
  const saved = new Map(shaped.map(({ positions, saves }) => [positions[0]!, saves]));
  const groups = new Map<number, number[]>();
  for (const { position } of open) {
    const { start } = groupAt(messages, position);
    groups.set(start, [...(groups.get(start) ?? []), position]);
  }
  const gone = [...groups.values()].map((positions): Concession => {
    const left = (position: number) => counter.message(messages[position]!) - (saved.get(position) ?? 0);
    return { positions, as: "gone", saves: positions.reduce((sum, position) => sum + left(position), 0) };
  });
  return [...shaped, ...gone];
}

/** What of a message need not be shown in its place: results, and texts that a call was given. */
function shapingSaves(message: Message, counter: TokenCounter): number {
  // An earlier hand-off in it is folded into the new one, which leaves of the message what is its own.
  if (separateHandoff(message).handoff) return 0;
  const results = toolResultsOf(message).filter(({ server, shaped }) => !server && !shaped);
  const given = makesCalls(message)
    ? message.parts.flatMap((part) =>
        part.type === "tool-call" && !part.server && part.arguments.length > NUMBERS.huge
          ? [part.arguments]
          : [],
      )
    : [];
  return [...results.map(({ text }) => text), ...given].reduce(
    (sum, text) => sum + Math.max(0, counter.text(text) - LEAST_SHOWN),
    0,
  );
}

/** What stands for a text of which nothing is shown. */
const LEAST_SHOWN = 30;

/** The positions of what gave way. */
export interface Conceded {
  readonly less: ReadonlySet<number>;
  readonly gone: ReadonlySet<number>;
}

/** One concession after the other until the attempt fits; undefined where it does not with all of them. */
export function conceding<Done extends { readonly fits: boolean; readonly tokens: number }>(
  concessions: readonly Concession[],
  room: number,
  attempt: (conceded: Conceded) => Done,
): Done | undefined {
  const conceded = { less: new Set<number>(), gone: new Set<number>() };
  const left = [...concessions];
  for (let pass = 1; ; pass++) {
    const done = attempt(conceded);
    if (done.fits) return done;
    if (left.length === 0) return undefined;
    let over = done.tokens - room;
    do {
      const { positions, as, saves } = left.shift()!;
      for (const position of positions) conceded[as].add(position);
      over -= saves;
    } while (left.length > 0 && (over > 0 || pass >= MOST_ATTEMPTS));
  }
}

/** After so many all that is left gives way. */
const MOST_ATTEMPTS = 6;

/** What a hand-off has to tell its story in beside messages that stay whole; of a small target it is less. */
export function besideTokens(targetTokens: number): number {
  return NUMBERS.frame + Math.min(LEAST_BESIDE, Math.floor(targetTokens * MOST_BESIDE_SHARE));
}

const LEAST_BESIDE = 1_000;
const MOST_BESIDE_SHARE = 0.25;
