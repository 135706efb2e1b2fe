/** longRuns: stretches of letters, digits and `+ / _ -`, the only places where a token or base64 can stand. */

export interface Run {
  readonly start: number;
  readonly end: number;
}

const IN_RUN = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
  IN_RUN[character.charCodeAt(0)] = 1;

function isInRun(code: number): boolean {
  return code < 128 && IN_RUN[code] === 1;
}

/** Every run of at least `shortest` characters. Most characters are never looked at: a gap rules out all before it. */
export function longRuns(text: string, shortest: number): readonly Run[] {
  const runs: Run[] = [];
  let start = 0;
  while (start + shortest <= text.length) {
    let at = start + shortest - 1;
    while (at >= start && isInRun(text.charCodeAt(at))) at--;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start + shortest;
    while (end < text.length && isInRun(text.charCodeAt(end))) end++;
    runs.push({ start, end });
    start = end + 1;
  }
  return runs;
}
