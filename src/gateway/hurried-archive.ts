/** hurriedArchive: an archive whose calls fail soon instead of keeping a request waiting, and at once while it is down. */
import type { Archive } from "../archive/archive.ts";
import { ArchiveError } from "../errors/archive-error.ts";

export interface Hurry {
  /** How long a call may take. */
  readonly timeoutMs: number;
  /** How long nothing is asked of an archive that failed. */
  readonly pauseMs: number;
  readonly clock: () => number;
}

/** Every power of the archive is there as before. */
export function hurriedArchive(archive: Archive, { timeoutMs, pauseMs, clock }: Hurry): Archive {
  let pausedUntil = 0;
  const pause = (): void => {
    pausedUntil = clock() + pauseMs;
  };
  const hurried =
    <Arguments extends readonly unknown[], Answer>(ask: (...given: Arguments) => Promise<Answer>) =>
    async (...given: Arguments): Promise<Answer> => {
      if (clock() < pausedUntil)
        throw new ArchiveError(archive.name, `The archive ${archive.name} failed a moment ago.`);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () =>
            reject(new ArchiveError(archive.name, `The archive ${archive.name} took over ${timeoutMs} ms.`)),
          timeoutMs,
        );
      });
      try {
        return await Promise.race([ask(...given), late]);
      } catch (error) {
        pause();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    };
  const { close, ...powers } = archive;
  const calls = Object.entries(powers).map(([name, power]) => [
    name,
    typeof power === "function"
      ? hurried(power as (...given: readonly unknown[]) => Promise<unknown>)
      : power,
  ]);
  return { ...(Object.fromEntries(calls) as Archive), ...(close && { close }) };
}
