/** Message memo: a raw message that nobody touched since it was last read gives the same Message again. */
import { type Message, messageWith, type RawMessage } from "../conversation/message.ts";

type ReadMessage = (raw: RawMessage, position: number) => Message;

/**
 * Remembers what was read from each raw object, as long as the caller holds it. Callers resend the same objects
 * every turn; whoever memoises per Message (the token counter) then works on new messages only. Every value inside
 * the raw object is compared first, so that a message edited in place is read afresh.
 */
export function createMessageMemo(read: ReadMessage): (value: object, position: number) => Message {
  const memories = new WeakMap<object, Memory>();
  const remember = (value: object, message: Message): void => {
    const leaves: unknown[] = [];
    if (collect(value, leaves, 0)) memories.set(value, { message, leaves, plain: plainOf(value) });
  };
  return (value, position) => {
    const memory = memories.get(value);
    const fresh = memory === undefined || !isUnchanged(value, memory);
    if (!fresh && memory.message.position === position) return memory.message;
    const message = fresh ? read({ value }, position) : messageWith(memory.message, { position });
    if (!fresh) memories.set(value, { ...memory, message });
    else remember(value, message);
    return message;
  };
}

interface Memory {
  readonly message: Message;
  /** Keys and plain values of the raw object, in the order of a walk through it. */
  readonly leaves: readonly unknown[];
  readonly plain: Plain | undefined;
}

/** A message of text, calls and nothing else, as most are: compared by name, several times faster than by a walk. */
interface Plain {
  readonly role: unknown;
  readonly content: unknown;
  readonly tool_call_id: unknown;
  /** Of each call one after the other: id, type, name and arguments. */
  readonly calls: readonly unknown[];
  readonly keys: number;
}

/** What `calls` has of each. */
const CALL_VALUES = 4;

interface PlainCall {
  readonly id: unknown;
  readonly type: unknown;
  readonly function: { readonly name: unknown; readonly arguments: unknown };
}

interface PlainValue {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly tool_call_id?: unknown;
  readonly tool_calls?: readonly PlainCall[];
}

const PLAIN_KEYS: ReadonlySet<string> = new Set(["role", "content", "tool_call_id", "tool_calls"]);

function plainOf(value: PlainValue): Plain | undefined {
  let keys = 0;
  for (const key in value) {
    keys++;
    if (!PLAIN_KEYS.has(key)) return undefined;
  }
  const { role, content, tool_call_id, tool_calls } = value;
  if (typeof content === "object" && content !== null) return undefined;
  if (tool_calls !== undefined && !(Array.isArray(tool_calls) && tool_calls.every(isPlainCall)))
    return undefined;
  const calls = (tool_calls ?? []).flatMap(({ id, type, function: { name, arguments: json } }) => [
    id,
    type,
    name,
    json,
  ]);
  return { role, content, tool_call_id, calls, keys };
}

function isPlainCall(call: unknown): boolean {
  if (typeof call !== "object" || call === null || Object.keys(call).length !== 3) return false;
  const { id, type, function: named } = call as Partial<PlainCall>;
  if (typeof id !== "string" || type !== "function" || typeof named !== "object" || named === null)
    return false;
  return (
    Object.keys(named).length === 2 && typeof named.name === "string" && typeof named.arguments === "string"
  );
}

function isUnchanged(value: PlainValue, { plain, leaves }: Memory): boolean {
  if (plain === undefined) return matches(value, leaves, 0) === leaves.length;
  const { role, content, tool_call_id, tool_calls } = value;
  if (content !== plain.content || role !== plain.role || tool_call_id !== plain.tool_call_id) return false;
  let keys = 0;
  for (const _ in value) keys++;
  if (keys !== plain.keys) return false;
  if (tool_calls === undefined) return plain.calls.length === 0;
  if (!Array.isArray(tool_calls) || tool_calls.length * CALL_VALUES !== plain.calls.length) return false;
  for (let order = 0; order < tool_calls.length; order++) {
    if (!isSameCall(tool_calls[order]!, plain.calls, order * CALL_VALUES)) return false;
  }
  return true;
}

function isSameCall(call: PlainCall | null | undefined, known: readonly unknown[], from: number): boolean {
  if (call?.id !== known[from] || call?.type !== known[from + 1]) return false;
  const { name, arguments: json } = call?.function ?? {};
  return name === known[from + 2] && json === known[from + 3];
}

/** Deeper and larger values are read every time rather than walked through. */
const MAX_DEPTH = 64;
const MAX_LEAVES = 100_000;

const LIST = Symbol("list");
const OBJECT = Symbol("object");
const END = Symbol("end");

/** Lists all keys and plain values; false when the value is too deep to remember. */
function collect(value: unknown, leaves: unknown[], depth: number): boolean {
  if (typeof value !== "object" || value === null) {
    leaves.push(value);
    return true;
  }
  if (depth > MAX_DEPTH || leaves.length > MAX_LEAVES) return false;
  if (Array.isArray(value)) {
    leaves.push(LIST, value.length);
    for (let index = 0; index < value.length; index++) {
      if (!collect(value[index], leaves, depth + 1)) return false;
    }
    return true;
  }
  leaves.push(OBJECT);
  for (const key in value) {
    leaves.push(key);
    if (!collect((value as Record<string, unknown>)[key], leaves, depth + 1)) return false;
  }
  leaves.push(END);
  return true;
}

/** Walks the value along the leaves: the index after the last leaf it used, or -1 at the first difference. */
function matches(value: unknown, leaves: readonly unknown[], index: number): number {
  if (typeof value !== "object" || value === null) return leaves[index] === value ? index + 1 : -1;
  if (Array.isArray(value)) {
    if (leaves[index] !== LIST || leaves[index + 1] !== value.length) return -1;
    let next = index + 2;
    for (let order = 0; order < value.length && next >= 0; order++)
      next = matches(value[order], leaves, next);
    return next;
  }
  if (leaves[index] !== OBJECT) return -1;
  let next = index + 1;
  for (const key in value) {
    if (leaves[next] !== key) return -1;
    next = matches((value as Record<string, unknown>)[key], leaves, next + 1);
    if (next < 0) return -1;
  }
  return leaves[next] === END ? next + 1 : -1;
}
