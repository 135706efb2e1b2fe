/**
 * Roomy bodies: those that were found so far from their next compaction that the next ones, a little longer, need not be
 * looked at. Agents send all they sent before and a little more: most requests are told by comparing bytes.
 */
import { COMPRESS_CONTEXT } from "../agent-control/compress-context.ts";
import type { Job, Prepared } from "./job.ts";

export interface RoomyBodies {
  /** The body is one of these with less added than there was room for. */
  readonly has: (scope: string, body: Buffer) => boolean;
  readonly add: (scope: string, body: Buffer, room: NonNullable<Prepared["room"]>) => void;
  /** The provider had no room for it, whatever was counted. */
  readonly remove: (scope: string, body: Buffer) => void;
}

interface Roomy {
  readonly scope: string;
  /** Up to the end of its last message. */
  readonly head: Buffer;
  /** Everything behind the messages: the model may be named there. */
  readonly tail: Buffer;
  readonly room: number;
}

const MOST_BODIES = 64;
const MOST_BYTES = 32_000_000;

export function createRoomyBodies(): RoomyBodies {
  /** Newest last. */
  let bodies: Roomy[] = [];
  const begins = ({ scope: own, head }: Roomy, scope: string, body: Buffer): boolean =>
    own === scope && body.length >= head.length && head.equals(body.subarray(0, head.length));
  const isRoomy = ({ head, tail, room }: Roomy, body: Buffer): boolean => {
    const added = body.length - head.length - tail.length;
    // A token has a byte at least.
    return (
      added >= 0 &&
      added < room &&
      tail.equals(body.subarray(body.length - tail.length)) &&
      !body.includes(COMPRESS_CONTEXT, head.length)
    );
  };
  return {
    has: (scope, body) =>
      bodies.findLast((each) => begins(each, scope, body) && isRoomy(each, body)) !== undefined,
    add: (scope, body, { after, tokens }) => {
      const [head, tail] = [body.subarray(0, after), body.subarray(after)];
      const others = bodies.filter((each) => !begins(each, scope, body));
      bodies = withinBytes([...others, { scope, head, tail, room: tokens }].slice(-MOST_BODIES));
    },
    remove: (scope, body) => {
      bodies = bodies.filter((each) => !begins(each, scope, body));
    },
  };
}

/** Whose body it is, and which API's. */
export function scopeOf({ tenant, conversation, format, replayOnly }: Omit<Job, "text">): string {
  return JSON.stringify([tenant, conversation, format, replayOnly]);
}

/** The newest of them that fit. */
function withinBytes(bodies: readonly Roomy[]): Roomy[] {
  let bytes = 0;
  return bodies
    .toReversed()
    .filter(({ head, tail }) => {
      bytes += head.length + tail.length;
      return bytes <= MOST_BYTES;
    })
    .toReversed();
}
