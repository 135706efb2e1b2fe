/** openPart: turns of what a hand-off stands for, or one step of a turn, with their messages. */
import type { Archive } from "../archive/archive.ts";
import { toolResultsOf } from "../conversation/message.ts";
import { type MessageText, messageTexts } from "./message-texts.ts";
import type { PartName } from "./part-name.ts";
import { storedMessages } from "./stored-message.ts";
import { type TurnOfSpan, turnsOfSpan } from "./turns-of-span.ts";
import { withWholeTexts } from "./whole-texts.ts";

export interface OpenedTurn {
  readonly number: number;
  readonly messages: readonly MessageText[];
}

/** Why nothing could be opened, in a sentence that says what can. */
export interface NotOpened {
  readonly problem: string;
}

export async function openPart(
  archive: Archive,
  { id, turns: wanted, step }: PartName,
): Promise<{ readonly turns: readonly OpenedTurn[] } | NotOpened> {
  const turns = await openTurns(archive, await turnsOfSpan(archive, id, wanted));
  const range = wanted.to === wanted.from ? `${wanted.from}` : `${wanted.from}-${wanted.to}`;
  if (turns.length === 0) return { problem: await whyNone(archive, id, `${id}#${range}`) };
  if (step === undefined) return { turns };
  const [turn] = turns;
  const steps = stepsOf(turn!.messages);
  const messages = steps[step - 1];
  if (messages) return { turns: [{ number: turn!.number, messages }] };
  return { problem: `Nothing is archived under ${id}#${range}.${step}: its steps are 1 to ${steps.length}.` };
}

export async function openTurns(
  archive: Archive,
  turns: readonly TurnOfSpan[],
): Promise<readonly OpenedTurn[]> {
  const stored = await messageTexts(
    archive,
    turns.flatMap(({ ids }) => ids),
  );
  const texts = await Promise.all(stored.map((each) => withWholeTexts(archive, each)));
  let from = 0;
  return turns.map(({ number, ids }) => {
    const messages = texts.slice(from, from + ids.length);
    from += ids.length;
    return { number, messages };
  });
}

/** What was said at once, with the results of its calls; the ask is the first step. */
export function stepsOf(messages: readonly MessageText[]): readonly (readonly MessageText[])[] {
  const steps: MessageText[][] = [];
  for (const message of messages) {
    const last = steps.at(-1);
    if (last && isResult(message)) last.push(message);
    else steps.push([message]);
  }
  return steps;
}

function isResult({ text }: MessageText): boolean {
  const messages = storedMessages(text);
  return messages.length > 0 && messages.every((message) => toolResultsOf(message).length > 0);
}

async function whyNone(archive: Archive, id: string, name: string): Promise<string> {
  const item = await archive.get(id);
  const nothing = `Nothing is archived under ${name}`;
  if (!item) return `${nothing}: ${id} is not known.`;
  if (item.forgotten !== undefined) return `${id} was erased on ${new Date(item.forgotten).toISOString()}.`;
  const turns = await turnsOfSpan(archive, id);
  if (turns.length === 0) return `${nothing}: ${id} has no numbered turns, open it as ${id}.`;
  return `${nothing}: its turns are ${turns[0]!.number} to ${turns.at(-1)!.number}.`;
}
