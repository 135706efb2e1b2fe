/** Lookups of one kind in a turn are told together, by the last of them: their records stand side by side, keys once. */
import type { ReadCall, ReadStep } from "../reading/read-turns.ts";
import { cellOf, isProse } from "../shapes/record-cells.ts";
import { recordIn } from "./answer-parts.ts";
import { argumentsOf } from "./deed-parts.ts";
import { onlyLooks } from "./looks-up.ts";

/** Each call of a kind with those that it tells: the last with all of them, every other with none. */
export type SameKind = ReadonlyMap<ReadCall, readonly ReadCall[]>;

/** More of them side by side are hard to read. */
const MOST_TOGETHER = 8;
const FEWEST_KEYS = 3;
/** Records of one kind share so many of their keys. */
const SHARED_KEYS = 0.7;

export function sameKindIn(steps: readonly ReadStep[]): SameKind {
  const groups: { readonly keys: readonly string[]; readonly calls: ReadCall[] }[] = [];
  for (const read of steps.flatMap(({ calls }) => calls)) {
    if (!mayBeRecord(read)) continue;
    const record = recordIn(read);
    const keys = Object.keys(record);
    if (keys.length < FEWEST_KEYS || Object.values(record).some(isProse)) continue;
    const group = groups.findLast(({ calls }) => calls[0]!.call.name === read.call.name);
    if (group && group.calls.length < MOST_TOGETHER && areShared(keys, group.keys)) group.calls.push(read);
    else groups.push({ keys, calls: [read] });
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
  if (calls.length < 2) return calls.length === 0 ? [] : [calls];
  const given = calls.map(({ call }) =>
    Object.values(argumentsOf(call.arguments)).map((each) => cellOf(each)),
  );
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
  return deed !== undefined && !deed.failed && isOther && onlyLooks(read);
}

function areShared(some: readonly string[], others: readonly string[]): boolean {
  const shared = some.filter((key) => others.includes(key)).length;
  return shared >= SHARED_KEYS * Math.min(some.length, others.length);
}
