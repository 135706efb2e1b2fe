/** The origin of what a message says: who said it, and by which tools. */
import {
  callsById,
  isUserMessage,
  type Message,
  toolCallsOf,
  toolResultsOf,
} from "../conversation/message.ts";
import { type Lessons, type Origin, traitsOf, weightOf } from "./lessons.ts";

/** The origin of each message, by its number. */
export function originsOf(messages: readonly Message[]): (at: number) => Origin {
  const calls = callsById(messages);
  return (at) => {
    const message = messages[at]!;
    const results = toolResultsOf(message);
    const names = [
      ...toolCallsOf(message).map(({ name }) => name),
      ...results.flatMap(({ pairId }) => calls.get(pairId)?.name ?? []),
    ];
    const isOthers = results.length > 0 || (message.role === "user" && !isUserMessage(message));
    const by = isOthers ? "tool" : byRole(message.role);
    return { by, tools: [...new Set(names)] };
  };
}

export function byRole(role: Message["role"]): Origin["by"] {
  return role === "user" || role === "assistant" ? role : "tool";
}

/** How much a specific counts that was last said in a message, by the message's number. */
export function weighersOf(
  lessons: Lessons,
  messages: readonly Message[],
): (at: number) => (specific: string) => number {
  const originOf = originsOf(messages);
  return (at) => {
    const origin = originOf(at);
    // Few kinds, many specifics: each kind is weighed once a message.
    const known = new Map<string, number>();
    return (specific) => {
      const traits = traitsOf(specific, origin);
      const kind = traits[0]!;
      let weight = known.get(kind);
      if (weight === undefined) {
        weight = weightOf(lessons, traits);
        known.set(kind, weight);
      }
      return weight;
    };
  };
}
