/** Lines that programs print around what they were asked for: told last, whatever words they have. */

/** A line may be a blob without an end: its start tells. */
export function isNoise(line: string): boolean {
  const start = line.slice(0, LOOKED_AT);
  return NOISE.some((each) => each.test(start));
}

const LOOKED_AT = 300;

/** Python: `lib.py:3: UserWarning: …`, with a line of code under it. */
const LIBRARY_WARNING = /^\s*\S{1,200}\.py:\d+: \w*Warning: /;

export function isLibraryWarning(line: string): boolean {
  return LIBRARY_WARNING.test(line.slice(0, LOOKED_AT));
}

const NOISE: readonly RegExp[] = [
  // Nothing but signs, and a line's number with nothing after it.
  /^[^\p{L}\d]*$/u,
  /^\s*\d+\s*[→│|]\s*$/,
  LIBRARY_WARNING,
  /^\s*warnings\.warn\(/,
  // Meters of downloads.
  /^\s*% Total\s+% Received|^\s*Dload\s+Upload\s|--:--:-- +--:--:--/,
  // A screen's frames.
  /^\s*[│┃║╭╰┌└├╔╚]/,
  // A diff's heads without what changed.
  /^(?:diff --git |index [0-9a-f]{7,40}\.\.|--- (?:a\/|\/dev\/null)|\+\+\+ (?:b\/|\/dev\/null))/,
  // What a form asked for and got, and short headings, which say nothing without what is below them.
  /^\s*[-*] \[[xX]\] /,
  // Not `## main`, as git tells a branch.
  /^\s*(?:#{3,6} |## \p{Lu})[^.]{0,40}$/u,
  /^\s*(?:\.{0,2}\/)?(?:\S{1,200}\/)?node_modules\/\S*$/,
];
