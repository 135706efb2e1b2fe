/** Ledger: the mechanical facts of a conversation, read from its calls and words, never from a model. Plain data. */
import type { PendingCall, TodoFact } from "../reading/calls/action.ts";

export type { TodoFact } from "../reading/calls/action.ts";

/** A file that the agent's tools named. */
export interface FileFact {
  /** As the last call wrote it. */
  readonly path: string;
  readonly reads: number;
  readonly edits: number;
  /** The agent made it, and has not deleted it since. */
  readonly created: boolean;
  /** What was done to it last. */
  readonly last: "read" | "edited" | "created" | "deleted";
  /** How many messages had been read when it was last touched: its recency. */
  readonly at: number;
  /** A commit took it as it is. */
  readonly settled?: boolean | undefined;
  /** A script wrote it without a word about what was there before: once it is deleted, that may be missed. */
  readonly mayBeOlder?: boolean | undefined;
}

/** A command that was run; the same command run again is the same fact. */
export interface CommandFact {
  readonly command: string;
  readonly runs: number;
  readonly outcome: "ok" | "failed" | "unknown";
  readonly exitCode?: number | undefined;
  /** The line of its last output that mattered: the failure, or the result's summary. Empty when none did. */
  readonly line: string;
  readonly at: number;
  /** Files were changed after it. */
  readonly stale?: boolean;
}

/** Something that went wrong. */
export interface ErrorFact {
  /** The line that says so, verbatim. */
  readonly text: string;
  /** The command or tool that it came from. */
  readonly source: string;
  readonly open: boolean;
  /** What made it go away: the call after which its source succeeded. */
  readonly resolvedBy?: string;
  readonly at: number;
}

/** A sentence of the assistant or the user, verbatim. */
export interface SaidFact {
  readonly text: string;
  readonly role: "user" | "assistant";
  readonly at: number;
}

/** A value with the key it was told under. */
export interface ValueFact {
  readonly key: string;
  readonly value: string;
  readonly at: number;
}

/** A step that may have made an error go away. */
export interface Remedy {
  /** Such as `Edit src/a.ts`, or the command. */
  readonly label: string;
  readonly at: number;
}

/** Every list is in the order of first appearance and bounded; what a bound dropped is counted in `dropped`. */
export interface Ledger {
  readonly version: 1;
  /** How many messages were read into it so far. */
  readonly messages: number;
  readonly files: readonly FileFact[];
  readonly commands: readonly CommandFact[];
  readonly errors: readonly ErrorFact[];
  /** Decisions with their reasons. */
  readonly decisions: readonly SaidFact[];
  /** What binds, in the user's words; never taken from quoted or tool text. */
  readonly constraints: readonly SaidFact[];
  readonly values: readonly ValueFact[];
  /** The newest state of the agent's own list. */
  readonly todos: readonly TodoFact[];
  /** Sentences of doubt and turning (F63). */
  readonly doubts: readonly SaidFact[];
  readonly dropped: Readonly<Record<DroppedName, number>>;
  /** Hashes of the paths of dropped files, so that one that comes back is not counted twice. */
  readonly forgotten: readonly number[];
  /** The newest change of a file, the newest command that succeeded and the newest commit. */
  readonly latest: {
    readonly edit?: Remedy | undefined;
    /**
     * The newest change that a check may see: of more than documentation and temporary files, by an edit or by git; at 0 where files
     * were changed, and none of them such.
     */
    readonly code?: Remedy | undefined;
    readonly command?: Remedy | undefined;
    readonly commit?: Remedy | undefined;
  };
  /** When people spoke, the last two times. */
  readonly asks?: readonly number[];
  readonly pending: readonly PendingCall[];
}

export type DroppedName = "files" | "commands" | "errors" | "decisions" | "values" | "todos" | "doubts";

export const emptyLedger: Ledger = {
  version: 1,
  messages: 0,
  files: [],
  commands: [],
  errors: [],
  decisions: [],
  constraints: [],
  values: [],
  todos: [],
  doubts: [],
  dropped: { files: 0, commands: 0, errors: 0, decisions: 0, values: 0, todos: 0, doubts: 0 },
  forgotten: [],
  latest: {},
  pending: [],
};
