/** Errors: what went wrong, from which command or tool, whether it still is, and what made it go away. */
import type { Deed } from "./deed.ts";
import type { Draft } from "./draft.ts";
import { errorKey } from "./error-key.ts";
import type { ErrorFact } from "./ledger.ts";
import { putFact } from "./recent-facts.ts";

/** Notes how a call ended: a failure opens an error, a success closes those of the same source. */
export function noteEnd(draft: Draft, deed: Deed): void {
  if (deed.declined || deed.running) return;
  if (deed.failed) {
    if (deed.error !== undefined && deed.line !== "") noteFailure(draft, deed, deed.error);
    return;
  }
  for (const error of openErrors(draft, deed.source)) resolve(draft, error, deed.source);
  if (deed.step) noteStep(draft, deed.step);
}

function noteFailure(draft: Draft, { source, line: text }: Deed, said: string): void {
  for (const error of openErrors(draft, source)) {
    const gone = error.text !== text && !said.includes(error.text);
    const edit = draft.latest.edit;
    if (gone && edit !== undefined && edit.at >= error.at) replace(draft, error, { resolvedBy: edit.label });
  }
  putFact(draft.errors, errorKey({ source, text }), { text, source, open: true, at: draft.messages });
}

function openErrors(draft: Draft, source: string): readonly ErrorFact[] {
  const found: ErrorFact[] = [];
  draft.errors.byKey.forEach((error) => {
    if (error.open && error.source === source) found.push(error);
  });
  return found;
}

/** By the newest edit since, else by the newest command since, else by doing the same again. */
function resolve(draft: Draft, error: ErrorFact, source: string): void {
  const { edit, command } = draft.latest;
  const step = [edit, command].find(
    (each) => each !== undefined && each.at >= error.at && each.label !== source,
  );
  replace(draft, error, { resolvedBy: step?.label ?? source });
}

function replace(draft: Draft, error: ErrorFact, { resolvedBy }: { readonly resolvedBy: string }): void {
  putFact(draft.errors, errorKey(error), { ...error, open: false, resolvedBy, at: draft.messages });
}

function noteStep(draft: Draft, { isEdit, label }: NonNullable<Deed["step"]>): void {
  const step = { label, at: draft.messages };
  draft.latest = { ...draft.latest, ...(isEdit ? { edit: step } : { command: step }) };
}
