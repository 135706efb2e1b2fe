/** The latest ask in the story: told in one piece that stays, whatever the room. */
import { type AskStatus, type Entry, entry, type Story, type StoryTurn, unit } from "./story.ts";

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
