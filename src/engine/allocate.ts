// Allocation: one pass. What must be there comes first; then, again and again, the piece that says most that is not yet
// said, per token. What completes a thought that was begun is worth more than the start of another. The result is a ranking:
// every prefix of it is a rendering, and the longest that fits is taken.

import type { Item, Piece } from "./items.ts";
import { NUMBERS } from "./numbers.ts";
import type { Lexicon } from "./words.ts";

export interface Must {
  readonly pieces: readonly Piece[];
  /** At most so many tokens. */
  readonly room: number;
  /** What says most first, and not in order. */
  readonly best?: boolean;
  /** No result goes without it; what is obliged comes before all others. */
  readonly isObliged?: boolean;
}

export interface RankRequest {
  /** What is there and paid for. */
  readonly held: ReadonlySet<Piece>;
  readonly musts: readonly Must[];
  readonly lexicon: Lexicon;
  readonly room: number;
}

export interface RankedPieces {
  /** In the order in which they enter, until about `room` tokens are used. */
  readonly pieces: readonly Piece[];
  /** The first so many no result goes without: what is obliged, within its room. */
  readonly obliged: number;
}

export function rank(items: readonly Item[], { held, musts, lexicon, room }: RankRequest): RankedPieces {
  const result = new Result(items, lexicon, room);
  for (const piece of held) result.show(piece);
  let obliged = 0;
  for (const must of musts) {
    if (must.best) fill(result, must.pieces, Math.min(room, result.tokens + must.room));
    else takeInOrder(result, must);
    if (must.isObliged) obliged = result.order.length;
  }
  fill(
    result,
    items.flatMap((item) => item.pieces),
    room,
  );
  return { pieces: result.order, obliged };
}

function takeInOrder(result: Result, { pieces, room }: Must): void {
  let left = room;
  for (const piece of pieces) {
    const cost = result.missing(piece).reduce((sum, one) => sum + one.tokens, 0);
    if (cost > left || result.has(piece)) continue;
    result.take(piece);
    left -= cost;
  }
}

/** Takes of these pieces what says most per token, until so many tokens are used. */
function fill(result: Result, pieces: readonly Piece[], until: number): void {
  const heap = new Heap();
  const push = (piece: Piece) => {
    if (!result.has(piece)) heap.push(piece, result.gain(piece));
  };
  pieces.forEach(push);
  if (result.tokens >= until || heap.best() < 0) return;
  const among = new Set(pieces);
  let looked = 0;
  while (result.tokens < until) {
    const piece = heap.pop();
    if (!piece) break;
    if (result.has(piece)) continue;
    const gain = result.gain(piece);
    // subtle: a gain only falls while other pieces are taken, so a piece that is still the best is the best of all; what
    // rises because its lead or its neighbour was taken is pushed again.
    if (gain < heap.best() && looked < NUMBERS.looks) {
      looked += 1;
      heap.push(piece, gain);
    } else {
      looked = 0;
      const isFirst = result.isFirst(piece);
      const taken = result.take(piece);
      // What completes a thought: the line beside it, more so when it closes a hole, and the other entries of its list.
      const around = neighbours(piece);
      for (const other of around)
        other.worth *= neighbours(other).every((one) => result.has(one)) ? NUMBERS.hole : NUMBERS.beside;
      const list = piece.item.kind === "said" ? (piece.lead?.led ?? []) : [];
      for (const other of list) other.worth *= NUMBERS.sibling;
      const others = [
        ...taken.flatMap((one) => one.led),
        ...list,
        ...around,
        ...(isFirst ? piece.item.pieces : []),
      ];
      for (const other of others) if (among.has(other)) push(other);
    }
  }
}

/** What has been taken so far, and what a piece would add to it. */
class Result {
  readonly order: Piece[] = [];
  tokens = 0;
  /** Texts of which something is shown. */
  private readonly opened = new Set<Item["sections"][number]>();
  private readonly taken = new Set<Piece>();
  private readonly lines = new Set<number>();
  private readonly spent = new Map<Item, number>();
  /** What each word is still worth: how rare it is, halved each time it is shown. */
  private readonly words: Float64Array;
  private readonly lexicon: Lexicon;
  private readonly room: number;

  constructor(items: readonly Item[], lexicon: Lexicon, room: number) {
    this.room = room;
    this.lexicon = lexicon;
    this.words = Float64Array.from(lexicon.texts, (texts) => Math.log2(1 + items.length / texts));
    for (const item of items) {
      for (const piece of item.pieces) {
        piece.worth *=
          (1 + NUMBERS.topical * topicalShare(piece, lexicon)) *
          (wasChosen(piece, lexicon) ? NUMBERS.chosen : 1);
      }
    }
  }

  has(piece: Piece): boolean {
    return this.taken.has(piece);
  }

  /** A piece, and the leads that have to come with it: a list's first line, the head of a call. */
  missing(piece: Piece): Piece[] {
    const chain: Piece[] = [];
    let one: Piece | undefined = piece;
    while (one && chain.length < NUMBERS.chain && !this.taken.has(one) && !chain.includes(one)) {
      chain.unshift(one);
      one = one.lead;
    }
    return chain;
  }

  /** Nothing is shown yet of the output that this piece is from. */
  isFirst({ item, section }: Piece): boolean {
    return item.sections[section]?.mark === "|" && !this.opened.has(item.sections[section]!);
  }

  take(piece: Piece): Piece[] {
    const taken = this.missing(piece);
    for (const one of taken) {
      this.show(one);
      this.order.push(one);
      this.tokens += one.tokens;
      this.spent.set(one.item, (this.spent.get(one.item) ?? 0) + one.tokens);
    }
    return taken;
  }

  show(piece: Piece): void {
    this.taken.add(piece);
    if (piece.section >= 0) this.opened.add(piece.item.sections[piece.section]!);
    this.lines.add(piece.line);
    const { words } = this.lexicon;
    for (let i = piece.first; i < piece.end; i += 1) this.words[words[i]!]! *= NUMBERS.shownAgain;
  }

  /** What a piece says that is not yet said, per token. */
  gain(piece: Piece): number {
    const { lead } = piece;
    // Most come alone.
    if ((lead === undefined || this.taken.has(lead)) && !this.taken.has(piece))
      return this.says(piece) / (piece.tokens + (this.isFirst(piece) ? NUMBERS.opening : 0));
    const chain = this.missing(piece);
    const opening = this.isFirst(piece) ? NUMBERS.opening : 0;
    return (
      chain.reduce((sum, one) => sum + this.says(one), 0) /
      chain.reduce((sum, one) => sum + one.tokens, opening)
    );
  }

  private says({ item, first, end, line, worth }: Piece): number {
    const { words } = this.lexicon;
    let sum = 0;
    for (let i = first; i < end; i += 1) sum += this.words[words[i]!]!;
    const { said, call, least } = NUMBERS.tired;
    const tired = least + this.room * (item.kind === "call" || item.kind === "note" ? call : said);
    const again = line >= 0 && this.lines.has(line) ? NUMBERS.repeated : 1;
    return (sum * worth * again * tired) / (tired + (this.spent.get(item) ?? 0));
  }
}

/** Which share of the words of a piece a person typed, or the agent said in several texts. */
function topicalShare({ first, end }: Piece, { words, typed, said }: Lexicon): number {
  let topical = 0;
  for (let i = first; i < end; i += 1)
    if (typed[words[i]!] || said[words[i]!]! >= NUMBERS.cameBack) topical += 1;
  return first === end ? 0 : topical / (end - first);
}

/** A record that was worked with: a later call was given a key that stands in it. */
function wasChosen({ item, section, first, end }: Piece, { words, isKey, used }: Lexicon): boolean {
  if (item.sections[section]?.mark !== "|") return false;
  for (let i = first; i < end; i += 1) if (isKey[words[i]!] && used[words[i]!]! > item.number) return true;
  return false;
}

/** A field or a row with a key that a call was given later, that a person typed or that the agent named. */
export function isInPlay(piece: Piece, lexicon: Lexicon): boolean {
  const { item, section, first, end } = piece;
  const { words, isKey, typed, said } = lexicon;
  if (item.sections[section]?.mark !== "|" || !item.isListed) return false;
  if (wasChosen(piece, lexicon)) return true;
  for (let i = first; i < end; i += 1)
    if (isKey[words[i]!] && (typed[words[i]!] || said[words[i]!]! > 0)) return true;
  return false;
}

/** The pieces before and after in the same text; lines of an output are no thought. */
function neighbours({ item, index, section }: Piece): Piece[] {
  if (item.sections[section]?.mark === "|") return [];
  return [item.pieces[index - 1], item.pieces[index + 1]].filter(
    (other): other is Piece => other?.section === section,
  );
}

/** A heap of pieces, the best on top. */
class Heap {
  private readonly pieces: Piece[] = [];
  private readonly keys: number[] = [];

  best(): number {
    return this.keys[0] ?? -1;
  }

  push(piece: Piece, key: number): void {
    const { pieces, keys } = this;
    let i = keys.length;
    for (; i > 0; ) {
      const up = (i - 1) >> 1;
      if (keys[up]! >= key) break;
      keys[i] = keys[up]!;
      pieces[i] = pieces[up]!;
      i = up;
    }
    keys[i] = key;
    pieces[i] = piece;
  }

  pop(): Piece | undefined {
    const { pieces, keys } = this;
    const top = pieces[0];
    const last = pieces.pop();
    const key = keys.pop();
    if (last === undefined || key === undefined || keys.length === 0) return top;
    let i = 0;
    for (let down = 1; down < keys.length; down = 2 * i + 1) {
      if (down + 1 < keys.length && keys[down + 1]! > keys[down]!) down += 1;
      if (keys[down]! <= key) break;
      keys[i] = keys[down]!;
      pieces[i] = pieces[down]!;
      i = down;
    }
    keys[i] = key;
    pieces[i] = last;
    return top;
  }
}
