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
  /** No result with places goes without it; what is obliged comes before all others. */
  readonly isObliged?: boolean;
  /** No result goes without it, whatever the target; it comes first. */
  readonly isFloor?: boolean;
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
  /** The first so many are what is obliged, within its room; of these the first the floor. */
  readonly obliged: number;
  readonly floor: number;
}

export function rank(items: readonly Item[], { held, musts, lexicon, room }: RankRequest): RankedPieces {
  const result = new Result(items, lexicon, room);
  for (const piece of held) result.show(piece.id);
  let [obliged, floor] = [0, 0];
  for (const must of musts) {
    const until = Math.min(room, result.tokens + must.room);
    if (must.best)
      fill(
        result,
        must.pieces.map(({ id }) => id),
        until,
      );
    else takeInOrder(result, must, held);
    if (must.isObliged || must.isFloor) obliged = result.order.length;
    if (must.isFloor) floor = result.order.length;
  }
  fill(result, result.pieces.keys(), room);
  return { pieces: result.order.map((id) => result.pieces[id]!), obliged, floor };
}

/** What was taken of them before counts, and of the floor nothing is taken after what does not fit. */
function takeInOrder(result: Result, { pieces, room, isFloor }: Must, held: ReadonlySet<Piece>): void {
  const isPaid = (piece: Piece) => result.has(piece.id) && !held.has(piece);
  let left = pieces.reduce((sum, piece) => (isPaid(piece) ? sum - piece.tokens : sum), room);
  for (const { id } of pieces) {
    if (result.has(id)) continue;
    const cost = result.missing(id).reduce((sum, one) => sum + result.costs[one]!, 0);
    if (cost > left && isFloor) break;
    if (cost > left) continue;
    result.take(id);
    left -= cost;
  }
}

/** Takes of these pieces what says most per token, until so many tokens are used. */
function fill(result: Result, ids: Iterable<number>, until: number): void {
  const { pieces, worths } = result;
  const heap = new Heap(pieces.length);
  const among = new Uint8Array(pieces.length);
  const push = (id: number) => {
    if (among[id] === 1 && !result.has(id)) heap.push(id, result.gain(id));
  };
  for (const id of ids) {
    among[id] = 1;
    push(id);
  }
  let looked = 0;
  while (result.tokens < until) {
    const id = heap.pop();
    if (id === undefined) break;
    if (result.has(id)) continue;
    const gain = result.gain(id);
    // subtle: a gain only falls while other pieces are taken, so a piece that is still the best is the best of all; what
    // rises because its lead or its neighbour was taken is pushed again.
    if (gain < heap.best() && looked < NUMBERS.looks) {
      looked += 1;
      heap.push(id, gain);
      continue;
    }
    looked = 0;
    const isFirst = result.isFirst(id);
    const taken = result.take(id);
    // What completes a thought: the line beside it, more so when it closes a hole, and the other entries of its list.
    const piece = pieces[id]!;
    const around = neighbours(piece);
    for (const other of around)
      worths[other.id]! *= neighbours(other).every((one) => result.has(one.id))
        ? NUMBERS.hole
        : NUMBERS.beside;
    const list = piece.item.kind === "said" ? (piece.lead?.led ?? []) : [];
    for (const other of list) worths[other.id]! *= NUMBERS.sibling;
    for (const one of taken) for (const other of pieces[one]!.led) push(other.id);
    for (const others of [list, around, isFirst ? piece.item.pieces : []])
      for (const other of others) push(other.id);
  }
}

/** What has been taken so far, and what a piece would add to it; pieces by their ids, in columns. */
class Result {
  readonly pieces: readonly Piece[];
  readonly order: number[] = [];
  tokens = 0;
  /** What each is worth, and what it costs. */
  readonly worths: Float64Array;
  readonly costs: Float64Array;
  private readonly leads: Int32Array;
  /** The output that each is from, and whether something is shown of it. */
  private readonly outputs: Int32Array;
  private readonly opened: Uint8Array;
  private readonly taken: Uint8Array;
  private readonly lines = new Set<number>();
  /** Of each item what is taken, and with how much of it the rest is worth half. */
  private readonly spent: Float64Array;
  private readonly tired: Float64Array;
  /** What each word is still worth: how rare it is, halved each time it is shown. */
  private readonly words: Float64Array;
  private readonly wordsOf: Uint32Array;

  constructor(items: readonly Item[], lexicon: Lexicon, room: number) {
    const pieces = items.flatMap((item) => item.pieces);
    const { said, call, least } = NUMBERS.tired;
    this.pieces = pieces;
    this.words = lexicon.rarities(items.length);
    this.wordsOf = lexicon.words;
    this.worths = new Float64Array(pieces.length);
    this.costs = new Float64Array(pieces.length);
    this.leads = new Int32Array(pieces.length);
    this.outputs = new Int32Array(pieces.length).fill(-1);
    this.taken = new Uint8Array(pieces.length);
    this.opened = new Uint8Array(pieces.length);
    const numbers = items.reduce((most, { number }) => Math.max(most, number + 1), 0);
    this.spent = new Float64Array(numbers);
    this.tired = new Float64Array(numbers);
    for (const { kind, number } of items)
      this.tired[number] = least + room * (kind === "call" || kind === "note" ? call : said);
    pieces.forEach((piece, id) => {
      piece.id = id;
    });
    pieces.forEach((piece, id) => {
      const { item, index, section, lead, worth, tokens } = piece;
      const before = item.pieces[index - 1];
      this.worths[id] =
        worth *
        (1 + NUMBERS.topical * topicalShare(piece, lexicon)) *
        (wasChosen(piece, lexicon) ? NUMBERS.chosen : 1);
      this.costs[id] = tokens;
      this.leads[id] = lead ? lead.id : -1;
      if (item.sections[section]?.mark === "|")
        this.outputs[id] = before?.section === section ? this.outputs[before.id]! : id;
    });
  }

  has(id: number): boolean {
    return this.taken[id] === 1;
  }

  /** A piece, and the leads that have to come with it: a list's first line, the head of a call. */
  missing(id: number): number[] {
    const chain: number[] = [];
    let one = id;
    while (one >= 0 && chain.length < NUMBERS.chain && this.taken[one] === 0 && !chain.includes(one)) {
      chain.unshift(one);
      one = this.leads[one]!;
    }
    return chain;
  }

  /** Nothing is shown yet of the output that this piece is from. */
  isFirst(id: number): boolean {
    const output = this.outputs[id]!;
    return output >= 0 && this.opened[output] === 0;
  }

  take(id: number): number[] {
    const taken = this.missing(id);
    for (const one of taken) {
      const cost = this.costs[one]!;
      this.show(one);
      this.order.push(one);
      this.tokens += cost;
      this.spent[this.pieces[one]!.item.number]! += cost;
    }
    return taken;
  }

  show(id: number): void {
    const { first, end, line } = this.pieces[id]!;
    const output = this.outputs[id]!;
    this.taken[id] = 1;
    if (output >= 0) this.opened[output] = 1;
    this.lines.add(line);
    for (let i = first; i < end; i += 1) this.words[this.wordsOf[i]!]! *= NUMBERS.shownAgain;
  }

  /** What a piece says that is not yet said, per token. */
  gain(id: number): number {
    const lead = this.leads[id]!;
    const opening = this.isFirst(id) ? NUMBERS.opening : 0;
    // Most come alone.
    if ((lead < 0 || this.taken[lead] === 1) && this.taken[id] === 0)
      return this.says(id) / (this.costs[id]! + opening);
    let says = 0;
    let cost = opening;
    for (const one of this.missing(id)) {
      says += this.says(one);
      cost += this.costs[one]!;
    }
    return says / cost;
  }

  private says(id: number): number {
    const { item, first, end, line } = this.pieces[id]!;
    const { words, wordsOf } = this;
    let sum = 0;
    for (let i = first; i < end; i += 1) sum += words[wordsOf[i]!]!;
    const tired = this.tired[item.number]!;
    const again = line >= 0 && this.lines.has(line) ? NUMBERS.repeated : 1;
    return (sum * this.worths[id]! * again * tired) / (tired + this.spent[item.number]!);
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

/** The pieces before and after in the same text; lines of an output are no thought. */
function neighbours({ item, index, section }: Piece): Piece[] {
  if (item.sections[section]?.mark === "|") return [];
  return [item.pieces[index - 1], item.pieces[index + 1]].filter(
    (other): other is Piece => other?.section === section,
  );
}

/** A heap of pieces, the best on top, of equal ones the newer; of a piece that was put in several times the highest counts. */
class Heap {
  private readonly ids: number[] = [];
  private readonly gains: number[] = [];
  private readonly highest: Float64Array;

  constructor(pieces: number) {
    this.highest = new Float64Array(pieces).fill(-1);
  }

  best(): number {
    return this.gains[0] ?? -1;
  }

  push(id: number, gain: number): void {
    const { ids, gains, highest } = this;
    if (gain <= highest[id]!) return;
    highest[id] = gain;
    let i = gains.length;
    for (; i > 0; ) {
      const up = (i - 1) >> 1;
      if (!isBetter(gain, id, gains[up]!, ids[up]!)) break;
      gains[i] = gains[up]!;
      ids[i] = ids[up]!;
      i = up;
    }
    gains[i] = gain;
    ids[i] = id;
  }

  pop(): number | undefined {
    while (this.gains.length > 0) {
      const gain = this.gains[0]!;
      const id = this.removeBest();
      if (this.highest[id] !== gain) continue;
      this.highest[id] = -1;
      return id;
    }
    return undefined;
  }

  private removeBest(): number {
    const { ids, gains } = this;
    const top = ids[0]!;
    const last = ids.pop()!;
    const gain = gains.pop()!;
    if (gains.length === 0) return top;
    let i = 0;
    for (let down = 1; down < gains.length; down = 2 * i + 1) {
      const other = down + 1;
      if (other < gains.length && isBetter(gains[other]!, ids[other]!, gains[down]!, ids[down]!))
        down = other;
      if (!isBetter(gains[down]!, ids[down]!, gain, last)) break;
      gains[i] = gains[down]!;
      ids[i] = ids[down]!;
      i = down;
    }
    gains[i] = gain;
    ids[i] = last;
    return top;
  }
}

function isBetter(gain: number, id: number, other: number, otherId: number): boolean {
  return gain > other || (gain === other && id > otherId);
}
