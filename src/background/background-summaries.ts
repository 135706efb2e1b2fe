/** BackgroundSummaries: summaries that are written while the agent goes on, to be used by a later compaction if still true. */
import { createHash } from "node:crypto";
import type { Message } from "../conversation/message.ts";
import { fingerprint } from "../plan/fingerprint.ts";
import type { Narration } from "../summarizer/narrate.ts";

export interface BackgroundSummaries {
  /** Has the messages summarised, unless that is under way for this conversation already (single flight). Never waits. */
  readonly start: (messages: readonly Message[], narrate: () => Promise<Narration>) => void;
  /**
   * The summary of the beginning of these messages, where one is ready; messages that came after it do not matter. One
   * whose beginning was changed meanwhile is thrown away (R49).
   */
  readonly take: (messages: readonly Message[]) => Narration | undefined;
}

interface Flight {
  /** How many messages it covers, and their digest. */
  readonly length: number;
  readonly digest: string;
  narration?: Narration;
}

/** Conversations that one compactor summarises side by side; past that the oldest flight is given up. */
const MAX_FLIGHTS = 16;

/** Held in memory only: after a restart the deterministic hand-off stands in, and the next soft threshold starts anew. */
export function createBackgroundSummaries(): BackgroundSummaries {
  const flights = new Map<string, Flight>();
  return {
    start(messages, narrate) {
      const key = keyOf(messages);
      const known = flights.get(key);
      if (known && covers(known, messages)) return;
      const flight: Flight = { length: messages.length, digest: digestOf(messages) };
      flights.delete(key);
      if (flights.size >= MAX_FLIGHTS) flights.delete(flights.keys().next().value!);
      flights.set(key, flight);
      // A failure is kept like a summary: it is told by the next compaction, and not repeated at every turn before it.
      narrate().then(
        (narration) => {
          flight.narration = narration;
        },
        () => flights.delete(key),
      );
    },
    take(messages) {
      const key = keyOf(messages);
      const flight = flights.get(key);
      if (!flight) return undefined;
      if (!covers(flight, messages)) {
        flights.delete(key);
        return undefined;
      }
      if (!flight.narration) return undefined;
      flights.delete(key);
      return flight.narration;
    },
  };
}

function covers({ length, digest }: Flight, messages: readonly Message[]): boolean {
  return messages.length >= length && digestOf(messages.slice(0, length)) === digest;
}

/** The first messages tell conversations apart; the digest makes sure. */
function keyOf(messages: readonly Message[]): string {
  return digestOf(messages.slice(0, 3));
}

function digestOf(messages: readonly Message[]): string {
  const hash = createHash("sha256");
  for (const message of messages) hash.update(fingerprint(message));
  return hash.digest("base64url");
}
