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
  /** For each kind that occurs, its own tokens at each point, in the order of the stack. */
  readonly layers: readonly { readonly kind: TokenKind; readonly tokens: readonly number[] }[];
  readonly most: number;
}

/**
 * A compaction that was not undone sets the fill to what it left; messages add to it.
 *
 *     user 10, 20, 30 and a compaction to 5 before the third message: x 0, 1, 1.5, 2; tokens 10, 30, 5, 35
 */
export function fillOf(view: ConversationView): Fill {
  const occurs = (kind: TokenKind) =>
    view.kinds[kind].length > 0 || view.compactions.some(({ kindsAfter }) => kindsAfter[kind] > 0);
  const kinds = kindOrder.filter((kind) => occurs(kind) || (kind === "system" && view.toolTokens > 0));
  const always = (kind: TokenKind) => (kind === "system" ? view.toolTokens : 0);
  const marks = view.compactions.filter(({ undone }) => !undone);
  const now = new Map(kinds.map((kind) => [kind, always(kind)]));
  const x: number[] = [];
  const layers = kinds.map((kind) => ({ kind, tokens: [] as number[] }));
  let most = 0;
  const add = (at: number) => {
    x.push(at);
    let sum = 0;
    for (const { kind, tokens } of layers) {
      tokens.push(now.get(kind)!);
      sum += now.get(kind)!;
    }
    most = Math.max(most, sum);
  };
  let next = 0;
  for (let position = 0; position <= view.messages; position++) {
    for (; next < marks.length && marks[next]!.position <= position; next++) {
      for (const kind of kinds) now.set(kind, marks[next]!.kindsAfter[kind] + always(kind));
      if (marks[next + 1]?.position !== marks[next]!.position) add(position - 0.5);
    }
    if (position === view.messages) break;
    for (const kind of kinds) now.set(kind, now.get(kind)! + (view.kinds[kind][position] ?? 0));
    add(position);
  }
  return { x, layers, most };
}
