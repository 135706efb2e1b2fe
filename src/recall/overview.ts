/** overviewOf: what is in an original that is too large for the answer, part by part, and how to open each. */
import type { Archive } from "../archive/archive.ts";
import { textOfMessage } from "../conversation/message.ts";
import { readConversation } from "../engine/reading.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { MessageText } from "./message-texts.ts";
import { type OpenedTurn, openPart, openTurns, stepsOf } from "./open-part.ts";
import { readPartName } from "./part-name.ts";
import { ownMessages } from "./stored-message.ts";
import { turnsOfSpan } from "./turns-of-span.ts";

export interface OverviewOptions {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/** A line for each turn with its ask, or for each step of a turn, as long as they fit. Undefined where there are no parts. */
export async function overviewOf(
  archive: Archive,
  name: string,
  { maxTokens, counter }: OverviewOptions,
): Promise<{ readonly text: string; readonly howToOpen: string } | undefined> {
  const part = readPartName(name);
  if (part?.step !== undefined) return undefined;
  const id = part?.id ?? name;
  const opened = part
    ? await openPart(archive, part)
    : { turns: await openTurns(archive, await turnsOfSpan(archive, name)) };
  if ("problem" in opened || opened.turns.length === 0) return undefined;
  const [turn, ...others] = opened.turns;
  const parts = others.length > 0 ? opened.turns.map(partOfTurn) : partsOfStep(turn!);
  if (parts.length < 2) return undefined;
  const lines = fitted(parts, (text) => counter.text(text) <= maxTokens);
  const unit = others.length > 0 ? "turn" : "step";
  const rest =
    lines.length < parts.length && others.length > 0
      ? `; more turns: ${id}#${parts[lines.length]!.name}-${parts.at(-1)!.name}`
      : "";
  return {
    text: lines.join("\n"),
    howToOpen: `${lines.length} of ${parts.length} ${unit}s; open one as ${id}#${parts[0]!.name}${rest}`,
  };
}

interface Part {
  /** What is behind the `#`. */
  readonly name: string;
  readonly text: string;
}

/** The longest of these at which all parts fit: that much of each is shown, in characters. */
const LENGTHS = [4000, 2000, 1000, 500, 250, 160, 120, 90, 60, 45, 30];

/** Where not even the shortest lines all fit, the first that do. */
function fitted(parts: readonly Part[], fits: (text: string) => boolean): readonly string[] {
  const linesOf = (length: number) => parts.map(({ name, text }) => `#${name} ${clipped(text, length)}`);
  const length = LENGTHS.find((each) => fits(linesOf(each).join("\n")));
  const lines = linesOf(length ?? LENGTHS.at(-1)!);
  if (length !== undefined) return lines;
  let [low, high] = [1, lines.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(lines.slice(0, middle).join("\n"))) low = middle;
    else high = middle - 1;
  }
  return lines.slice(0, low);
}

function partOfTurn({ number, messages }: OpenedTurn): Part {
  return { name: String(number), text: askOf(messages) };
}

/** What a person asked in it; where nobody did, how it begins. */
function askOf(messages: readonly MessageText[]): string {
  const said = readConversation(messages.flatMap(({ text }) => ownMessages(text))).flatMap(
    ({ words }) => words,
  );
  const asked = said.find(({ speaker }) => speaker === "person");
  return asked?.text ?? saidIn(messages.slice(0, 1));
}

function partsOfStep({ number, messages }: OpenedTurn): readonly Part[] {
  return stepsOf(messages).map((step, at) => ({ name: `${number}.${at + 1}`, text: saidIn(step) }));
}

function saidIn(messages: readonly MessageText[]): string {
  return messages
    .flatMap(({ text }) => ownMessages(text))
    .map((message) => `${message.role}: ${textOfMessage(message)}`)
    .join(" ");
}

/** On one line, never half a character. */
function clipped(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…`;
}
