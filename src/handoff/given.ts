/** What calls were given, on one line: of several what differs side by side, of one what the next of its tool does not repeat. */
import { isObject } from "../json/wire-value.ts";
import { argumentsOf } from "../reading/calls/call-reading.ts";
import type { ReadCall, ReadStep } from "../reading/read-turns.ts";
import { columnOf } from "../shapes/record-cells.ts";

export function givenIn(calls: readonly ReadCall[], next?: ReadCall): string {
  const given = calls.map(({ call }) => argumentsOf(call));
  const keys = [...new Set(given.flatMap((values) => Object.keys(values)))];
  if (keys.length === 0) return calls.map(({ call }) => call.arguments).join(" | ");
  const after = next ? argumentsOf(next.call) : {};
  const told = keys.flatMap((key) => {
    if (key in after && areSame(after[key], given[0]![key])) return [];
    const { head, cells } = columnOf(
      key,
      given.map((values) => values[key]),
    );
    const differing = [...new Set(cells)].join(" | ");
    return differing === "" ? [] : [`${head} ${differing}`];
  });
  return [...told, ...(told.length < keys.length ? ["…"] : [])].join(", ");
}

/** Of two values that were parsed from JSON. */
function areSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) {
    if (!Array.isArray(one) || !Array.isArray(other)) return Object.is(one, other);
    return one.length === other.length && one.every((each, at) => areSame(each, other[at]));
  }
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && areSame(one[key], other[key]))
  );
}

/** The next call of the same tool, where there is one. */
export function nextCallsIn(steps: readonly ReadStep[]): (read: ReadCall) => ReadCall | undefined {
  const next = new Map<ReadCall, ReadCall>();
  const last = new Map<string, ReadCall>();
  const note = (read: ReadCall): void => {
    const before = last.get(read.call.name);
    if (before) next.set(before, read);
    last.set(read.call.name, read);
  };
  for (const { calls } of steps) calls.forEach(note);
  return (read) => next.get(read);
}
