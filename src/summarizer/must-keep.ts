/** mustKeepOf: the lines that no hand-off may be without: open todos, open errors and changed files. */
import type { Message } from "../conversation/message.ts";
import { readSections } from "../handoff/sections.ts";
import { handoffIn } from "../handoff/separate.ts";
import type { DroppedName, Ledger } from "../ledger/ledger.ts";
import { readLedgerLines } from "../ledger/read-ledger-lines.ts";
import { mustKeepLines } from "../ledger/render-ledger.ts";
import { updateLedger } from "../ledger/update-ledger.ts";

/**
 * Of what is handed off, as things stand at the end of the conversation: what was done or resolved after the span is
 * no longer open.
 */
export function mustKeepOf(span: readonly Message[], messages: readonly Message[]): readonly string[] {
  const handedOff = updateLedger(
    toldBefore(span),
    span.filter((message) => !handoffIn(message)),
  );
  const last = span.at(-1)?.position ?? -1;
  const now = updateLedger(
    handedOff,
    messages.filter((message) => message.position > last),
  );
  const errors = handedOff.errors.filter(
    (error) => !now.errors.some((each) => !each.open && isSameError(each, error)),
  );
  const todos = handedOff.todos.filter((todo) =>
    now.todos.some((each) => each.text === todo.text && each.status !== "done"),
  );
  return mustKeepLines({ ...handedOff, errors, todos });
}

function isSameError(one: Ledger["errors"][number], other: Ledger["errors"][number]): boolean {
  return one.text === other.text && one.source === other.source;
}

/**
 * The must-keeps that earlier hand-offs put first. What stands further down is talk, or a quote of what an even earlier
 * one said, which may be done with by now.
 */
function toldBefore(span: readonly Message[]): Ledger {
  const told = span.flatMap((message) => {
    const found = handoffIn(message);
    const lines = found ? readSections(found.body).progress.filter((line) => !TEXT_SUMMARY.test(line)) : [];
    const end = lines.findIndex((line) => sectionOf(line) === undefined);
    return end < 0 ? lines : lines.slice(0, end);
  });
  const linesOf = (section: DroppedName) => told.filter((line) => sectionOf(line) === section);
  return readLedgerLines({ todos: linesOf("todos"), errors: linesOf("errors"), files: linesOf("files") });
}

/** In the text form the summary stands above all sections. */
const TEXT_SUMMARY = /^\[Archived \d+ messages\./;

/** Where a must-keep in the ledger's very own form belongs; none for any other line. */
function sectionOf(line: string): DroppedName | undefined {
  const sections = ["todos", "errors", "files"] as const;
  return sections.find((section) => mustKeepLines(readLedgerLines({ [section]: [line] }))[0] === line);
}
