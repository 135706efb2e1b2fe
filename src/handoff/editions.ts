/** Texts that an agent tells anew each time, such as a plan or a ledger: the newest of a turn stands for all before it. */
import type { ReadStep } from "../reading/read-turns.ts";
import { type Entry, type Story, type Weight, weightsOf } from "./story.ts";

/** A shorter text is no document. */
const LONG_CHARS = 200;
const MOST_TITLE_CHARS = 80;

/** What all editions of a text have in common: the line that leads it, `Updated plan:`. Of any other text, itself. */
export function editionOf(said: string): string {
  if (said.length <= LONG_CHARS) return said;
  const end = said.indexOf("\n");
  if (end >= MOST_TITLE_CHARS) return said;
  const first = end < 0 ? said : said.slice(0, end);
  return first.length < MOST_TITLE_CHARS && first.trimEnd().endsWith(":") ? first.replace(/\d+/g, "0") : said;
}

/** Whether what a step says is the newest edition; `below` has those that are in the conversation itself. */
export function newestEditions(
  steps: readonly ReadStep[],
  below: ReadonlySet<string> = new Set(),
): (step: ReadStep) => boolean {
  const newest = new Map(steps.map((step) => [editionOf(step.said), step]));
  return (step) => {
    const edition = editionOf(step.said);
    return newest.get(edition) === step && !below.has(edition);
  };
}

/** Told when everything else is. */
export function superseded<Told extends Weight>(told: Told): Told {
  return { ...told, worth: told.worth * SUPERSEDED, minor: "printed" };
}

const SUPERSEDED = 0.01;

/** The same of a record that an agent tells anew, line by line: of what is under a key the newest stands for all, in earlier hand-offs too. */
export function withNewestRecords(story: Story): Story {
  const told = new Set<string>();
  return story
    .toReversed()
    .map((turn) => {
      const entries = turn.entries.toReversed().map((each) => withoutOlder(each, told));
      return { ...turn, entries: entries.reverse() };
    })
    .reverse();
}

function withoutOlder(entry: Entry, told: Set<string>): Entry {
  const { voice, units } = entry;
  if (voice !== "agent" && voice !== "answer") return entry;
  const keys = units.map(({ text }) => RECORD_KEY.exec(text)?.[0]);
  const older = keys.map((key) => key !== undefined && told.has(key));
  for (const key of keys) if (key !== undefined) told.add(key);
  if (!older.includes(true)) return entry;
  return {
    ...entry,
    weigh: () => weightsOf(entry).map((weight, at) => (older[at] ? superseded(weight) : weight)),
  };
}

/** `next_speaker: `: the key of a record, and no word before a colon. */
const RECORD_KEY = /^[a-z]+(?:_[a-z0-9]+)+: /;
