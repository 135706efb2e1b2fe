/** In view: the pictures, files and sounds that the model looks at, those of the latest ask and of the newest tool results. */
import { carriesResults, isUserMessage, type Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import type { Span } from "../conversation/turn.ts";
import { isSaidByPerson, userWordsOf } from "../reading/user-words.ts";

/** In their order: whatever the ask brings besides its text, and the media of the results. */
export function partsInView(messages: readonly Message[]): readonly Part[] {
  const shown = newestResults(messages);
  const ask = latestAsk(messages);
  // Beside a result somebody may also have spoken: who is not known.
  const said = messages.findLastIndex(isSaid);
  // The turn of the ask and the one before it: further back, nobody looks at what a tool showed.
  const since = latestAsk(messages.slice(0, ask.start)).start;
  return messages.flatMap(({ parts }, at) => {
    if (isIn(ask, at) || (at === said && said > ask.start)) return parts.flatMap(broughtBy);
    return isIn(shown, at) && at >= since ? parts.flatMap(mediaOf) : NONE;
  });
}

/** Whether a message holds one of these parts, by itself or in a tool's result. */
export function holdsAny({ parts }: Message, wanted: ReadonlySet<Part>): boolean {
  return parts.some(
    (part) =>
      wanted.has(part) || (part.type === "tool-result" && part.attachments.some((each) => wanted.has(each))),
  );
}

const NONE: readonly Part[] = [];

function isIn({ start, end }: Span, at: number): boolean {
  return at >= start && at < end;
}

/** The newest batch of results, with the pictures right after it. */
function newestResults(messages: readonly Message[]): Span {
  const last = messages.findLastIndex(carriesResults);
  let start = last;
  while (start > 0 && carriesResults(messages[start - 1]!)) start--;
  let end = last + 1;
  while (isPictureOfTool(messages, end)) end++;
  return { start, end };
}

/** What a person last said or showed, which may be several messages. */
function latestAsk(messages: readonly Message[]): Span {
  const last = messages.findLastIndex(
    (message, at) => (isSaid(message) || isPicture(message)) && !isPictureOfTool(messages, at),
  );
  let start = last;
  while (start > 0 && isUserMessage(messages[start - 1]!) && !carriesResults(messages[start - 1]!)) start--;
  return { start: Math.max(0, start), end: last + 1 };
}

function isSaid(message: Message): boolean {
  return isSaidByPerson(userWordsOf(message));
}

function isPicture(message: Message): boolean {
  return (
    isUserMessage(message) && !carriesResults(message) && message.parts.some(({ type }) => type === "media")
  );
}

/** SDKs put a tool's picture into a message of the user right after the result, where a result is text only. */
function isPictureOfTool(messages: readonly Message[], at: number): boolean {
  let before = at;
  while (before > 0 && before < messages.length && isPicture(messages[before]!)) before--;
  return before < at && carriesResults(messages[before]!);
}

function broughtBy(part: Part): readonly Part[] {
  return part.type === "opaque" ? [part] : mediaOf(part);
}

function mediaOf(part: Part): readonly Part[] {
  if (part.type === "media") return [part];
  return part.type === "tool-result" ? part.attachments.filter(({ type }) => type === "media") : NONE;
}
