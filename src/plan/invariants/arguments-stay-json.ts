/** Arguments that were valid JSON stay valid JSON (R6). */
import { type Message, toolCallsOf } from "../../conversation/message.ts";
import type { Invariant } from "./invariant.ts";

export const argumentsStayJson: Invariant = {
  name: "arguments-stay-json",
  broken: (before, after) =>
    after
      .filter((message) => message.changed)
      .flatMap((message) => toolCallsOf(message))
      .filter((call) => !isJson(call.arguments) && !wasGiven(before, call.arguments))
      .map((call) => `the arguments of call ${call.pairId} are not JSON any more`),
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function wasGiven(before: readonly Message[], text: string): boolean {
  return before.some((message) => toolCallsOf(message).some((call) => call.arguments === text));
}
