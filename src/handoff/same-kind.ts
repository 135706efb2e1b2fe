/** Lookups of one kind in a turn are told together, by the last of them: their records are side by side, their lists are one table, keys once. */

import { argumentsOf } from "../reading/calls/call-reading.ts";
import type { ReadCall, ReadStep } from "../reading/read-turns.ts";
import { cellOf, isProse } from "../shapes/record-cells.ts";
import { recordIn, rowsIn } from "./answer-parts.ts";
import { callOnlyLooks } from "./looks-up.ts";

/** Each call of a kind with those that it tells: the last with all of them, every other with none. */
export type SameKind = ReadonlyMap<ReadCall, readonly ReadCall[]>;

/** More of them side by side are hard to read; lists are one table. */
const MOST_TOGETHER = 8;
const MOST_LISTS = 24;
const FEWEST_KEYS = 3;
/** Records of one kind share so many of their keys. */
const SHARED_KEYS = 0.7;

export function sameKindIn(steps: readonly ReadStep[]): SameKind {
  const groups: { keys: readonly string[]; readonly isList: boolean; readonly calls: ReadCall[] }[] = [];
  for (const read of steps.flatMap(({ calls }) => calls)) {
    if (!mayBeRecord(read)) continue;
    const rows = rowsIn(read);
    const record = rows ? (rows[0] ?? {}) : recordIn(read);
    const keys = Object.keys(record);
    const isNone = rows?.length === 0;
    if (!isNone && (keys.length < FEWEST_KEYS || Object.values(record).some(isProse))) continue;
    const group = groups.findLast(({ calls }) => calls[0]!.call.name === read.call.name);
    const isAlike =
      group?.isList === (rows !== undefined) &&
      (isNone || group.keys.length === 0 || areShared(keys, group.keys));
    if (group && isAlike && group.calls.length < (rows ? MOST_LISTS : MOST_TOGETHER)) {
      group.calls.push(read);
      if (group.keys.length === 0) group.keys = keys;
    } else groups.push({ keys, isList: rows !== undefined, calls: [read] });
  }
  return new Map(
    groups
      .filter(({ calls }) => calls.length > 1)
      .flatMap(({ calls }) => calls.map((read) => [read, read === calls.at(-1) ? calls : []] as const)),
  );
}

/** Those of some calls of a kind whose own arguments are named most clearly elsewhere, apart from the others. */
export function namedApart(
  calls: readonly ReadCall[],
  nameOf: (value: string) => number,
): readonly (readonly ReadCall[])[] {
  // The rows of lists are chosen by what names each of them.
  if (calls.length < 2 || rowsIn(calls[0]!)) return calls.length === 0 ? [] : [calls];
  const given = calls.map(({ call }) => Object.values(argumentsOf(call)).map((each) => cellOf(each)));
  const isOwn = (value: string) => given.filter((values) => values.includes(value)).length === 1;
  const names = given.map((values) => Math.max(0, ...values.filter(isOwn).map(nameOf)));
  const most = Math.max(...names);
  const [others, named] = [false, true].map((isNamed) =>
    calls.filter((_, at) => (names[at] === most) === isNamed),
  );
  return [others!, named!].filter(({ length }) => length > 0);
}

/** A lookup that was answered, and of no file or command. */
function mayBeRecord(read: ReadCall): boolean {
  const { deed, actions } = read;
  const isOther = actions[0]?.path === undefined && actions[0]?.command === undefined;
  return deed !== undefined && !deed.failed && isOther && callOnlyLooks(read);
}

function areShared(some: readonly string[], others: readonly string[]): boolean {
  const shared = some.filter((key) => others.includes(key)).length;
  return shared >= SHARED_KEYS * Math.min(some.length, others.length);
}

/** The rows of several lists as one, each with what its own call was given and it does not say itself. */
export function rowsTogether(calls: readonly ReadCall[]): readonly Record<string, unknown>[] {
  const given = calls.map(({ call }) => argumentsOf(call));
  const differs = (key: string) => new Set(given.map((values) => cellOf(values[key]))).size > 1;
  return calls.flatMap((read, at) => {
    const own = Object.entries(given[at]!).filter(([key]) => differs(key));
    return (rowsIn(read) ?? []).map((row) => {
      const said = new Set(Object.values(row).map((value) => cellOf(value)));
      return { ...Object.fromEntries(own.filter(([, value]) => !said.has(cellOf(value)))), ...row };
    });
  });
}
