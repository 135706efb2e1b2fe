/** Sizes: the tokens that a target counts, without the engine. System messages that come out as they went in are free. */
import { plainCount } from "../../test/independent-count.ts";
import { textOf, type WireMessage } from "./wire-message.ts";

const perMessage = 4;

/** o200k tokens of one message's text, plus four. */
export function messageTokens(message: WireMessage): number {
  return plainCount(textOf(message)) + perMessage;
}

/** Tokens of all messages except given system messages; of a given one that grew, what was added. */
export function countedTokens(messages: readonly WireMessage[], givenSystem: readonly string[]): number {
  return messages.reduce((sum, message) => sum + counted(message, givenSystem), 0);
}

/** The texts of the system messages, which a result may hold for free. */
export function systemTexts(messages: readonly WireMessage[]): readonly string[] {
  return messages.filter(({ role }) => role === "system").map(textOf);
}

function counted(message: WireMessage, givenSystem: readonly string[]): number {
  if (message.role !== "system") return messageTokens(message);
  const text = textOf(message);
  const given = givenSystem.find((candidate) => text.startsWith(candidate));
  if (given === undefined) return messageTokens(message);
  return given === text ? 0 : plainCount(text.slice(given.length));
}
