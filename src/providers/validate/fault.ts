/** Fault: one thing in a request that its provider would refuse. */

export type Rule =
  | "pairing"
  | "adjacency"
  | "role-order"
  | "content"
  | "call"
  | "thinking"
  | "server-tools"
  | "approvals"
  | "tools"
  | "limits"
  | "shape";

export interface Fault {
  readonly rule: Rule;
  /** Where, as a person would look it up: `messages[3].tool_calls[0]`. */
  readonly path: string;
  readonly message: string;
}

/** Collects faults under a path. */
export interface Faults {
  readonly add: (rule: Rule, path: string, message: string) => void;
  readonly list: readonly Fault[];
}

export function createFaults(): Faults {
  const list: Fault[] = [];
  return { list, add: (rule, path, message) => list.push({ rule, path, message }) };
}
