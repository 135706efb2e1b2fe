/** Errors: what went wrong, from which command or tool, whether it still is, and what made it go away. */
import type { Deed } from "../reading/calls/deed.ts";
import { isCommit, type Lasting } from "../reading/calls/lasting.ts";
import type { LedgerDraft } from "./draft.ts";
import { errorKey } from "./error-key.ts";
import type { ErrorFact } from "./ledger.ts";
import { putFact } from "./recent-facts.ts";

/** Notes how a call ended: a failure opens an error, a success closes those of the same source. */
export function noteEnd(draft: LedgerDraft, deed: Deed): void {
  if (deed.declined || deed.running) return;
  if (deed.lasting.length > 0) noteCommit(draft, deed.lasting);
  if (deed.failed) {
    if (deed.error !== undefined && deed.line !== "") noteFailure(draft, deed, deed.error);
    return;
  }
  // Hardly any source has failed before.
  if (!deed.hidden && draft.failing.has(deed.source)) {
    for (const error of openErrors(draft, deed.source)) resolve(draft, error, deed.source);
    draft.failing.delete(deed.source);
  }
  if (deed.step) noteStep(draft, deed.step);
}

function noteCommit(draft: LedgerDraft, lasting: readonly Lasting[]): void {
  const commit = lasting.findLast(isCommit);
  if (!commit) return;
  draft.latest = { ...draft.latest, commit: { label: commit.what, at: draft.messages } };
}

function noteFailure(draft: LedgerDraft, { source, line: text }: Deed, said: string): void {
  for (const error of openErrors(draft, source)) {
    const gone = error.text !== text && !said.includes(error.text);
    const edit = draft.latest.edit;
    if (gone && edit !== undefined && edit.at >= error.at) replace(draft, error, { resolvedBy: edit.label });
  }
  putFact(draft.errors, errorKey({ source, text }), { text, source, open: true, at: draft.messages });
  draft.failing.add(source);
}

function openErrors({ errors, failing }: LedgerDraft, source: string): readonly ErrorFact[] {
  if (!failing.has(source)) return NONE;
  return [...errors.byKey.values()].filter((error) => error.open && error.source === source);
}

const NONE: readonly ErrorFact[] = [];

/** By the newest edit since, else by the newest command since, else by doing the same again. */
function resolve(draft: LedgerDraft, error: ErrorFact, source: string): void {
  const { edit, command } = draft.latest;
  const step = [edit, command].find(
    (each) => each !== undefined && each.at >= error.at && each.label !== source,
  );
  replace(draft, error, { resolvedBy: step?.label ?? source });
}

function replace(
  draft: LedgerDraft,
  error: ErrorFact,
  { resolvedBy }: { readonly resolvedBy: string },
): void {
  putFact(draft.errors, errorKey(error), { ...error, open: false, resolvedBy, at: draft.messages });
}

function noteStep(draft: LedgerDraft, { isEdit, isCode, label }: NonNullable<Deed["step"]>): void {
  const { edit, code, command, commit } = draft.latest;
  const step = { label, at: draft.messages };
  // That none was changed is said where it is known: a ledger that was stored before this was noted does not say it.
  const codeNow = isCode ? step : (code ?? (isEdit && edit === undefined ? NO_CODE : undefined));
  draft.latest = {
    edit: isEdit ? step : edit,
    ...(codeNow && { code: codeNow }),
    command: isEdit ? command : step,
    commit,
  };
}

const NO_CODE = { label: "", at: 0 };
