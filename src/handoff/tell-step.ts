/** Tells a step: what the agent said, what a program said, the calls; once, until something that was asked for it is answered otherwise. */
import type { Message } from "../conversation/message.ts";
import { LOADED, type Printed, type ReadCall, type ReadStep } from "../reading/read-turns.ts";
import type { HeardWords, UsedLater } from "../reading/used-later.ts";
import { isInjectedInstructions } from "./dropped-instructions.ts";
import { superseded } from "./editions.ts";
import { type PrintedOptions, printedUnits } from "./printed-units.ts";
import { saidUnits } from "./said-units.ts";
import type { SameKind } from "./same-kind.ts";
import { type Detail, type Entry, entry, type Unit, unit } from "./story.ts";
import type { AnswerContext } from "./tell-answer.ts";
import { type DeedContext, tellCalls } from "./tell-deeds.ts";
import { SHOWN } from "./write-story.ts";

/** Where a step is among the others. */
interface StepPlace {
  /** The last words of the turn. */
  readonly isClosing: boolean;
  /** The last of the conversation. */
  readonly isNewest: boolean;
  /** Of a turn that has not come to an end. */
  readonly isInHand: boolean;
  /** A later step of the turn says the same anew. */
  readonly isSuperseded: boolean;
  readonly fresh: AnswerContext["fresh"] | undefined;
}

export interface StepContext {
  readonly used: UsedLater;
  readonly weigh?: (text: string, at: number) => number;
  readonly place: StepPlace;
  readonly isCured: DeedContext["isCured"];
  readonly sameKind: SameKind;
  readonly nextOf: (read: ReadCall) => ReadCall | undefined;
}

interface Told {
  readonly basis: readonly unknown[];
  readonly heard: HeardWords;
  readonly entries: readonly Entry[];
}

/** The next compaction tells nearly all of it the same. */
const toldBy = new WeakMap<Message, Told>();

export function tellStep(step: ReadStep, context: StepContext): readonly Entry[] {
  const { hearing } = context.used;
  if (context.weigh || !hearing) return entriesOf(step, context);
  const basis = basisOf(step, context);
  const known = toldBy.get(step.message);
  if (known && areSame(known.basis, basis) && hearing.isStill(known.heard)) return known.entries;
  const { made: entries, heard } = hearing.listen(() => entriesOf(step, context));
  if (heard) toldBy.set(step.message, { basis, heard, entries });
  return entries;
}

/** All that the telling of a step may ask for, besides which words were said later: one list, compared one by one. */
function basisOf(step: ReadStep, { place, isCured, sameKind, nextOf }: StepContext): readonly unknown[] {
  const { at, said, printed, calls } = step;
  const { isClosing, isNewest, isInHand, isSuperseded, fresh } = place;
  const basis: unknown[] = [
    at,
    said,
    printed?.text,
    printed?.origin,
    isClosing,
    isNewest,
    isInHand,
    isSuperseded,
    fresh,
  ];
  const add = (read: ReadCall) => basis.push(read.call, read.result, read.deed, nextOf(read)?.call);
  for (const read of calls) {
    add(read);
    basis.push(read.deed?.failed === true && isCured(read, at));
    const others = sameKind.get(read);
    // None: another call tells it. Undefined: it is told alone.
    basis.push(others?.length);
    for (const other of others ?? ALONE) add(other);
  }
  return basis;
}

const ALONE: readonly ReadCall[] = [];

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false;
  return true;
}

function entriesOf(step: ReadStep, context: StepContext): readonly Entry[] {
  const { at, said, calls, printed } = step;
  const { used, weigh, place } = context;
  const { isClosing, isNewest, isInHand, isSuperseded, fresh } = place;
  const entries: Entry[] = [];
  if (said !== "") {
    const isUsed = (value: string) => used(value, at);
    const circumstance = { isClosing, isNewest, beforeCalls: calls.length > 0, isUsed };
    const units = saidUnits(said, circumstance, (text) => weigh?.(text, at) ?? 1);
    const voice = isClosing && calls.every(isList) ? "answer" : "agent";
    entries.push(entry(voice, isSuperseded ? units.map(superseded) : units));
  }
  if (printed)
    entries.push(
      ...printedEntries(printed, {
        isUsed: (value) => used(value, at, "anew"),
        isAsked: (word) => used(word, at, "asked"),
      }),
    );
  const { isCured, sameKind, nextOf } = context;
  const told = tellCalls(step, { at, used, isCured, isInHand, sameKind, nextOf, ...(fresh && { fresh }) });
  entries.push(...(weigh ? told.map((each) => weighed(each, at, weigh)) : told));
  return entries;
}

export function isList({ actions }: ReadCall): boolean {
  return actions[0]?.kind === "todo";
}

function weighed(told: Entry, at: number, weigh: NonNullable<StepContext["weigh"]>): Entry {
  return {
    ...told,
    units: told.units.map((each) => ({ ...each, worth: each.worth * weigh(each.text, at) })),
  };
}

/** A program's text is told by where it comes from; what it printed by its telling ends. */
function printedEntries({ text, origin, message }: Printed, options: PrintedOptions): readonly Entry[] {
  if (origin !== "") {
    const line: Unit = { ...unit(`→ (${origin})`, 0.5), minor: "printed" };
    const isWhole = isInjectedInstructions(text) || origin === LOADED;
    const detail: Detail = {
      text,
      kind: text.length < NOTICE_CHARS ? "printed" : "read",
      of: message,
      ...(isWhole && { isWhole }),
    };
    return [entry("deed", [line], detail)];
  }
  const lines = text
    .replace(/<[^<>\n]{1,80}>/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  if (lines.length === 0) return [];
  const units = printedUnits(lines, options);
  const lead: Unit = { ...unit(SHOWN, 0), leads: true };
  return [entry("deed", [lead, ...units], { text, kind: "printed", of: message })];
}

/** A longer text is a document that can be read again. */
const NOTICE_CHARS = 2_000;
