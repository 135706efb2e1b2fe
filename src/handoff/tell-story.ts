/** From the turns of a conversation to a Story: everything that could be told, each unit with its worth. */

import { handoffIn } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { answersFor, type Check, checksIn } from "../reading/calls/checks.ts";
import { isPrintedResult, type ReadCall, type ReadStep, type ReadTurn } from "../reading/read-turns.ts";
import type { UsedLater } from "../reading/used-later.ts";
import { oddsOf } from "../salience/binding-weights.ts";
import { ownProse } from "../salience/own-prose.ts";
import { looksPasted } from "../salience/pasted-lines.ts";
import { newestEditions, withNewestRecords } from "./editions.ts";
import { type FilesThere, noFiles, noteThere } from "./files-there.ts";
import { nextCallsIn } from "./given.ts";
import { type NumberedTurn, numberTurns } from "./number-turns.ts";
import { chosenIn, confirms, withConfirmed, withoutUnchosen } from "./options.ts";
import { readStory } from "./read-story.ts";
import { withRepeatedOnce } from "./repeated-failures.ts";
import { sameKindIn } from "./same-kind.ts";
import { readSections } from "./sections.ts";
import { splitUnits, withAsked } from "./split-units.ts";
import {
  type AskStatus,
  type Entry,
  entry,
  type Story,
  type StoryTurn,
  type Unit,
  unit,
  type Weight,
  wordsEntry,
} from "./story.ts";
import { ASK_IN_VIEW } from "./story-lines.ts";
import { changesOf } from "./tell-changes.ts";
import { doneOf } from "./tell-lasting.ts";
import { isList, tellStep } from "./tell-step.ts";
import { NARRATION, weighWords } from "./unit-worth.ts";

export interface TellOptions {
  readonly used: UsedLater;
  /** How much more or less a unit of the message at this place counts, by what recalls taught (F19). */
  readonly weigh?: (text: string, at: number) => number;
  /** The last turn goes on in the messages below the hand-off. */
  readonly goesOn: boolean;
  /** The message with which the agent last said something: what calls answered from there on is still to be used. */
  readonly lastSaid: number;
  /** The editions of texts that are below the hand-off (editions.ts). */
  readonly below?: ReadonlySet<string>;
  /** The conversation ends with the agent's own words. */
  readonly answered: boolean;
  /** Messages before this position are told by a model, but for the turn in hand. @default none is */
  readonly writtenUntil?: number;
}

export function tellStory(turns: readonly ReadTurn[], options: TellOptions): Story {
  const { writtenUntil = 0 } = options;
  const isCured = curesIn(turns);
  const nextOf = nextCallsIn(turns.flatMap(({ steps }) => steps));
  const story: StoryTurn[] = [];
  const standings = turns.map((turn, index) => standingOf(turn, index === turns.length - 1, options));
  const reported = standings.lastIndexOf("answered");
  const there = noFiles();
  for (const [index, { turn, number, earlier }] of numberedTurns(turns).entries()) {
    const isLast = index === turns.length - 1;
    const isWritten = (turn.steps.at(-1)?.at ?? turn.at) < writtenUntil;
    if (earlier) story.push(...(turn.at < writtenUntil ? earlier.map(asWritten) : earlier));
    if ((turn.ask !== "" || turn.askStays) && !turns[index - 1]?.goesOn) closeLast(story);
    const standing = standings[index]!;
    const answer = turns[index + 1]?.ask ?? "";
    const chosen = chosenIn(answer);
    const isConfirmed = confirms(answer);
    const told = tellTurn(turn, {
      ...options,
      isLast,
      isInHand: index > reported,
      isCured,
      nextOf,
      chosen,
      isConfirmed,
      there,
    });
    noteDone(there, turn);
    const last = story.at(-1);
    if (told.length === 0) continue;
    if (last?.number === number) {
      const entries =
        last.standing === "under way" ? underOwnAsk(last.entries, told) : [...last.entries, ...told];
      const whole = { ...last, standing, entries };
      story[story.length - 1] = isWritten ? whole : { ...whole, isWritten: false };
    } else story.push({ number, standing, entries: told, isWritten: isWritten && !isLast });
  }
  return withAge(withNewest(withNewestRecords(story)));
}

/** The turns with the numbers that the story has them under. */
export function numberedTurns(turns: readonly ReadTurn[]): readonly NumberedTurn[] {
  return numberTurns(turns, earlierTurns);
}

function noteDone(there: FilesThere, { steps }: ReadTurn): void {
  for (const { calls } of steps)
    for (const { deed } of calls) for (const action of deed?.done ?? []) noteThere(there, action);
}

function asWritten(turn: StoryTurn): StoryTurn {
  return { ...turn, isWritten: true, entries: turn.entries.filter(({ voice }) => voice !== "earlier") };
}

/** A turn that an earlier hand-off told as open is not open any more once another ask follows it. */
function closeLast(story: StoryTurn[]): void {
  const last = story.at(-1);
  if (last && OPEN.has(last.standing) && last.entries.some(({ voice }) => voice === "user")) {
    story[story.length - 1] = { ...last, standing: "replaced" };
  }
}

const OPEN: ReadonlySet<AskStatus> = new Set(["open", "goes on below", "open below"]);

/** What an earlier hand-off told of a turn without its ask, and what followed once the ask came again: the ask opens both. */
function underOwnAsk(earlier: readonly Entry[], [ask, ...told]: readonly Entry[]): readonly Entry[] {
  const isInView = ({ units }: Entry) => units[0]?.text === ASK_STAYS.text;
  return [ask!, ...earlier.filter((entry) => !isInView(entry)), ...told];
}

/** The agent's newest words of any length are what the work is at: they outlive all others. */
function withNewest(story: Story): Story {
  const isLong = ({ voice, units }: Entry) =>
    (voice === "agent" || voice === "answer") &&
    units.reduce((chars, { text }) => chars + text.length, 0) > LONG_CHARS;
  const at = story.findLastIndex(({ entries }) => entries.some(isLong));
  if (at < 0) return story;
  const turn = story[at]!;
  const newest = turn.entries.findLastIndex(isLong);
  const entry = turn.entries[newest]!;
  return story.with(at, { ...turn, entries: turn.entries.with(newest, { ...entry, weight: NEWEST }) });
}

const LONG_CHARS = 200;
const NEWEST = 4;

function standingOf(turn: ReadTurn, isLast: boolean, { goesOn, answered }: TellOptions): AskStatus {
  if (turn.goesOn || (isLast && (goesOn || (turn.resultFollows && !turn.askStays))))
    return isLast && !answered ? "open below" : "goes on below";
  if (turn.interrupted) return "interrupted";
  const hasClosed = reportOf(turn, isLast) !== undefined;
  if (isLast) return hasClosed || answered ? "answered" : turn.askStays ? "under way" : "open";
  return hasClosed ? "answered" : "replaced";
}

/**
 * The step whose words end a turn. Ticking off a list is no work that still has to be spoken of; a result is, while nobody has asked
 * for anything else.
 */
function reportOf({ steps, resultFollows }: ReadTurn, isLast: boolean): ReadStep | undefined {
  const last = steps.findLast(
    ({ said, calls, printed }) =>
      said !== "" ||
      calls.length > 0 ||
      (isLast && printed !== undefined && isPrintedResult(printed.text, printed.origin)),
  );
  const reports = last !== undefined && last.said !== "" && last.calls.every(isList);
  return reports && !(isLast && resultFollows) ? last : undefined;
}

interface TurnContext extends TellOptions {
  readonly isLast: boolean;
  /** The agent has not come to an end with it, nor with any after it: nobody has reported what was done. */
  readonly isInHand: boolean;
  readonly isCured: (read: ReadCall, at: number) => boolean;
  readonly nextOf: (read: ReadCall) => ReadCall | undefined;
  /** Which of the options that it offers the person chose next. */
  readonly chosen: string | undefined;
  /** All that the person said next is yes. */
  readonly isConfirmed: boolean;
  /** The files that were known before it. */
  readonly there: FilesThere;
}

function tellTurn(turn: ReadTurn, context: TurnContext): readonly Entry[] {
  const { steps, ask, asked } = turn;
  const entries: Entry[] = ask === "" ? [] : [askEntryOnce(ask, asked)];
  if (turn.askStays && steps.length > 0) entries.push(entry("deed", [ASK_STAYS]));
  const closing = closingOf(steps);
  const report = reportOf(turn, context.isLast);
  const isNewest = newestEditions(steps, context.below);
  const last = steps.findLast(({ calls }) => calls.length > 0);
  const sameKind = sameKindIn(steps);
  const { used, weigh, isCured, nextOf, isLast, isInHand, lastSaid, chosen, isConfirmed } = context;
  const shared = { used, weigh, isCured, sameKind, nextOf };
  for (const step of steps) {
    const isClosing = step === closing;
    const place = {
      isClosing,
      isAnswer: step === report,
      isNewest: isLast && isClosing,
      isInHand,
      isSuperseded: !isNewest(step),
      fresh: step.at < lastSaid ? undefined : isLast && step === last ? ("last" as const) : "before",
    } as const;
    const told = tellStep(step, place, shared);
    if (isClosing && chosen !== undefined) entries.push(...told.map((each) => withoutUnchosen(each, chosen)));
    else if (step === report && isConfirmed) entries.push(withConfirmed(told[0]!), ...told.slice(1));
    else entries.push(...told);
  }
  const done = doneOf(steps);
  return [
    ...withRepeatedOnce(entries),
    ...changesOf(steps, isInHand, context.there),
    ...(done ? [done] : []),
  ];
}

const ASK_STAYS: Unit = { ...unit(ASK_IN_VIEW, 0), must: true };

/** The last words of a turn; calls may still follow them. */
function closingOf(steps: readonly ReadStep[]): ReadStep | undefined {
  return steps.findLast(({ said }) => said !== "");
}

/** What a person typed outweighs everything; what they pasted is told after their own words. */
const TYPED = 40;
const PASTED = 1;

/** The same units for the same message: what was read of them stays known in the next compaction. */
const askedBy = new WeakMap<Message, Entry>();

function askEntryOnce(ask: string, asked: Message | undefined): Entry {
  let told = asked && askedBy.get(asked);
  if (told === undefined) {
    told = askEntry(ask);
    if (asked) askedBy.set(asked, told);
  }
  return told;
}

export function askEntry(words: string): Entry {
  if (words.length <= SHORT_ASK_CHARS) {
    const whole = unit(words.trim(), 0);
    return wordsEntry("user", [whole], () => [{ worth: TYPED * shortAskWeight(words), minor: undefined }]);
  }
  const units = splitUnits(words, { arePeoples: true });
  return wordsEntry("user", units, () => weighLongAsk(units, words));
}

function shortAskWeight(words: string): number {
  if (COMMAND.test(words)) return SLIGHT;
  return Math.max(...splitUnits(words, { arePeoples: true }).map(({ text }) => bindingWeight(text)));
}

function weighLongAsk(units: readonly Unit[], words: string): readonly Weight[] {
  const isTyped = typedAmong(units, words);
  return units.map((each, index) => {
    const pasted = each.kind === "code" || !isTyped[index] || looksPasted(each.text);
    const depth = Math.min(index, units.length - 1 - index, DEEPEST);
    const worth = pasted ? PASTED : (TYPED * bindingWeight(each.text)) / (1 + depth / 8);
    return { worth: each.leads ? 0 : worth, minor: undefined };
  });
}

/** Which units are the person's own prose: not an example, a log, a program's remark. */
function typedAmong(units: readonly Unit[], words: string): readonly boolean[] {
  const spans = ownProse(words);
  let at = 0;
  let span = 0;
  return units.map(({ text }) => {
    const found = words.indexOf(text, at);
    // Ends of lines may be written otherwise.
    if (found < 0) return true;
    at = found + text.length;
    while (span < spans.length && spans[span]!.end <= found) span++;
    return span < spans.length && spans[span]!.start < at;
  });
}

/** People ask at the ends of a long message; what they typed further in counts half as much, and no less. */
const DEEPEST = 8;
const SHORT_ASK_CHARS = 280;
/** `/review`, `! git pull`: what it set off tells more than the command. */
const COMMAND = /^\s*(?:\/[\w:-]+\s*$|! ?\S)/;
const SLIGHT = 0.3;

/** What binds outlives the rest: from 1 to 5 by how likely it does. */
function bindingWeight(text: string): number {
  return 1 + 4 / (1 + Math.exp(-2 * oddsOf(text).binds));
}

/** What an earlier hand-off or another program's summary tells, as turns. */
function earlierTurns({ by, message }: NonNullable<ReadTurn["earlier"]>): Story {
  let story = earlierBy.get(message);
  if (story === undefined) {
    story = by === "handoff" ? handoffTurns(message) : summaryTurns(message);
    earlierBy.set(message, story);
  }
  return story;
}

/** A message that is a summary as a whole is the same again in the next compaction. */
const earlierBy = new WeakMap<Message, Story>();

function handoffTurns(message: Message): Story {
  return readStory(readSections(handoffIn(message)?.body ?? "").story);
}

function summaryTurns({ parts }: Message): Story {
  const words = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return [{ number: 1, standing: "goes on below", entries: [earlierEntry(words)], isWritten: false }];
}

export function earlierEntry(words: string): Entry {
  const units = withAsked(splitUnits(words));
  return wordsEntry("earlier", units, () => weighWords(units, NARRATION, EARLIER));
}

/** A summary was condensed once: its lines tell more than narration. */
const EARLIER = 1.3;

/** A failure is cured where the same source succeeded later, or a check that answers for it; a tool that is all there is of a source, with what it was given. */
function curesIn(turns: readonly ReadTurn[]): (read: ReadCall, at: number) => boolean {
  const keyOf = ({ call, deed }: ReadCall) =>
    deed?.source === call.name ? `${call.name} ${call.arguments}` : (deed?.source ?? "");
  const lastSuccess = new Map<string, number>();
  const lastPassed = new Map<string, { readonly check: Check; readonly at: number }>();
  const noteSuccess = (read: ReadCall, at: number): void => {
    const { deed } = read;
    if (!deed || deed.failed || deed.running || deed.hidden) return;
    lastSuccess.set(keyOf(read), at);
    for (let each = 0; each < deed.commands.length; each++) {
      for (const check of checksIn(deed.commands[each]!)) lastPassed.set(check.name, { check, at });
    }
  };
  for (const { steps } of turns)
    for (const { calls, at } of steps) for (const read of calls) noteSuccess(read, at);
  return (read, at) =>
    (lastSuccess.get(keyOf(read)) ?? -1) > at ||
    checksIn(read.deed?.source ?? "").some((failed) =>
      [...lastPassed.values()].some((passed) => passed.at > at && answersFor(passed.check, failed, "")),
    );
}

/** Newer turns are worth more, and the one in hand most; within a long turn its last steps. */
function withAge(story: Story): Story {
  const total = story.reduce((sum, { entries }) => sum + entries.length, 0);
  let place = 0;
  return story.map((turn, index) => {
    const isLast = index === story.length - 1;
    const length = turn.entries.length;
    return {
      ...turn,
      entries: turn.entries.map((entry, at) => {
        const recent = total <= 1 ? 1 : place++ / (total - 1);
        const inHand = isLast ? 0.8 * ((at + 1) / length) ** 2 : 0;
        const weight = (0.55 + 0.45 * recent + inHand) * (turn.isWritten ? WRITTEN : 1);
        return { ...entry, weight: weight * (entry.weight ?? 1) };
      }),
    };
  });
}

/** What a model's text tells is told again only where everything else is: also what people typed. */
const WRITTEN = 0.01;
