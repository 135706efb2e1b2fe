/** Traffic: what passed under each conversation's name since the gateway started; the archive hears only of compactions. */
import type { ConversationRow } from "../inspect/views.ts";
import type { Account } from "./account.ts";

export interface Traffic {
  readonly note: (account: Account) => void;
  /** The rows of the archive with what passed since. */
  readonly onTopOf: (rows: readonly ConversationRow[]) => readonly ConversationRow[];
}

interface Passed {
  readonly lastAt: number;
  readonly recalls: number;
  readonly errors: number;
  readonly lastError?: string | undefined;
  /** Of the last request, where it was counted. */
  readonly tokens?: number | undefined;
}

/** Conversations that are remembered: those that were longest silent are left out first. */
const MOST = 2_000;

export function createTraffic(clock: () => number = Date.now): Traffic {
  const passed = new Map<string, Passed>();
  return {
    note: ({ prepared, status, toolCalls = 0 }) => {
      const name = prepared?.conversation;
      if (name === undefined) return;
      const { recalls = 0, errors = 0, lastError, tokens } = passed.get(name) ?? {};
      const error = errorOf(
        prepared?.outcome === "failed-open" ? (prepared.reason ?? "") : undefined,
        status,
      );
      passed.delete(name);
      passed.set(name, {
        lastAt: clock(),
        recalls: recalls + toolCalls,
        errors: errors + (error === undefined ? 0 : 1),
        lastError: error ?? lastError,
        tokens: prepared?.tokensAfter ?? prepared?.tokensBefore ?? tokens,
      });
      if (passed.size > MOST) passed.delete(passed.keys().next().value!);
    },
    onTopOf: (rows) =>
      rows.map((row) => {
        const live = passed.get(row.id);
        if (!live) return row;
        const { lastError, tokens } = live;
        return {
          ...row,
          lastAt: Math.max(row.lastAt, live.lastAt),
          recallUsed: Math.max(row.recallUsed ?? 0, live.recalls),
          errors: (row.errors ?? 0) + live.errors,
          ...(lastError !== undefined && { lastError }),
          ...(tokens !== undefined && {
            tokens,
            ...(row.window !== undefined && { fill: tokens / row.window }),
          }),
        };
      }),
  };
}

/** Why the original went on, or that the provider refused. */
function errorOf(failure: string | undefined, status: number): string | undefined {
  if (failure !== undefined) return failure || "The original went on.";
  return status >= 400 ? `The provider answered ${status}.` : undefined;
}
