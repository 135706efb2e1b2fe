/** Rules that more than one wire format has. */
import { isObject, type WireObject } from "../../json/wire-value.ts";
import type { Faults } from "./fault.ts";

export function objectsIn(value: unknown): readonly WireObject[] {
  return Array.isArray(value) ? value.map((each) => (isObject(each) ? each : {})) : [];
}

export function isBlank(value: unknown): boolean {
  return typeof value !== "string" || value.trim() === "";
}

/** Null, nothing, an empty text or an empty list. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

/** A provider combines what one role says in a row; what Pith writes leaves nothing to combine. */
export function checkAlternation(messages: readonly WireObject[], key: string, faults: Faults): void {
  messages.forEach(({ role }, index) => {
    if (index > 0 && messages[index - 1]!.role === role)
      faults.add("role-order", `${key}[${index}]`, `Two messages of the ${role} in a row.`);
  });
}

/** Names of the tools that a request defines; each must be there once and readable to the provider. */
export function checkToolNames(
  names: readonly unknown[],
  {
    path,
    most,
    pattern,
    faults,
  }: { readonly path: string; readonly most: number; readonly pattern: RegExp; readonly faults: Faults },
): void {
  if (names.length > most)
    faults.add("limits", path, `There are ${names.length} tools; at most ${most} are taken.`);
  const seen = new Set<unknown>();
  names.forEach((name, index) => {
    if (name === undefined) return;
    if (typeof name !== "string" || !pattern.test(name))
      faults.add(
        "tools",
        `${path}[${index}]`,
        `The name ${JSON.stringify(name)} must match ${pattern.source}.`,
      );
    if (seen.has(name)) faults.add("tools", `${path}[${index}]`, `The tool ${name} is defined twice.`);
    seen.add(name);
  });
}
