/** Fill: how full the context was after each message, kind by kind, as the timeline draws it. */
import type { ConversationView, TokenKind } from "../../src/inspect/views.ts";

/** From the bottom of the stack to its top. */
export const kindOrder: readonly TokenKind[] = [
  "system",
  "handOff",
  "user",
  "assistant",
  "reasoning",
  "calls",
  "results",
];

export const kindWords: Readonly<Record<TokenKind, string>> = {
  system: "System and tools",
  handOff: "Hand-off",
  user: "User",
  assistant: "Assistant",
  reasoning: "Reasoning",
  calls: "Tool calls",
  results: "Tool results",
};

export interface Fill {
  /** Numbers of messages; where the fill falls at a compaction, a point between two of them. */
  readonly x: readonly number[];
  /** One for each kind that occurs, in the order of the stack. */
  readonly layers: readonly Layer[];
  readonly most: number;
}

export interface Layer {
  readonly kind: TokenKind;
  /** Its own tokens at each point. */
  readonly tokens: readonly number[];
  /** The same with all layers below it. */
  readonly top: readonly number[];
}

/** About as many as a plot on a usual screen has columns of pixels. */
const mostPoints = 1200;

/**
 * A compaction that was not undone sets the fill to what it left; messages add to it.
 *
 *     user 10, 20, 30 and a compaction to 5 before the third message: x 0, 1, 1.5, 2; tokens 10, 30, 5, 35
 */
export function fillOf(view: ConversationView): Fill {
  const inForce = view.compactions.filter(({ undone }) => !undone);
  const leftBy = new Map(inForce.map(({ position, kindsAfter }) => [position - 0.5, kindsAfter]));
  const x = pointsOf(view, [...leftBy.keys()]);
  const layers: Layer[] = [];
  for (const kind of kindOrder) {
    const always = kind === "system" ? view.toolTokens : 0;
    const own = view.kinds[kind];
    const occurs = own.length > 0 || always > 0 || view.compactions.some((mark) => mark.kindsAfter[kind] > 0);
    if (!occurs) continue;
    const below = layers.at(-1)?.top;
    const tokens: number[] = [];
    const top: number[] = [];
    let now = always;
    let next = 0;
    for (const [at, point] of x.entries()) {
      const left = leftBy.get(point);
      if (left) now = left[kind] + always;
      else for (; next <= point && next < own.length; next++) now += own[next]!;
      tokens.push(now);
      top.push(now + (below?.[at] ?? 0));
    }
    layers.push({ kind, tokens, top });
  }
  const most = (layers.at(-1)?.top ?? []).reduce((highest, value) => Math.max(highest, value), 0);
  return { x, layers, most };
}

/**
 * Every message, or of a long conversation every so many. The fill only grows between compactions, so that with the last
 * message before each of them no peak is lost.
 */
function pointsOf({ messages, usage }: ConversationView, falls: readonly number[]): readonly number[] {
  const step = Math.ceil(messages / mostPoints);
  const points = new Set([
    ...Array.from({ length: Math.ceil(messages / step) }, (_, order) => order * step),
    ...falls.flatMap((fall) => [fall - 0.5, fall]),
    ...usage.map(({ position }) => position),
    messages - 1,
  ]);
  return [...points].filter((point) => point > -1 && point < messages).toSorted((a, b) => a - b);
}
