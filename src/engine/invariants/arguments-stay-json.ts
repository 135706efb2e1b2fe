/** Arguments that were valid JSON stay valid JSON (R6). */

import { type Message, toolCallsOf } from "../../conversation/message.ts";
import { parsedJson } from "../../json/wire-value.ts";
import type { Invariant } from "./invariant.ts";

export const argumentsStayJson: Invariant = {
  name: "arguments-stay-json",
  broken: (before, after) =>
    after
      .filter((message) => message.changed)
      .flatMap((message) => toolCallsOf(message))
      .filter((call) => parsedJson(call.arguments) === undefined && !wasGiven(before, call.arguments))
      .map((call) => `the arguments of call ${call.pairId} are not JSON any more`),
};

function wasGiven(before: readonly Message[], text: string): boolean {
  return before.some((message) => toolCallsOf(message).some((call) => call.arguments === text));
}
