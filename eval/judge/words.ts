/** Words: how much of what people and the agent said in long coding sessions is there word for word. */
import { countedTokens, systemTexts } from "../measure/sizes.ts";
import { textOf, type WireMessage } from "../measure/wire-message.ts";
import { readSource, type Source, sources } from "../recordings/sources.ts";
import { halfOf } from "../recordings/split.ts";
import { saidOf } from "../said/said.ts";
import type { Judge, Score } from "./judge.ts";

const ratios = [0.3, 0.1, 0.03];
const longFrom = 120_000;
const sessionsOfAHalf = 12;

export const words: Judge<readonly WireMessage[]> = {
  *tasks(folder) {
    if (folder === undefined) return;
    const coding = sources.find(({ name }) => name === "coding-sessions") as Source;
    const long = readSource(folder, coding).filter(({ messages }) => characters(messages) > longFrom);
    for (const [half, own] of Map.groupBy(long, ({ id }) => halfOf(id)))
      for (const { id, messages } of own.slice(0, sessionsOfAHalf))
        yield { case: id, half, ask: messages.map(({ summary: _, ...message }) => message) };
  },
  async measure({ case: own, half, ask: past }, compact) {
    const tokens = countedTokens(past, systemTexts(past));
    const scores: Score[] = [];
    for (const ratio of ratios) {
      const result = await compact(past, Math.round(tokens * ratio), `${ratio}`);
      const { user, agent } = saidOf(past, result ?? []);
      scores.push({ row: `said/people/${ratio}/${half}`, case: own, ...user });
      scores.push({ row: `said/agent/${ratio}/${half}`, case: own, ...agent });
    }
    return scores;
  },
};

function characters(messages: readonly WireMessage[]): number {
  return messages.reduce((sum, message) => sum + textOf(message).length, 0);
}
