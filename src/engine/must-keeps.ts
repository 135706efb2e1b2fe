/** Must-keeps: what no summary may lose, asked of the readings: rules of a person, deeds by their ids, and what is open. */
import { handoffIn } from "../conversation/handoffs/separate.ts";
import type { EngineResult } from "./engine.ts";
import { deedsIn, rulesIn } from "./facts.ts";
import { type Reading, readConversation } from "./reading.ts";
import { openIn } from "./state.ts";
import { quotable } from "./write.ts";

export interface MustKeeps {
  readonly mustKeep: readonly string[];
  /** Those that whoever has only the result knows. */
  readonly told: readonly string[];
}

/** The same question is asked of what came in and of the result. */
export function mustKeepsIn({ readings, messages, handoff }: EngineResult): MustKeeps {
  const mustKeep = mustKeepsOf(readings);
  const text = handoff && handoffIn(handoff.message)?.framed;
  const there = new Set(mustKeepsOf(readConversation(messages, new Set(text === undefined ? [] : [text]))));
  return { mustKeep, told: mustKeep.filter((line) => there.has(line)) };
}

/** Each as a hand-off has it. */
export function mustKeepsOf(readings: readonly Reading[]): readonly string[] {
  const deeds = [...deedsIn(readings)].flatMap(([name, { ids }]) => [...ids].map((id) => `${name}: ${id}`));
  return [...new Set([...rulesIn(readings), ...deeds, ...openIn(readings)].map(quotable))];
}
