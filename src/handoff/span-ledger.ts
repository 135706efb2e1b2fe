/** The ledger of what is handed off: what was known before, and what the span adds to it. */

import { handoffIn } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { errorKey } from "../ledger/error-key.ts";
import { emptyLedger, type Ledger, type TodoFact } from "../ledger/ledger.ts";
import { readLedgerLines } from "../ledger/read-ledger-lines.ts";
import type { LedgerSections } from "../ledger/render-ledger.ts";
import { updateLedger } from "../ledger/update-ledger.ts";
import { fileKey } from "../reading/calls/file-path.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { farMessages } from "./far-messages.ts";
import { readSections, type Sections } from "./sections.ts";

/**
 * `stored` is the ledger that the last compaction left. It counts where the span holds that compaction's hand-off:
 * without one the messages themselves are there again, and would be read twice. Without a stored ledger the earlier
 * hand-offs are read back.
 */
export function spanLedger(
  span: readonly Message[],
  stored: Ledger | undefined,
  counter: TokenCounter,
): Ledger {
  const earlier: Sections[] = [];
  for (let at = 0; at < span.length; at++) {
    const found = handoffIn(span[at]!);
    if (found) earlier.push(readSections(found.body));
  }
  const mayHoldHandoffs = earlier.length > 0;
  const known = mayHoldHandoffs ? (stored ?? toldIn(earlier)) : emptyLedger;
  return updateLedger(known, span, { wordsFrom: farMessages(span, counter), mayHoldHandoffs });
}

/** What the sections of earlier hand-offs tell; of several todo lists the last is the agent's. */
function toldIn(earlier: readonly Sections[]): Ledger {
  const linesOf = (name: keyof LedgerSections & keyof Sections) =>
    earlier.flatMap((sections) => sections[name]);
  return readLedgerLines({
    todos: earlier.findLast(({ todos }) => todos.length > 0)?.todos ?? [],
    decisions: [],
    files: linesOf("files"),
    commands: linesOf("commands"),
    errors: linesOf("errors"),
    values: [],
  });
}

/** The same facts as they are once the messages that stay are read too: what was done or resolved there is not open. */
export function standingAfter(ledger: Ledger, stay: readonly Message[]): Ledger {
  if (stay.length === 0) return ledger;
  const now = updateLedger(ledger, stay, { wordsFrom: stay.length });
  const resolved = new Map(now.errors.flatMap((error) => (error.open ? [] : [[errorKey(error), error]])));
  const nowSettled = new Set(now.files.flatMap(({ path, settled }) => (settled ? [fileKey(path)] : [])));
  return {
    ...ledger,
    commands: now.commands,
    latest: now.latest,
    ...(now.asks && { asks: now.asks }),
    files: ledger.files.map((file) => {
      const settled = nowSettled.has(fileKey(file.path));
      return settled === (file.settled ?? false) ? file : { ...file, settled };
    }),
    errors: ledger.errors.map((error) => resolved.get(errorKey(error)) ?? error),
    todos: ledger.todos.flatMap((todo) => now.todos.find((each) => isSameTodo(each, todo)) ?? []),
  };
}

function isSameTodo(one: TodoFact, other: TodoFact): boolean {
  return one.id !== undefined && other.id !== undefined ? one.id === other.id : one.text === other.text;
}
