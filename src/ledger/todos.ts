/** Todos: the newest state of the agent's own list. */
import type { Action, TodoFact } from "../reading/calls/action.ts";
import { DELETED, MAX_ITEMS, readChecklist } from "../reading/calls/read-todos.ts";
import type { LedgerDraft } from "./draft.ts";

/** Notes what a call did to the list. */
export function noteTodos(draft: LedgerDraft, { todos, list }: Action): void {
  if (todos === undefined) return;
  if (list === "replace") setTodos(draft, todos, 0);
  else setTodos(draft, todos.reduce(merged, draft.todos), draft.droppedTodos);
}

/** A checklist of at least two items in what the assistant said is the list from now on. */
export function noteChecklist(draft: LedgerDraft, prose: string): void {
  const todos = readChecklist(prose);
  if (todos.length >= 2) setTodos(draft, todos, 0);
}

function merged(todos: readonly TodoFact[], todo: TodoFact): readonly TodoFact[] {
  const at = todo.id === undefined ? -1 : todos.findIndex(({ id }) => id === todo.id);
  if (todo.text === DELETED) return at < 0 ? todos : todos.toSpliced(at, 1);
  if (at >= 0) return todos.with(at, { ...todo, text: todo.text || todos[at]!.text });
  return todo.text === "" ? todos : [...todos, todo];
}

/** Beyond the limit the oldest finished items go, then the oldest of all. */
function setTodos(draft: LedgerDraft, todos: readonly TodoFact[], dropped: number): void {
  let kept = todos;
  while (kept.length > MAX_ITEMS) {
    const done = kept.findIndex(({ status }) => status === "done");
    kept = kept.toSpliced(Math.max(0, done), 1);
  }
  draft.todos = kept;
  draft.droppedTodos = dropped + todos.length - kept.length;
}
