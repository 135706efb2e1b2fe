/** Session store: which conversation a call belongs to, by its name or by what it says. */
import type { FillReport } from "../agent-control/fill-note.ts";
import type { AskingMessages } from "../archive/branch.ts";
import { isOfTenant } from "../archive/tenant.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import { fingerprintOf } from "./cache-marks.ts";
import type { View } from "./sessions.ts";
import { nameOfCall, tenantOfUser, type Whose } from "./whose.ts";

export interface Session {
  readonly name: string;
  /** The caller gave it its name; otherwise two clients that say the same may share it. */
  readonly isNamed: boolean;
  state?: CompactionState;
  /** How full the context was in the last call. */
  report?: FillReport;
  /** The fingerprints of the messages that the last compaction was given. */
  covered: readonly string[];
  /** What it made of them: a message of the history by its index, or a changed or new one. */
  kept: readonly { readonly from: number; readonly message?: unknown; readonly madeOf?: unknown }[];
  /** The messages of the last call by their fingerprints, and these in order, without system prompts. */
  seen: ReadonlyMap<string, unknown>;
  seenMarks: readonly string[];
  /** The fingerprints of what the last compaction gave. */
  sent: ReadonlySet<string>;
  /** Messages that disappeared and are not in the archive yet: somebody else compacted them … */
  vanished: unknown[];
  /** … or the caller took them back. */
  withdrawn: unknown[];
  /** The last call's messages, as the caller has them and as they were sent: by these recall knows the branch. */
  asking?: () => readonly AskingMessages[];
  /** How many messages of the beginning the provider hides from the model; they are archived, or have vanished. */
  hidden: number;
}

export interface Found {
  readonly session: Session;
  /** The fingerprints of the messages. */
  readonly marks: readonly string[];
}

export interface SessionStore {
  /** The session of that name, or without one the only session that there is of the user. */
  readonly known: (whose: Whose) => Session | undefined;
  /** The fingerprint of a message. */
  readonly markOf: <Native>(message: Native, view: Pick<View<Native>, "identity" | "isSystem">) => string;
  readonly find: <Native>(
    whose: Whose,
    history: readonly Native[],
    view: Pick<View<Native>, "identity" | "isSystem">,
  ) => Found;
}

/** The conversation that was not heard of for longest is forgotten first; it is then compacted anew when it comes back. */
const MOST_SESSIONS = 500;

export function createSessionStore(): SessionStore {
  const sessions = new Map<string, Session>();
  const ofUser = ({ user }: Whose): readonly Session[] =>
    [...sessions.values()].filter(({ name }) =>
      user === undefined ? !name.startsWith("@") : isOfTenant(name, tenantOfUser(user)),
    );
  return {
    markOf,
    known: (whose) => {
      const name = nameOfCall(whose);
      if (name !== undefined) return sessions.get(name);
      const own = ofUser(whose);
      return own.length === 1 ? own[0] : undefined;
    },
    find: (whose, history, view) => {
      const marks = history.map((message) => markOf(message, view));
      const name = nameOfCall(whose);
      const known = name === undefined ? closest(ofUser(whose), marks) : sessions.get(name);
      const session = known ?? created(name ?? nameByContent(marks, whose), name !== undefined);
      // The caller took over what a compaction gave: what is missing since then is where it should be.
      if (isTakenOver(session, new Set(marks))) {
        session.seen = new Map();
        session.seenMarks = [];
      }
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

function created(name: string, isNamed: boolean): Session {
  return {
    name,
    isNamed,
    seenMarks: [],
    covered: [],
    kept: [],
    seen: new Map(),
    sent: new Set(),
    vanished: [],
    withdrawn: [],
    hidden: 0,
  };
}

/** A conversation without a name is known by its first call. */
function nameByContent(marks: readonly string[], { user }: Whose): string {
  const name = `c-${fingerprintOf(marks).slice(0, 20)}`;
  return user === undefined ? name : `${tenantOfUser(user)}/${name}`;
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
