/** sharedRoom: what each paragraph of an earlier story keeps of its tokens where not all of them have room. */
import type { Paragraph } from "../text/paragraphs.ts";

type Sized = Paragraph & { readonly tokens: number };

/**
 * The longest lose first, and those most that the last story told at length: an older one loses little each time, since what every story
 * shortens anew is gone after a few of them. What keeps all of its tokens is to be copied.
 */
export function sharedRoom(paragraphs: readonly Sized[], room: number): readonly number[] {
  const sizes = paragraphs.map(({ tokens }) => tokens);
  if (sum(sizes) <= room) return sizes;
  const even = mostOf(
    sizes,
    sizes.map(() => 0),
    room,
  );
  const least = leastOf(paragraphs, even, room);
  const most = mostOf(sizes, least, room);
  return sizes.map((size, at) => {
    const kept = Math.floor(Math.max(most, least[at]!));
    return kept < size * COPIED_SHARE ? kept : size;
  });
}

/** To take less out of a paragraph is not worth the new words. */
const COPIED_SHARE = 0.93;

/** What each keeps in any case. `even` is what the long ones would have if all had the same: an older one has that at least, and a closing one. */
function leastOf(paragraphs: readonly Sized[], even: number, room: number): readonly number[] {
  const sizes = paragraphs.map(({ tokens }) => tokens);
  const lastNumbered = paragraphs.findLastIndex(({ numbers }) => numbers);
  const newestFrom = sum(sizes) * (1 - NEWEST_SHARE);
  let until = 0;
  const wishes = sizes.map((size, at) => {
    until += size;
    // What closes the text says how things stand, and is written anew at its size.
    if (lastNumbered >= 0 && at > lastNumbered) return { least: Math.min(size, even), wish: size };
    const least = Math.min(size, until > newestFrom ? even * NEWEST_KEEPS : even);
    const wish = until > newestFrom ? least : Math.max(least, Math.min(size * OLD_KEEPS, even * OLD_TIMES));
    return { least, wish };
  });
  const more = sum(wishes.map(({ least, wish }) => wish - least));
  const granted = more === 0 ? 0 : Math.min(1, (room - sum(wishes.map(({ least }) => least))) / more);
  return wishes.map(({ least, wish }) => least + (wish - least) * granted);
}

/** About what the last story told of what was new then. */
const NEWEST_SHARE = 0.3;
const NEWEST_KEEPS = 0.7;
/** So much of an older paragraph stays, as long as that is not so many times what it would have if all had the same. */
const OLD_KEEPS = 0.85;
const OLD_TIMES = 2;

/** What each may have at most, so that all fit into the room: the small ones stay as they are. */
function mostOf(sizes: readonly number[], least: readonly number[], room: number): number {
  let [low, high] = [0, Math.max(...sizes)];
  while (high - low > 0.5) {
    const most = (low + high) / 2;
    const kept = sizes.map((size, at) => Math.max(Math.min(size, most), least[at]!));
    if (sum(kept) <= room) low = most;
    else high = most;
  }
  return low;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
