/**
 * Views: what the inspector's page is given, as plain JSON. Types only: the page imports nothing else of Pith.
 * Numbers of tokens are as Pith counts them; times are milliseconds since the epoch; ids are those of the archive.
 *
 * A `position` is a message's place in everything that was ever said in its conversation, from 0; -1 for one that Pith
 * wrote. What is refused is `ErrorView` with a status of 4xx or 5xx.
 */

/** What a token is spent on. A message may be of several kinds at once: prose, reasoning and calls. */
export type TokenKind = "system" | "user" | "assistant" | "reasoning" | "calls" | "results" | "handOff";

export type KindTokens = Readonly<Record<TokenKind, number>>;

/** GET api/session */
export interface SessionView {
  readonly version: string;
  /** The file's or the archive's name, for people. */
  readonly title: string;
  /** Apply and undo are refused. Previews are not: they change nothing. */
  readonly readOnly: boolean;
  /** Why, where it is not plain from the flags: "The gateway's clients hold their own history." */
  readonly readOnlyReason?: string;
  /** The rows of the list change by themselves: `api/live` is worth listening to. */
  readonly live: boolean;
  readonly presets: readonly PresetView[];
  /** Opened on one file: go straight to its conversation. */
  readonly conversation?: string;
  /** An exported page: there is no server, so no search, preview, apply or undo. */
  readonly exported?: boolean;
}

export interface PresetView {
  readonly name: string;
  /** The fill that it comes back to, as a share of the budget. */
  readonly targetRatio: number;
  readonly thresholds: readonly ThresholdView[];
}

export interface ThresholdView {
  /** Share of the budget, 0 to 1. */
  readonly at: number;
  readonly action: "shrink" | "extract" | "hand-off" | "trim";
  /** Only for a conversation that was compacted before. */
  readonly again?: boolean;
  /** The same in tokens, where the window is known. */
  readonly tokens?: number;
}

/** GET api/conversations → ConversationRow[]; api/live sends one as `event: row` whenever it changed. */
export interface ConversationRow {
  readonly id: string;
  readonly messages: number;
  /** In the context now. Absent while it is not counted yet: it comes by a later row. */
  readonly tokens?: number;
  readonly window?: number;
  /** `tokens` as a share of the window. */
  readonly fill?: number;
  readonly compactions: number;
  /** How often the agent called recall_search or recall_expand. */
  readonly recallUsed?: number;
  /** Attempts to compact that failed or gained nothing, since the last that did; `lastError` says why. */
  readonly errors?: number;
  readonly lastError?: string;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** GET api/conversations/:id */
export interface ConversationView {
  readonly id: string;
  readonly format?: string;
  readonly model?: string;
  /** Everything that was ever said: the length of every list in `kinds`. */
  readonly messages: number;
  /** False where the model's tokenizer is not public and the counts are estimates. */
  readonly exact: boolean;
  /** In the context now, and everything that was ever said. Tools are in both. */
  readonly tokens: number;
  readonly saidTokens: number;
  /** Tool definitions: part of every request, and of no message. */
  readonly toolTokens: number;
  readonly window?: number;
  /** The window without what is kept free for the answer. */
  readonly budget?: number;
  /** The preset that the thresholds are of. */
  readonly preset: string;
  readonly thresholds: readonly ThresholdView[];
  /** By position, what each message costs in each kind. A kind that never occurs is an empty list. */
  readonly kinds: Readonly<Record<TokenKind, readonly number[]>>;
  /** Oldest first. */
  readonly compactions: readonly CompactionMark[];
  /** Prompt sizes that a provider reported. */
  readonly usage: readonly { readonly position: number; readonly tokens: number }[];
  readonly firstAt: number;
  readonly lastAt: number;
  /** Positions that the program itself never takes away. */
  readonly pins: readonly number[];
  /** Of a session file: what was passed over in it. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** A compaction on the timeline. The fill falls to `kindsAfter` there and grows on with the messages from `position` on. */
export interface CompactionMark {
  readonly id: string;
  readonly at: number;
  /** How many messages had been said: it stands before the message of this position. */
  readonly position: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly kindsAfter: KindTokens;
  readonly preset: string;
  /** One sentence: why it was made. */
  readonly reason?: string;
  /** It was taken back: the fill goes on as if it had never been. */
  readonly undone: boolean;
}

/** GET api/conversations/:id/messages?from=&count= → MessageView[]; at most 500 at a time. */
export interface MessageView extends SideView {
  readonly at: number;
}

/** A message as a list shows it. The whole of it: `api/items/` and its id. */
export interface SideView {
  readonly position: number;
  readonly id: string;
  readonly role: "system" | "user" | "assistant" | "tool" | "other";
  /** What most of it is. */
  readonly kind: TokenKind;
  /** The tools that it calls or answers for. */
  readonly tools: readonly string[];
  readonly tokens: number;
  /** The beginning of what it says. */
  readonly text: string;
  /** How many characters it has in all. */
  readonly chars: number;
}

export type StageName =
  | "strip-reasoning"
  | "drop-duplicates"
  | "shape-tool-results"
  | "shrink-call-arguments"
  | "extract-sentences"
  | "hand-off"
  | "trim";

/** GET api/compactions/:id, and POST api/preview (then without an id). */
export interface CompactionView {
  readonly id?: string;
  readonly conversation: string;
  readonly at?: number;
  readonly preset: string;
  readonly reason?: string;
  readonly undone?: boolean;
  /** It is the last one that is in force, so that undoing it takes back no other. */
  readonly newest?: boolean;
  /** Undoing it takes back these, itself included, newest first. */
  readonly undoes?: readonly string[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The ceiling that it was made for. */
  readonly targetTokens: number;
  /** Whole requests, tools and system prompt included. */
  readonly promptTokensBefore?: number;
  readonly promptTokensAfter?: number;
  readonly window?: number;
  /** Billed cost of the next request, in units of one fresh input token. */
  readonly cost?: { readonly before: number; readonly after: number };
  readonly stages: readonly StageView[];
  /** In order; a removed message stands where it was. */
  readonly rows: readonly CompactionRow[];
  readonly handOff?: HandOffView;
  readonly ledger: readonly LedgerSectionView[];
  /** What may not be lost: constraints, the latest ask, open todos and errors, changed files. */
  readonly mustKeeps?: { readonly told: number; readonly total: number };
  /** Only where a summary by a model was asked for. */
  readonly audit?: AuditView;
}

export interface StageView {
  readonly stage: StageName;
  readonly tokensSaved: number;
  /** How many messages it touched. */
  readonly messages: number;
}

export interface CompactionRow {
  readonly change: "kept" | "changed" | "removed" | "added";
  /** Absent where it was added. */
  readonly before?: SideView;
  /** Absent where it was removed, and where it was kept: then it is `before`. */
  readonly after?: SideView;
  /** The last Stage that touched it, and why. */
  readonly stage?: StageName;
  readonly reason?: string;
  /** Tokens; negative for what was added. */
  readonly saved: number;
  /** Opens what was there before: `api/items/`. */
  readonly originalId?: string;
  /** It was pinned. */
  readonly pinned?: boolean;
}

export interface HandOffView {
  /** The row that it stands in. */
  readonly row: number;
  /** All of it, as it is sent: what `handOff` of a preview replaces. */
  readonly text: string;
  readonly lines: readonly HandOffLine[];
}

export interface HandOffLine {
  readonly text: string;
  /** The heading that it stands under, such as "Constraints"; absent for the frame. */
  readonly section?: string;
  /** It is such a heading itself. */
  readonly heading?: boolean;
  /** The rows that it comes from, best first; empty where none can be told. */
  readonly sources: readonly number[];
}

export interface LedgerSectionView {
  readonly name: string;
  readonly lines: readonly LedgerLine[];
}

export interface LedgerLine {
  readonly text: string;
  /** The hand-off says it. */
  readonly told: boolean;
  readonly mustKeep: boolean;
}

export interface AuditView {
  /** Who wrote it; absent when there is none, and the deterministic hand-off stands alone. */
  readonly summarizer?: string;
  /** Share of the must-keeps that the summary itself held, 0 to 1. */
  readonly coverage: number;
  readonly putBack: number;
  /** The must-keeps that it dropped and that were put back. */
  readonly putBackLines: readonly string[];
  /** Specifics that it invented, and how many sentences were struck for them. */
  readonly invented: readonly string[];
  readonly struck: number;
  readonly attempts: readonly { readonly summarizer: string; readonly failure?: string }[];
  readonly failure?: string;
}

/** The body of POST api/preview and POST api/apply. */
export interface PlanBody {
  readonly conversation: string;
  /** @default the conversation's own */
  readonly preset?: string | undefined;
  /** Tokens, or a share such as "30%". Without one the preset's thresholds decide, and the window must be known. */
  readonly target?: number | string | undefined;
  /** Positions of messages that must stay whole. */
  readonly pins?: readonly number[] | undefined;
  /** Stands for the text of the plan's hand-off. */
  readonly handOff?: string | undefined;
  /** Of an apply: `tokensBefore` of the preview. Where the conversation has another size by now, it is refused (PLAN_STALE). */
  readonly expects?: number | undefined;
}

/** The answer of POST api/apply. */
export interface AppliedView {
  readonly compaction: string;
}

/** The answer of POST api/undo {compaction}. */
export interface UndoneView {
  /** The compactions that were taken back, newest first. */
  readonly compactions: readonly string[];
  /** How many messages the context has now. */
  readonly messages: number;
  readonly tokens: number;
}

/** GET api/search?q=&conversation=&role=&tool=&since=&until=&limit= (times in ISO 8601 or milliseconds) */
export interface SearchView {
  readonly results: readonly SearchRow[];
  /** So many were found and ranked. */
  readonly found: number;
}

export interface SearchRow {
  readonly conversation: string;
  /** Its position. */
  readonly message: number;
  readonly id: string;
  readonly role: SideView["role"];
  readonly at: number;
  readonly score: number;
  readonly snippet: string;
}

/** GET api/items/:id?from=&count= : a page of lines; at most 2,000 at a time. `raw=1` gives it as it is stored. */
export interface ItemView {
  readonly id: string;
  readonly kind: "text" | "message" | "glue" | "span" | "request" | "hand-off" | "plan" | "state";
  /** How many lines there are, and the first of this page, from 0. */
  readonly total: number;
  readonly from: number;
  /** A line longer than 10,000 characters is cut there, and ends with "…". */
  readonly lines: readonly string[];
  /** Of a message: what begins at which line. */
  readonly pieces: readonly { readonly line: number; readonly kind: TokenKind; readonly tool?: string }[];
  /** The kinds of the secrets that were masked in it. */
  readonly masked: readonly string[];
  /** When it was erased; then there are no lines. */
  readonly forgotten?: number;
}

/** GET api/cost/:conversation?window= : the conversation held again under several strategies. Ask again while it is `running`. */
export interface CostView {
  readonly state: "running" | "done" | "failed";
  /** Why it failed, or what was left out and why. */
  readonly note?: string;
  readonly window: number;
  readonly requests: number;
  /** The names of the price tables; costs are in their currency. */
  readonly tables: readonly string[];
  /** Those that are done so far. `nothing` is without Pith. */
  readonly strategies: readonly StrategyCost[];
}

export interface StrategyCost {
  readonly name: string;
  /** By price table. */
  readonly cost: Readonly<Record<string, number>>;
  /** Share of the prompt tokens that the cache had. */
  readonly cacheHits: Readonly<Record<string, number>>;
  readonly promptTokens: number;
  readonly largestPromptTokens: number;
  readonly outputTokens: number;
  readonly compactions: number;
  /** Requests that did not fit the window: not billed. */
  readonly failed: number;
  /** Request by request, at most 400 of them evenly chosen: its number, its prompt, and by table the cost up to it. */
  readonly points: {
    readonly request: readonly number[];
    readonly promptTokens: readonly number[];
    readonly cost: Readonly<Record<string, readonly number[]>>;
  };
}

export interface ErrorView {
  readonly error: {
    /** Such as "TARGET_UNREACHABLE", "READ_ONLY", "NOT_FOUND", "UNAUTHORIZED". */
    readonly code: string;
    readonly message: string;
  };
}

/**
 * What `--export` puts into its page, as JSON in `<script type="application/json" id="pith-data">`: the answers by
 * their routes, such as `{"api/session": …, "api/conversations/NAME": …, "api/items/pith:…": …}`, encoded as in a URL.
 */
export type ExportedAnswers = Readonly<Record<string, unknown>>;
