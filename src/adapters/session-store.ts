/** Session store: which conversation a call belongs to, by its name or by what it says. */
import type { FillReport } from "../agent-control/fill-note.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import { fingerprintOf } from "./cache-marks.ts";
import type { View } from "./sessions.ts";

export interface Session {
  readonly name: string;
  state?: CompactionState;
  /** How full the context was in the last call. */
  report?: FillReport;
  /** The fingerprints of the messages that the last compaction was given. */
  covered: readonly string[];
  /** What it made of them: a message of the history by its index, or a changed or new one. */
  kept: readonly { readonly from: number; readonly message?: unknown; readonly madeOf?: unknown }[];
  /** The messages of the last call by their fingerprints. */
  seen: ReadonlyMap<string, unknown>;
  /** The fingerprints of what the last compaction gave. */
  sent: ReadonlySet<string>;
  /** Messages that disappeared and are not in the archive yet. */
  vanished: unknown[];
  /** How many messages of the beginning the provider hides from the model; they are archived, or have vanished. */
  hidden: number;
}

export interface Found {
  readonly session: Session;
  /** The fingerprints of the messages. */
  readonly marks: readonly string[];
}

export interface SessionStore {
  /** The session of that name, or without one the only session there is. */
  readonly known: (name: string | undefined) => Session | undefined;
  /** The fingerprint of a message. */
  readonly markOf: <Native>(message: Native, view: Pick<View<Native>, "identity" | "isSystem">) => string;
  readonly find: <Native>(
    name: string | undefined,
    history: readonly Native[],
    view: Pick<View<Native>, "identity" | "isSystem">,
  ) => Found;
}

/** The conversation that was not heard of for longest is forgotten first; it is then compacted anew when it comes back. */
const MOST_SESSIONS = 500;

export function createSessionStore(): SessionStore {
  const sessions = new Map<string, Session>();
  return {
    markOf,
    known: (name) => {
      if (name !== undefined) return sessions.get(name);
      return sessions.size === 1 ? [...sessions.values()][0] : undefined;
    },
    find: (name, history, view) => {
      const marks = history.map((message) => markOf(message, view));
      const known = name === undefined ? closest([...sessions.values()], marks) : sessions.get(name);
      const session = known ?? created(name ?? nameOf(marks));
      // The caller took over what a compaction gave: what is missing since then is where it should be.
      if (isTakenOver(session, new Set(marks))) session.seen = new Map();
      sessions.delete(session.name);
      sessions.set(session.name, session);
      for (const oldest of sessions.keys()) {
        if (sessions.size <= MOST_SESSIONS) break;
        sessions.delete(oldest);
      }
      return { session, marks };
    },
  };
}

function markOf<Native>(
  message: Native,
  { identity = (each) => each, isSystem }: Pick<View<Native>, "identity" | "isSystem">,
): string {
  return fingerprintOf(isSystem(message) ? "system" : identity(message));
}

function isTakenOver({ sent }: Session, marks: ReadonlySet<string>): boolean {
  return sent.size > 0 && [...sent].every((mark) => marks.has(mark));
}

/** What the last compaction was given is the beginning of this. */
export function isCovered({ covered }: Session, marks: readonly string[]): boolean {
  return covered.length > 0 && covered.every((mark, index) => mark === marks[index]);
}

function created(name: string): Session {
  return { name, covered: [], kept: [], seen: new Map(), sent: new Set(), vanished: [], hidden: 0 };
}

/** A conversation without a name is known by its first call. */
function nameOf(marks: readonly string[]): string {
  return `c-${fingerprintOf(marks).slice(0, 20)}`;
}

/** The session that the call goes on with, or else the one that most of it was said in; a greeting alone is no sign. */
function closest(sessions: readonly Session[], marks: readonly string[]): Session | undefined {
  let found: Session | undefined;
  let most = 0;
  for (const session of sessions) {
    const shared = marks.filter((mark) => session.seen.has(mark)).length;
    const goesOn =
      shared === session.seen.size || isTakenOver(session, new Set(marks)) || isCovered(session, marks);
    const isSame = goesOn || shared > Math.max(2, marks.length / 2);
    if (isSame && shared >= most) {
      found = session;
      most = shared;
    }
  }
  return found;
}
