/** Turn: a user's message and everything up to the next one; Group: messages that may never be split. */
import {
  carriesResults,
  isUserMessage,
  type Message,
  makesCalls,
  toolCallsOf,
  toolResultsOf,
} from "./message.ts";

/** A range of messages, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A Turn starts at a user's message; what is before the first one (system messages aside) is a turn too. */
export interface Turn extends Span {}

/** A tool group (the calling message, all messages that answer it, the skills that they load) or a single message. */
export interface Group extends Span {
  /** Calls that no result has answered, in the last group of a conversation: still running. */
  readonly inFlight: boolean;
}

/** Remembered by the list itself: every cut that is looked at asks for turns and groups again. */
const turnsByList = new WeakMap<readonly Message[], readonly Turn[]>();

export function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const known = turnsByList.get(messages);
  if (known) return known;
  const turns = findTurns(messages);
  turnsByList.set(messages, turns);
  return turns;
}

function findTurns(messages: readonly Message[]): readonly Turn[] {
  const starts: number[] = [];
  const first = messages.findIndex((message) => message.role !== "system");
  if (first < 0) return [];
  for (let index = first; index < messages.length; index++) {
    if (index === first || isUserMessage(messages[index]!)) starts.push(index);
  }
  return starts.map((start, order) => ({ start, end: starts[order + 1] ?? messages.length }));
}

const groupsByList = new WeakMap<readonly Message[], readonly Group[]>();

/** Cuts the messages into the smallest pieces that may stand or fall alone. */
export function groupsOf(messages: readonly Message[]): readonly Group[] {
  const known = groupsByList.get(messages);
  if (known) return known;
  const groups = findGroups(messages);
  groupsByList.set(messages, groups);
  return groups;
}

/** The group that the message at an index belongs to. */
export function groupAt(messages: readonly Message[], index: number): Group {
  const groups = groupsOf(messages);
  let low = 0;
  let high = groups.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (groups[middle]!.start <= index) low = middle;
    else high = middle - 1;
  }
  return groups[low]!;
}

/** Whether the conversation ends in calls that are not all answered. Looks at its end only. */
export function endsInFlight(messages: readonly Message[]): boolean {
  const start = messages.findLastIndex((message) => !carriesResults(message));
  return start >= 0 && findGroups(messages.slice(start)).at(-1)!.inFlight;
}

function findGroups(messages: readonly Message[]): readonly Group[] {
  const groups: Group[] = [];
  let index = 0;
  while (index < messages.length) {
    const start = index++;
    if (!makesCalls(messages[start]!)) {
      groups.push({ start, end: index, inFlight: false });
      continue;
    }
    while (index < messages.length && carriesResults(messages[index]!)) index++;
    const inFlight = index === messages.length && hasOpenCall(messages.slice(start));
    while (isSkillText(messages[index])) index++;
    groups.push({ start, end: index, inFlight });
  }
  return groups;
}

function isSkillText(message: Message | undefined): boolean {
  return message?.loaded !== undefined && !isUserMessage(message) && !carriesResults(message);
}

/** Whether a call of the first message is answered by none of the others. */
function hasOpenCall([caller, ...answers]: readonly Message[]): boolean {
  const answered = new Set(
    answers.flatMap((message) => toolResultsOf(message).map((result) => result.pairId)),
  );
  return toolCallsOf(caller!).some((call) => !call.server && !answered.has(call.pairId));
}
