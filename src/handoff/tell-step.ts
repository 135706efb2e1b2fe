/** Tells a step: what the agent said; then what a program said and the calls, once, until something that was asked for them is answered otherwise. */
import type { Message } from "../conversation/message.ts";
import { leftOutOf } from "../reading/calls/left-out.ts";
import { LOADED, type Printed, type ReadCall, type ReadStep } from "../reading/read-turns.ts";
import type { HeardWords, UsedLater } from "../reading/used-later.ts";
import { oneLine, WORTH } from "./deed-parts.ts";
import { isInjectedInstructions } from "./dropped-instructions.ts";
import { superseded } from "./editions.ts";
import { type PrintedOptions, printedUnits } from "./printed-units.ts";
import { saidUnits, weighSaid } from "./said-units.ts";
import type { SameKind } from "./same-kind.ts";
import { type Detail, type Entry, entry, type Unit, unit, weightsOf, wordsEntry } from "./story.ts";
import { SHOWN, SHOWN_AFTER } from "./story-lines.ts";
import type { AnswerContext } from "./tell-answer.ts";
import { type DeedContext, tellCalls } from "./tell-deeds.ts";

/** Where a step is among the others. */
export interface StepPlace {
  /** The last words of the turn. */
  readonly isClosing: boolean;
  /** Nothing but a list that is ticked off comes after them: they report. */
  readonly isAnswer: boolean;
  /** The last of the conversation. */
  readonly isNewest: boolean;
  /** Of a turn that has not come to an end. */
  readonly isInHand: boolean;
  /** A later step of the turn says the same anew. */
  readonly isSuperseded: boolean;
  readonly fresh: AnswerContext["fresh"];
}

/** The same for all steps of a turn. */
export interface StepContext {
  readonly used: UsedLater;
  readonly weigh?: ((text: string, at: number) => number) | undefined;
  readonly isCured: DeedContext["isCured"];
  readonly sameKind: SameKind;
  readonly nextOf: (read: ReadCall) => ReadCall | undefined;
}

export function tellStep(step: ReadStep, place: StepPlace, context: StepContext): readonly Entry[] {
  const done = doneIn(step, place, context);
  const isTold = step.said !== "" && leftOutOf(step.said) === undefined && actOf(step, place) === "";
  return isTold ? [saidEntry(step, place, context), ...done] : done;
}

/** The few words by which an agent says what it did to see what it shows: told over that, or it would read as what came of another's words. */
function actOf({ said, printed, calls }: ReadStep, { isClosing }: StepPlace): string {
  if (isClosing || printed === undefined || printed.origin !== "" || calls.length > 0) return "";
  return said.length <= MOST_ACT_CHARS ? said.trim() : "";
}

const MOST_ACT_CHARS = 160;

interface Said {
  readonly said: string;
  readonly units: readonly Unit[];
}

/** The same units for the same words: what was read of them stays known in the next compaction. */
const saidBy = new WeakMap<Message, Said>();

function saidEntry(step: ReadStep, place: StepPlace, { used, weigh }: StepContext): Entry {
  const { at, said, calls, message } = step;
  let known = saidBy.get(message);
  if (known?.said !== said) {
    known = { said, units: saidUnits(said) };
    if (used.hearing?.isRepeated) saidBy.set(message, known);
  }
  const { units } = known;
  const { isClosing, isAnswer, isNewest, isSuperseded } = place;
  return wordsEntry(isAnswer ? "answer" : "agent", units, () => {
    const isUsed = (value: string) => used(value, at);
    const circumstance = { isClosing, isNewest, beforeCalls: calls.length > 0, isUsed };
    const weighed = weighSaid(units, circumstance, (text) => weigh?.(text, at) ?? 1);
    return isSuperseded ? weighed.map(superseded) : weighed;
  });
}

interface Done {
  readonly basis: readonly unknown[];
  readonly heard: HeardWords;
  readonly entries: readonly Entry[];
}

/** The next compaction tells nearly all of it the same. */
const doneBy = new WeakMap<Message, Done>();

function doneIn(step: ReadStep, place: StepPlace, context: StepContext): readonly Entry[] {
  if (step.calls.length === 0 && !step.printed) return NOTHING;
  const { hearing } = context.used;
  if (context.weigh || !hearing) return doneEntries(step, place, context);
  const basis = basisOf(step, place, context);
  const known = doneBy.get(step.message);
  if (known && areSame(known.basis, basis) && hearing.isStill(known.heard)) return known.entries;
  const { made: entries, heard } = hearing.listen(() => doneEntries(step, place, context));
  if (heard) doneBy.set(step.message, { basis, heard, entries });
  return entries;
}

const NOTHING: readonly Entry[] = [];

/** All that the telling of them may ask for, besides which words were said later: one list, compared one by one. */
function basisOf(
  step: ReadStep,
  place: StepPlace,
  { isCured, sameKind, nextOf }: StepContext,
): readonly unknown[] {
  const { at, printed, calls } = step;
  const basis: unknown[] = [
    at,
    printed?.text,
    printed?.origin,
    actOf(step, place),
    place.isInHand,
    place.fresh,
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

function doneEntries(step: ReadStep, place: StepPlace, context: StepContext): readonly Entry[] {
  const { isInHand, fresh } = place;
  const { at, printed } = step;
  const { used, weigh, isCured, sameKind, nextOf } = context;
  const told = tellCalls(step, { at, used, isCured, fresh, isInHand, sameKind, nextOf });
  const called = weigh ? told.map((each) => weighed(each, at, weigh)) : told;
  if (printed === undefined) return called;
  const shown = printedEntries(printed, actOf(step, place), {
    isUsed: (value) => used(value, at, "anew"),
    isAsked: (word) => used(word, at, "asked"),
  });
  return [...shown, ...called];
}

export function isList({ actions }: ReadCall): boolean {
  return actions[0]?.kind === "todo";
}

function weighed(told: Entry, at: number, weigh: NonNullable<StepContext["weigh"]>): Entry {
  const weights = weightsOf(told);
  const units = told.units.map((each, index) => {
    const { worth, minor } = weights[index]!;
    return { ...each, worth: worth * weigh(each.text, at), minor };
  });
  return { ...told, units, weigh: undefined };
}

/** A program's text is told by where it comes from; what it printed by its telling ends. */
function printedEntries(
  { text, origin, message }: Printed,
  act: string,
  options: PrintedOptions,
): readonly Entry[] {
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
  const lead: Unit =
    act === ""
      ? { ...unit(SHOWN, 0), leads: true }
      : { ...unit(`${SHOWN_AFTER}${oneLine(act, MOST_ACT_CHARS)}`, WORTH.asked), minor: "intended" };
  if (lines.length === 0) return act === "" ? [] : [entry("deed", [lead])];
  const units = printedUnits(lines, options);
  return [entry("deed", [lead, ...units], { text, kind: "printed", of: message })];
}

/** A longer text is a document that can be read again. */
const NOTICE_CHARS = 2_000;
