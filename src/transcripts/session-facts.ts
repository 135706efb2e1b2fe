/** What a file says of its session: id, title, and when each message was said. */
import { isObject } from "../json/wire-value.ts";
import type { Said, SessionFacts, TranscriptFormat, TranscriptReading } from "./transcript.ts";

export function sessionFacts({ session = {} }: TranscriptReading): SessionFacts {
  const { id = "", title = "" } = session;
  const line = title.replace(/\s+/g, " ").trim().slice(0, LONGEST_TITLE);
  return { ...(id !== "" && { id }), ...(line !== "" && { title: line }) };
}

const LONGEST_TITLE = 200;

/** A message without a time was said when the one before it was; one before all that have a time, when the first of them was. */
export function messageTimes(
  { timeOf = () => undefined }: TranscriptFormat,
  { records, session }: TranscriptReading,
  said: readonly Said[],
): readonly (number | undefined)[] {
  const own = said.map(({ pieces }) => {
    const value = records[pieces[0]?.record ?? -1]?.value;
    return isObject(value) ? timeMs(timeOf(value)) : undefined;
  });
  let last = timeMs(session?.startedAt) ?? own.find((time) => time !== undefined);
  return own.map((time) => {
    last = time ?? last;
    return last;
  });
}

/** `timeMs("1970-01-01T00:00:01Z")`, `timeMs(1)` and `timeMs(1000)` are near each other: files have seconds, or milliseconds. */
function timeMs(time: unknown): number | undefined {
  const ms = typeof time === "string" ? Date.parse(time) : typeof time === "number" ? inMs(time) : Number.NaN;
  return Number.isFinite(ms) && Math.abs(ms) <= LATEST_MS ? Math.round(ms) : undefined;
}

/** As milliseconds such a number would be in 1973 at the latest: it is seconds. */
function inMs(time: number): number {
  return Math.abs(time) < 1e11 ? time * 1000 : time;
}

/** Further than this no date goes. */
const LATEST_MS = 8.64e15;
