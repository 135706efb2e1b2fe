/** hurriedArchive: an archive whose calls fail soon instead of keeping a request waiting, and at once while it is down. */
import type { Archive } from "../archive/archive.ts";
import { ArchiveError } from "../errors/archive-error.ts";

export interface Hurry {
  /** How long a question may take. */
  readonly timeoutMs: number;
  /** How long a write may take: nobody waits for it but whose request would not fit otherwise. */
  readonly writeTimeoutMs: number;
  /** How long nothing is asked of an archive that failed. */
  readonly pauseMs: number;
  readonly clock: () => number;
}

export interface HurriedArchive extends Archive {
  /** It failed, and has not answered since. */
  readonly isDown: () => boolean;
}

/** Every power of the archive is there as before. */
export function hurriedArchive(
  archive: Archive,
  { timeoutMs, writeTimeoutMs, pauseMs, clock }: Hurry,
): HurriedArchive {
  let failedAt: number | undefined;
  const isPaused = (): boolean => {
    const passed = failedAt === undefined ? pauseMs : clock() - failedAt;
    // A clock that was set back must not make the pause longer.
    return passed >= 0 && passed < pauseMs;
  };
  const hurried =
    <Arguments extends readonly unknown[], Answer>(
      ask: (...given: Arguments) => Promise<Answer>,
      limitMs: number,
    ) =>
    async (...given: Arguments): Promise<Answer> => {
      if (isPaused())
        throw new ArchiveError(archive.name, `The archive ${archive.name} failed a moment ago.`);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () =>
            reject(new ArchiveError(archive.name, `The archive ${archive.name} took over ${limitMs} ms.`)),
          limitMs,
        );
      });
      try {
        const answer = await Promise.race([ask(...given), late]);
        failedAt = undefined;
        return answer;
      } catch (error) {
        failedAt = clock();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    };
  const { close, ...powers } = archive;
  const calls = Object.entries(powers).map(([name, power]) => {
    const limitMs = name === "put" ? writeTimeoutMs : timeoutMs;
    const isCall = typeof power === "function";
    return [
      name,
      isCall ? hurried(power as (...given: readonly unknown[]) => Promise<unknown>, limitMs) : power,
    ];
  });
  const isDown = (): boolean => failedAt !== undefined;
  return { ...(Object.fromEntries(calls) as Archive), ...(close && { close }), isDown };
}
