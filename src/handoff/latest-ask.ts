/** The latest ask in the story: told in one piece that stays, whatever the room. */
import { askingSentences } from "../salience/binding-sentences.ts";
import { type AskStatus, type Entry, entry, type Story, type StoryTurn, type Unit, unit } from "./story.ts";

export interface MustTell {
  readonly ask: string;
  /** The ask itself, or what is told of it. */
  readonly told: string;
  readonly answered: boolean;
}

/** The turn of the latest ask says it in one piece that must stay; of an ask that goes on from another, so does that one's. */
export function withMust(story: Story, { ask, told, answered }: MustTell): Story {
  const whole = withoutSpace(ask);
  const found = findAsk(story, (words) => withoutSpace(words) === whole);
  if (found) return withAsk(story, found, told);
  const last = findAsk(story, (words) => words !== "" && ask.endsWith(`\n\n${words}`));
  if (last && told === ask) {
    const before = ask.slice(0, -last.words.length).trimEnd();
    return withMust(withAsk(story, last, last.words), { ask: before, told: before, answered });
  }
  if (last) return withAsk(story, last, told);
  const number = (story.at(-1)?.number ?? 0) + 1;
  return [...story, askTurn(told, answered ? "answered" : "open", number)];
}

/**
 * The latest ask told like any other, in its order and with marks where something is left out; only what asks must stay. What it
 * binds has to be among the rules then. Undefined where the story does not tell it.
 */
export function withAskInParts(story: Story, ask: string): Story | undefined {
  const whole = withoutSpace(ask);
  const found = findAsk(story, (words) => withoutSpace(words) === whole);
  if (!found) return undefined;
  const { turn, entry: at } = found;
  const told = story[turn]!;
  const { units } = told.entries[at]!;
  const isAsking = asking(units, askingSentences(ask));
  const marked = units.map((each, index) => (isAsking[index] ? { ...each, must: true as const } : each));
  return story.with(turn, {
    ...told,
    entries: told.entries.with(at, { ...told.entries[at]!, units: marked }),
  });
}

/** Which units hold some of these sentences; a sentence may go over several. */
function asking(units: readonly Unit[], sentences: readonly string[]): readonly boolean[] {
  const starts: number[] = [];
  let words = "";
  for (const { text } of units) {
    starts.push(words.length);
    words += withoutSpace(text);
  }
  const found: [start: number, end: number][] = [];
  let from = 0;
  for (const sentence of sentences.map(withoutSpace)) {
    const start = words.indexOf(sentence, from);
    if (start < 0) continue;
    from = start + sentence.length;
    found.push([start, from]);
  }
  return units.map((_, at) => {
    const end = starts[at + 1] ?? words.length;
    return found.some(([start, last]) => start < end && last > starts[at]!);
  });
}

interface FoundAsk {
  readonly turn: number;
  readonly entry: number;
  readonly words: string;
}

/** The newest words of the user that are looked for. */
function findAsk(story: Story, isAsk: (words: string) => boolean): FoundAsk | undefined {
  for (let turn = story.length - 1; turn >= 0; turn--) {
    const { entries } = story[turn]!;
    for (let entry = entries.length - 1; entry >= 0; entry--) {
      const { voice, units } = entries[entry]!;
      const words = voice === "user" ? units.map(({ text }) => text).join("\n") : "";
      if (voice === "user" && isAsk(words)) return { turn, entry, words };
    }
  }
  return undefined;
}

function withAsk(story: Story, { turn, entry: at }: FoundAsk, text: string): Story {
  const told: StoryTurn = story[turn]!;
  return story.with(turn, { ...told, entries: told.entries.with(at, askEntry(text)) });
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}

/** A turn of which only the ask is told. */
export function askTurn(ask: string, standing: AskStatus, number: number): StoryTurn {
  return { number, standing, entries: [askEntry(ask)], isWritten: false };
}

function askEntry(text: string): Entry {
  return entry("user", [{ ...unit(text, 0), must: true }]);
}
