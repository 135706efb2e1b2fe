/** Which of the messages that the policy protects there was no room for, one line each (SPEC F91). */
import { thousands } from "../tokens/number-words.ts";
import type { Report } from "./report.ts";

/** `Protected message 7 (tool, 41,200 tokens) was shown in 3,000: the window has no room for it.` */
export function yieldedLines({ messages }: Pick<Report, "messages">): readonly string[] {
  return messages.flatMap(({ position, role, tokensBefore, tokensAfter, fate, yieldsTo }) => {
    if (yieldsTo === undefined) return [];
    const now = fate === "removed" ? "handed off" : `shown in ${thousands(tokensAfter)}`;
    const size = `${role}, ${thousands(tokensBefore)} tokens`;
    return [`Protected message ${position} (${size}) was ${now}: the ${yieldsTo} has no room for it.`];
  });
}
