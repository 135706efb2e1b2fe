/**
 * What must be there, each within its share: the latest ask, rules, deeds, the first ask, what people typed, state, the agent's last
 * words, what nobody has reacted to yet, what calls hang on. All that people typed, the newest message, the newest report and all
 * that was said are whole where they fit into a share.
 */
import type { Must } from "./allocate.ts";
import { type Item, isStory, type Kind, type Piece } from "./items.ts";
import { NUMBERS } from "./numbers.ts";
import type { Tail } from "./tail.ts";

export interface MustsRequest {
  readonly tail: Pick<Tail, "held" | "tokens">;
  /** What is free: all but the messages that stay anyway. */
  readonly target: number;
  /** The ask of a turn that goes on in messages that stay: apart from what is done about it, it reads as open (R12). */
  readonly begun: readonly Item[];
}

export function mustsOf(items: readonly Item[], { tail, target, begun }: MustsRequest): Must[] {
  const { share } = NUMBERS;
  const { held } = tail;
  // What the places and the frame leave of it.
  const left = target - tail.tokens - NUMBERS.frame;
  const ofKind = (kind: Kind) => items.filter((item) => item.kind === kind);
  const piecesOf = (kind: Kind) => ofKind(kind).flatMap((item) => item.pieces);
  const first = (kind: Kind) => ofKind(kind)[0]?.pieces ?? [];
  const latest = (kind: Kind) => ofKind(kind).at(-1)?.pieces ?? [];
  const ask = askOf(items).flatMap((item) => item.pieces);
  const calls = ofKind("call");
  const told = (isWhole: boolean) =>
    ofKind("told").flatMap((item) => (item.isWhole === isWhole ? item.pieces : []));
  const said = ofKind("said");
  const spoken = [
    ...piecesOf("ask"),
    ...said.flatMap((item) => (item.is === "announcing" ? [] : item.pieces)),
  ];
  const announced = said.flatMap((item) => (item.is === "announcing" ? item.pieces : []));
  const sum = (pieces: readonly Piece[]) =>
    pieces.reduce((all, piece) => (held.has(piece) ? all : all + piece.tokens), 0);
  const rest = target * share.spoken;
  const ifSmall = (pieces: readonly Piece[]) => (sum(pieces) <= target * share.whole ? pieces : []);
  // The newest words that say more than what is done next, whether or not a call stands beside them.
  const report =
    said.findLast((item) => item.is !== "announcing" || item.pieces.length > NUMBERS.report)?.pieces ?? [];
  const rules = piecesOf("rule").reverse();
  const owed = { ask: Math.max(left * share.ask, target * share.leastAsk), rules: target * share.rules };
  // The floor is what the smallest target that is promised owes, and so the same at every target.
  const floor = { ask: NUMBERS.least * share.leastAsk, rules: NUMBERS.least * share.rules };
  return [
    { pieces: told(true), room: Number.POSITIVE_INFINITY, isFloor: true },
    { pieces: ask, room: floor.ask, isFloor: true },
    { pieces: rules, room: floor.rules, isFloor: true },
    { pieces: rules, room: owed.rules, isObliged: true },
    { pieces: ask, room: owed.ask, isObliged: true },
    { pieces: piecesOf("deed"), room: target * share.deeds },
    { pieces: ask, room: sum(ask) <= target * share.newestAsk ? target : 0 },
    { pieces: begun.flatMap((item) => item.pieces).filter(isTyped), room: left * share.asks },
    { pieces: first("ask"), room: target * share.first },
    { pieces: told(false), room: target * share.told, best: true },
    {
      pieces: piecesOf("ask").filter(isTyped).reverse(),
      room: target * share.asks,
      best: true,
    },
    { pieces: piecesOf("state"), room: target * share.state },
    ...[piecesOf("ask"), latest("said"), report].map((pieces) => ({
      pieces: ifSmall(pieces),
      room: target * share.whole,
    })),
    { pieces: latest("said"), room: left * share.last, best: true },
    {
      pieces: unanswered(items).flatMap((item) => item.pieces),
      room: Math.min(left * share.unanswered, NUMBERS.atMost),
      best: true,
    },
    {
      pieces: calls.slice(-NUMBERS.newestCalls).flatMap((item) => item.pieces),
      room: left * share.now,
      best: true,
    },
    {
      pieces: calls.filter((item) => item.is === "deed").flatMap((item) => item.pieces),
      room: left * share.done,
      best: true,
    },
    { pieces: sum(spoken) <= rest ? spoken : [], room: rest },
    { pieces: sum(spoken) + sum(announced) <= rest && target >= NUMBERS.roomy ? announced : [], room: rest },
  ];
}

/** What a person put into their words from elsewhere is worth less. */
function isTyped({ worth }: Piece): boolean {
  return worth > 1;
}

/** What a person said last: several items, where a program put something between their words. */
export function askOf(items: readonly Item[]): readonly Item[] {
  const last = items.findLast(({ kind }) => kind === "ask");
  if (last === undefined) return [];
  // All asks of an earlier hand-off are from its message; those of one message have one number.
  if (last.isFolded && last.opens === undefined) return [last];
  return items.filter(
    ({ kind, at, isFolded, opens }) =>
      kind === "ask" && at === last.at && isFolded === last.isFolded && opens === last.opens,
  );
}

/** The calls since anybody said anything. */
function unanswered(items: readonly Item[]): Item[] {
  const story = items.filter(isStory);
  return story.slice(story.findLastIndex((item) => item.kind !== "call") + 1);
}
