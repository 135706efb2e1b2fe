/** BackgroundSummaries: summaries that are written while the agent goes on, to be used by a later compaction if still true. */
import type { Message } from "../conversation/message.ts";
import { fingerprint } from "../plan/fingerprint.ts";
import type { Narration } from "../summarizer/narrate.ts";

export interface BackgroundSummaries {
  /** Has the messages summarised, unless that is under way for this conversation already (single flight). Never waits. */
  readonly start: (
    messages: readonly Message[],
    narrate: (signal: AbortSignal) => Promise<Narration>,
  ) => void;
  /**
   * The summary of the beginning of these messages, where one is ready; messages that came after it do not matter. The
   * flight ends with it: a summary that is not ready now is called off, since what it tells of is about to be replaced,
   * and one of messages that were changed since is never given (R49).
   */
  readonly take: (messages: readonly Message[]) => Narration | "not-ready" | undefined;
}

interface Flight {
  /** Of the messages it was begun with. */
  readonly fingerprints: readonly string[];
  readonly callOff: () => void;
  narration?: Narration;
}

/** Conversations that one compactor summarises side by side; past that no other is begun until one is done. */
const MAX_UNDER_WAY = 16;
/** Summaries that wait for their compaction; past that the oldest is given up. */
const MAX_WAITING = 512;

/** Held in memory only: after a restart the deterministic hand-off is used, and the next soft threshold starts anew. */
export function createBackgroundSummaries(): BackgroundSummaries {
  const flights = new Set<Flight>();
  const end = (flight: Flight): void => {
    flights.delete(flight);
    flight.callOff();
  };
  const flightOf = (messages: readonly Message[]): Flight | undefined =>
    [...flights].find((flight) => covers(flight, messages));
  return {
    start(messages, narrate) {
      if (flightOf(messages)) return;
      const giveUp = new AbortController();
      const flight: Flight = { fingerprints: messages.map(fingerprint), callOff: () => giveUp.abort() };
      const underWay = [...flights].filter(({ narration }) => narration === undefined).length;
      if (underWay >= MAX_UNDER_WAY) return;
      for (const oldest of flights) if (flights.size >= MAX_WAITING && oldest.narration) end(oldest);
      flights.add(flight);
      // A failure is kept like a summary: it is told by the next compaction, and not repeated at every turn before it.
      narrate(giveUp.signal).then(
        (narration) => {
          // One that never came about may be begun again.
          if (narration.error?.failure === "aborted") end(flight);
          else flight.narration = narration;
        },
        () => end(flight),
      );
    },
    take(messages) {
      const flight = flightOf(messages);
      if (!flight) return undefined;
      end(flight);
      return flight.narration ?? "not-ready";
    },
  };
}

/** The newest message first: conversations that begin alike differ there. */
function covers({ fingerprints }: Flight, messages: readonly Message[]): boolean {
  const last = fingerprints.length - 1;
  if (last < 0 || last >= messages.length || fingerprint(messages[last]!) !== fingerprints[last])
    return false;
  return fingerprints.every((print, at) => fingerprint(messages[at]!) === print);
}
