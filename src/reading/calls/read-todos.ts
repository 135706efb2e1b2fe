/** Reads a to-do list: from the arguments of a call, or from a checklist in prose. */
import { type Action, type TodoFact, todoAction } from "./action.ts";

/** What a call of a to-do tool says; undefined when its arguments hold no list. */
export function readTodoCall(values: Readonly<Record<string, unknown>>): Action | undefined {
  const items = LIST_KEYS.map((key) => values[key]).find((value) => value !== undefined);
  if (Array.isArray(items)) {
    const todos = items.slice(0, MAX_ITEMS).flatMap((item) => readItem(item, values.merge === true));
    return todoAction(todos, values.merge === true ? "merge" : "replace");
  }
  if (typeof items === "string") return todoAction(readChecklist(items), "replace");
  // A call that gives nothing asks for the list: the answer tells it.
  if (Object.keys(values).length === 0) return todoAction();
  const id = textAt(values, ["taskId", "task_id", "id"]);
  const text = textAt(values, TEXT_KEYS);
  if (id === "" && text === "") return undefined;
  // subtle: an update without a text names its item by id alone; one without a status leaves that as it was.
  const status = values.status === undefined && id !== "" ? undefined : statusOf(values.status);
  if (status === undefined && text === "") return undefined;
  const todo = { ...(id === "" ? {} : { id }), text: oneLine(text), status: status ?? "open" } as const;
  return todoAction(isDeleted(values.status) ? [{ ...todo, text: DELETED }] : [todo], "merge");
}

/** A list as a tool shows it: `#3 [completed] Add the flag`, or a checklist. */
export function readShownList(text: string): readonly TodoFact[] {
  const shown = [...text.matchAll(/^#(\w{1,20}) \[([a-z][\w -]{0,20})\] (\S.*)$/gm)].slice(0, MAX_ITEMS);
  if (shown.length === 0) return readChecklist(text);
  return shown
    .map(([, id, status, item]) => ({ id: id!, text: oneLine(item!), status: statusOf(status) }))
    .sort((a, b) => Number(a.id) - Number(b.id) || 0);
}

/** Stands for the text of an item that is to be taken off the list. */
export const DELETED = "\0deleted";

/** Lists longer than this are no plan. */
export const MAX_ITEMS = 200;

/** The items of a Markdown checklist outside code, or none: `- [x] done`. */
export function readChecklist(text: string): readonly TodoFact[] {
  // Nearly every text has no such mark, and looking for it alone is much quicker.
  if (!text.includes("] ") || !/^[ \t]*(?:[-*+]|\d{1,4}[.)]) \[[ xX>~-]\] \S/m.test(text)) return [];
  const todos: TodoFact[] = [];
  let fenced = false;
  for (const line of text.split("\n")) {
    if (/^[ \t]*(?:```|~~~)/.test(line)) fenced = !fenced;
    const item = fenced ? null : CHECK_ITEM.exec(line.slice(0, 1_000));
    if (item !== null && todos.length < MAX_ITEMS) {
      todos.push({ text: oneLine(item[2]!), status: MARKS[item[1]!] ?? "open" });
    }
  }
  return todos;
}

const CHECK_ITEM = /^[ \t]*(?:[-*+]|\d{1,4}[.)]) \[([ xX>~-])\] (\S.*)$/;
const MARKS: Readonly<Record<string, TodoFact["status"]>> = {
  x: "done",
  X: "done",
  ">": "active",
  "~": "active",
};
const LIST_KEYS = ["todos", "plan", "todoList", "todo_list", "task_list", "items", "tasks", "checklist"];
const TEXT_KEYS = ["content", "step", "text", "subject", "title", "task", "description", "name"];

function readItem(item: unknown, keepId: boolean): readonly TodoFact[] {
  if (typeof item === "string") return item.trim() === "" ? [] : [{ text: oneLine(item), status: "open" }];
  if (typeof item !== "object" || item === null) return [];
  const values = item as Record<string, unknown>;
  const text = oneLine(textAt(values, TEXT_KEYS));
  const id = keepId ? textAt(values, ["id"]) : "";
  if (text === "" && id === "") return [];
  return [
    {
      ...(id === "" ? {} : { id }),
      text,
      status: statusOf(values.status ?? values.done ?? values.completed),
    },
  ];
}

function statusOf(status: unknown): TodoFact["status"] {
  const word = String(status ?? "").toLowerCase();
  if (/^(?:done|complete|true|x$|finished|cancell?ed|skipped|deleted|resolved|closed)/.test(word))
    return "done";
  return /progress|active|doing|started$|current|running/.test(word) && !/not|un/.test(word)
    ? "active"
    : "open";
}

function isDeleted(status: unknown): boolean {
  return status === "deleted";
}

function textAt(values: Readonly<Record<string, unknown>>, keys: readonly string[]): string {
  for (const key of keys) {
    const value = values[key];
    if (typeof value === "string" && value.trim() !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return "";
}

function oneLine(text: string): string {
  const start = text.slice(0, 1_000);
  return (/\s\s|[^\S ]/.test(start) ? start.replace(/\s+/g, " ") : start).trim().slice(0, 300);
}
