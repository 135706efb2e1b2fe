/** Reads messages into a ledger: message by message, so that pieces give the same ledger as the whole. */

import { holdsHandoff, separateHandoff } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import type { ToolCallPart, ToolResultPart } from "../conversation/part.ts";
import type { Action, PendingCall } from "../reading/calls/action.ts";
import { deedOf } from "../reading/calls/deed.ts";
import { actionsOf } from "../reading/calls/read-call.ts";
import { endsOf } from "../reading/calls/said.ts";
import { boundBy, userWordsOf } from "../reading/user-words.ts";
import { noteCommands } from "./commands.ts";
import { noteGitFiles } from "./committed-files.ts";
import { noteConstraints } from "./constraints.ts";
import { closeDraft, type LedgerDraft, openDraft } from "./draft.ts";
import { noteEnd } from "./errors.ts";
import { noteFile } from "./files.ts";
import type { Ledger } from "./ledger.ts";
import { noteChecklist, noteTodos } from "./todos.ts";
import { valuesInAnswer, valuesInProse } from "./values.ts";
import { MAX_PROSE, noteValues, noteWords, wordsOf } from "./words.ts";

export interface UpdateOptions {
  /**
   * Of the messages before this one only the deeds are read (files, commands, errors, todos) and what binds: decisions,
   * doubts and values from so far back would be dropped for newer ones. @default 0
   */
  readonly wordsFrom?: number;
  /** Whether earlier hand-offs may be among the messages: who has looked for them knows. @default true */
  readonly mayHoldHandoffs?: boolean;
}

/** The ledger with these messages read into it. Earlier hand-offs among them are skipped: they tell of what is known. */
export function updateLedger(
  ledger: Ledger,
  messages: readonly Message[],
  { wordsFrom = 0, mayHoldHandoffs = true }: UpdateOptions = {},
): Ledger {
  const draft = openDraft(ledger);
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    draft.messages++;
    const own = mayHoldHandoffs && holdsHandoff(message) ? separateHandoff(message).own : message;
    if (own !== undefined) readMessage(draft, own, at >= wordsFrom);
  }
  return closeDraft(draft);
}

function readMessage(draft: LedgerDraft, message: Message, hearsWords: boolean): void {
  // By index: until it is compiled, an iterator makes an object for each step, and these loops are passed thousands of times.
  for (let at = 0; at < message.parts.length; at++) {
    const part = message.parts[at]!;
    if (part.type === "tool-call") expectResult(draft, part);
    else if (part.type === "tool-result") readResult(draft, part, hearsWords);
    else if (part.type === "text" && message.role === "assistant") {
      noteChecklist(draft, endsOf(part.text, MAX_PROSE));
      if (hearsWords) noteWords(draft, wordsOf(part));
    } else if (part.type === "reasoning" && hearsWords) noteWords(draft, wordsOf(part));
  }
  if (message.role === "user") readUser(draft, message, hearsWords);
}

function readUser(draft: LedgerDraft, message: Message, hearsWords: boolean): void {
  const words = userWordsOf(message);
  if (words === "") return;
  // A person speaks: what was called and never answered was broken off.
  draft.pending.length = 0;
  draft.asks = [...draft.asks, draft.messages].slice(-2);
  noteConstraints(draft, boundBy(message));
  if (hearsWords) noteValues(draft, valuesInProse(endsOf(words, MAX_PROSE)));
}

/** Calls that wait at the same time, at most. */
const MAX_PENDING = 256;

function expectResult(draft: LedgerDraft, call: ToolCallPart): void {
  draft.pending.push({ pairId: call.pairId, tool: call.name, actions: actionsOf(call) });
  if (draft.pending.length > MAX_PENDING) draft.pending.shift();
}

function readResult(draft: LedgerDraft, result: ToolResultPart, hearsWords: boolean): void {
  const call = takePending(draft, result.pairId);
  if (call === undefined) return;
  const deed = deedOf(call, result);
  const isScript = call.actions.some(({ kind }) => kind === "command");
  for (let at = 0; at < deed.done.length; at++) {
    const action = deed.done[at]!;
    noteFile(draft, action, isScript);
    if (action.kind === "todo") noteTodos(draft, action);
  }
  if (deed.git) noteGitFiles(draft, deed.git);
  noteCommands(draft, deed);
  noteEnd(draft, deed);
  if (hearsWords && tellsValues(call.actions)) noteValues(draft, valuesInAnswer(result.text));
}

/** Calls without an id are answered in their order; of two with the same id the newer is meant. */
function takePending({ pending }: LedgerDraft, pairId: string): PendingCall | undefined {
  // Mostly it is the only one that waits.
  if (pending.length === 1) return pending[0]!.pairId === pairId ? pending.pop() : undefined;
  const same = (call: PendingCall) => call.pairId === pairId;
  const at = pairId === "" ? pending.findIndex(same) : pending.findLastIndex(same);
  return at < 0 ? undefined : pending.splice(at, 1)[0];
}

/** What a file or a search shows is content, not an answer. */
function tellsValues(actions: readonly Action[]): boolean {
  return actions.every(({ kind }) => kind === "command" || kind === "other" || kind === "web");
}
