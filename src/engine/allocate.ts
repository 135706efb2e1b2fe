// Allocation: one pass. What must be there comes first; then, again and again, the part that says most that is not yet
// said, per token. What completes a thought that was begun is worth more than the start of another. The result is a ranking:
// every prefix of it is a rendering, and the longest that fits is taken.

import type { Item, Part } from "./items.ts";
import { NUMBERS } from "./numbers.ts";
import type { Lexicon } from "./words.ts";

export interface Must {
  readonly parts: readonly Part[];
  /** At most so many tokens. */
  readonly room: number;
  /** What says most first, and not in order. */
  readonly best?: boolean;
  /** No result goes without it. */
  readonly isObliged?: boolean;
}

export interface RankRequest {
  /** What is there and paid for. */
  readonly held: ReadonlySet<Part>;
  readonly musts: readonly Must[];
  readonly lexicon: Lexicon;
  readonly room: number;
}

/** The parts in the order in which they enter, until about `room` tokens are used. */
export function rank(items: readonly Item[], { held, musts, lexicon, room }: RankRequest): readonly Part[] {
  const result = new Result(items, lexicon, room);
  for (const part of held) result.show(part);
  for (const must of musts) {
    if (must.best) fill(result, must.parts, Math.min(room, result.tokens + must.room));
    else takeInOrder(result, must);
  }
  fill(
    result,
    items.flatMap((item) => item.parts),
    room,
  );
  return result.order;
}

function takeInOrder(result: Result, { parts, room }: Must): void {
  let left = room;
  for (const part of parts) {
    const cost = result.missing(part).reduce((sum, one) => sum + one.tokens, 0);
    if (cost > left || result.has(part)) continue;
    result.take(part);
    left -= cost;
  }
}

/** Takes of these parts what says most per token, until so many tokens are used. */
function fill(result: Result, parts: readonly Part[], until: number): void {
  const among = new Set(parts);
  const heap = new Heap();
  const push = (part: Part) => {
    if (!result.has(part) && among.has(part)) heap.push(part, result.gain(part));
  };
  parts.forEach(push);
  while (result.tokens < until) {
    const part = heap.pop();
    if (!part) break;
    if (result.has(part)) continue;
    const gain = result.gain(part);
    // subtle: a gain only falls while other parts are taken, so a part that is still the best is the best of all; what
    // rises because its lead or its neighbour was taken is pushed again.
    if (gain < heap.best()) heap.push(part, gain);
    else {
      const isFirst = result.isFirst(part);
      const taken = result.take(part);
      // What completes a thought: the line beside it, more so when it closes a hole, and the other entries of its list.
      const around = neighbours(part);
      for (const other of around)
        other.worth *= neighbours(other).every((one) => result.has(one)) ? NUMBERS.hole : NUMBERS.beside;
      const list = part.item.kind === "said" ? (part.lead?.led ?? []) : [];
      for (const other of list) other.worth *= NUMBERS.sibling;
      [...taken.flatMap((one) => one.led), ...list, ...around, ...(isFirst ? part.item.parts : [])].forEach(
        push,
      );
    }
  }
}

/** What has been taken so far, and what a part would add to it. */
class Result {
  readonly order: Part[] = [];
  tokens = 0;
  /** Texts of which something is shown. */
  private readonly opened = new Set<Item["sections"][number]>();
  private readonly taken = new Set<Part>();
  private readonly lines = new Set<number>();
  private readonly spent = new Map<Item, number>();
  /** What each word is still worth: how rare it is, halved each time it is shown. */
  private readonly words: Float64Array;
  private readonly room: number;

  constructor(items: readonly Item[], lexicon: Lexicon, room: number) {
    this.room = room;
    this.words = Float64Array.from({ length: lexicon.size }, (_, word) =>
      Math.log2(1 + items.length / (lexicon.texts[word] ?? 1)),
    );
    for (const item of items) {
      for (const part of item.parts) {
        part.worth *=
          (1 + NUMBERS.topical * topicalShare(part, lexicon)) *
          (wasChosen(part, lexicon) ? NUMBERS.chosen : 1);
      }
    }
  }

  has(part: Part): boolean {
    return this.taken.has(part);
  }

  /** A part, and the leads that have to come with it: a list's first line, the head of a call. */
  missing(part: Part): Part[] {
    const chain: Part[] = [];
    let one: Part | undefined = part;
    while (one && chain.length < NUMBERS.chain && !this.taken.has(one) && !chain.includes(one)) {
      chain.unshift(one);
      one = one.lead;
    }
    return chain;
  }

  /** Nothing is shown yet of the output that this part is from. */
  isFirst({ item, section }: Part): boolean {
    return item.sections[section]?.mark === "|" && !this.opened.has(item.sections[section]!);
  }

  take(part: Part): Part[] {
    const taken = this.missing(part);
    for (const one of taken) {
      this.show(one);
      this.order.push(one);
      this.tokens += one.tokens;
      this.spent.set(one.item, (this.spent.get(one.item) ?? 0) + one.tokens);
    }
    return taken;
  }

  show(part: Part): void {
    this.taken.add(part);
    if (part.section >= 0) this.opened.add(part.item.sections[part.section]!);
    this.lines.add(part.line);
    for (const word of part.words) this.words[word]! *= NUMBERS.shownAgain;
  }

  /** What a part says that is not yet said, per token. */
  gain(part: Part): number {
    const chain = this.missing(part);
    const opening = this.isFirst(part) ? NUMBERS.opening : 0;
    return (
      chain.reduce((sum, one) => sum + this.says(one), 0) /
      chain.reduce((sum, one) => sum + one.tokens, opening)
    );
  }

  private says({ item, words, line, worth }: Part): number {
    let sum = 0;
    for (const word of words) sum += this.words[word]!;
    const { said, call, least } = NUMBERS.tired;
    const tired = least + this.room * (item.kind === "call" || item.kind === "note" ? call : said);
    const again = line >= 0 && this.lines.has(line) ? NUMBERS.repeated : 1;
    return (sum * worth * again * tired) / (tired + (this.spent.get(item) ?? 0));
  }
}

/** Which share of the words of a part a person typed, or the agent said in several texts. */
function topicalShare({ words }: Part, lexicon: Lexicon): number {
  const topical = words.filter(
    (word) => lexicon.typed[word] || (lexicon.said[word] ?? 0) >= NUMBERS.cameBack,
  );
  return words.length === 0 ? 0 : topical.length / words.length;
}

/** A record that was worked with: a later call was given a key that stands in it. */
function wasChosen({ item, section, words }: Part, lexicon: Lexicon): boolean {
  return (
    item.sections[section]?.mark === "|" &&
    words.some((word) => lexicon.isKey[word] && (lexicon.used[word] ?? -1) > item.number)
  );
}

/** A field or a row with a key that a call was given later, that a person typed or that the agent named. */
export function isInPlay(part: Part, lexicon: Lexicon): boolean {
  const { item, section, words } = part;
  if (item.sections[section]?.mark !== "|" || !item.isListed) return false;
  return (
    wasChosen(part, lexicon) ||
    words.some((word) => lexicon.isKey[word] && (lexicon.typed[word] || (lexicon.said[word] ?? 0) > 0))
  );
}

/** The parts before and after in the same text; lines of an output are no thought. */
function neighbours({ item, index, section }: Part): Part[] {
  if (item.sections[section]?.mark === "|") return [];
  return [item.parts[index - 1], item.parts[index + 1]].filter(
    (other): other is Part => other?.section === section,
  );
}

/** A heap of parts, the best on top. */
class Heap {
  private readonly entries: { part: Part; key: number }[] = [];

  best(): number {
    return this.entries[0]?.key ?? -1;
  }

  push(part: Part, key: number): void {
    let i = this.entries.length;
    for (; i > 0; i = (i - 1) >> 1) {
      const up = this.entries[(i - 1) >> 1]!;
      if (up.key >= key) break;
      this.entries[i] = up;
    }
    this.entries[i] = { part, key };
  }

  pop(): Part | undefined {
    const top = this.entries[0];
    const last = this.entries.pop();
    if (last === undefined || this.entries.length === 0) return top?.part;
    let i = 0;
    for (let down = 1; down < this.entries.length; down = 2 * i + 1) {
      if ((this.entries[down + 1]?.key ?? -1) > this.entries[down]!.key) down += 1;
      if (this.entries[down]!.key <= last.key) break;
      this.entries[i] = this.entries[down]!;
      i = down;
    }
    this.entries[i] = last;
    return top?.part;
  }
}
