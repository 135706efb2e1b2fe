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
  /** It failed, or took too long twice in a row, and has not answered since. */
  readonly isDown: () => boolean;
}

/** One late answer may be a lock's or a busy moment's. */
const MOST_LATE = 2;

/** Every power of the archive is there as before. */
export function hurriedArchive(
  archive: Archive,
  { timeoutMs, writeTimeoutMs, pauseMs, clock }: Hurry,
): HurriedArchive {
  let failedAt: number | undefined;
  let lateInRow = 0;
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
      const lateBefore = lateInRow;
      const limit = timeLimit(
        limitMs,
        () => new ArchiveError(archive.name, `The archive ${archive.name} took over ${limitMs} ms.`),
      );
      try {
        const answer = await Promise.race([ask(...given), limit.over]);
        failedAt = undefined;
        lateInRow = 0;
        return answer;
      } catch (error) {
        // What was asked at the same time is late at the same time, and counts once.
        if (limit.isOver()) lateInRow = Math.max(lateInRow, lateBefore + 1);
        if (!limit.isOver() || lateInRow >= MOST_LATE) failedAt = clock();
        throw error;
      } finally {
        limit.end();
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

interface TimeLimit {
  /** Rejects when it is. */
  readonly over: Promise<never>;
  readonly isOver: () => boolean;
  readonly end: () => void;
}

function timeLimit(ms: number, error: () => Error): TimeLimit {
  const { promise: over, reject } = Promise.withResolvers<never>();
  let isOver = false;
  const expire = (): void => {
    isOver = true;
    reject(error());
  };
  // subtle: after this thread was busy, its timers come before the answers that arrived meanwhile; those are read in between.
  const timer = setTimeout(() => setImmediate(() => setImmediate(expire)), ms);
  return { over, isOver: () => isOver, end: () => clearTimeout(timer) };
}
