/** Deeds: what the agent changed in the world, told with its name and with the id of what it changed. */
import { countedTokens, systemTexts } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { readSource, type Source, sources } from "../recordings/sources.ts";
import { halfOf } from "../recordings/split.ts";
import type { Judge, Score } from "./judge.ts";
import { resultText } from "./result-text.ts";

interface Deed {
  readonly name: string;
  readonly id: string;
}

interface DeedsAsk {
  readonly among: "alone" | "joined";
  readonly past: readonly WireMessage[];
  readonly deeds: readonly Deed[];
  readonly ratios: readonly number[];
}

const leastTokens = 300;

export const deeds: Judge<DeedsAsk> = {
  *tasks(folder) {
    if (folder === undefined) return;
    const airline = sources.find(({ name }) => name === "tau-bench-airline") as Source;
    const calls = readSource(folder, airline);
    for (const { id, messages: past } of calls) {
      const ask = { among: "alone", past, deeds: deedsIn(past), ratios: [0.3, 0.1, 0.03] } as const;
      if (ask.deeds.length > 0) yield { case: id, half: halfOf(id), ask };
    }
    const past = calls.flatMap(({ messages }, order) => ofOneConversation(messages, order));
    const ask = { among: "joined", past, deeds: deedsIn(past), ratios: [0.03] } as const;
    yield { case: "all calls", half: "closed", ask };
  },
  async measure({ case: own, ask: { among, past, deeds: done, ratios } }, compact) {
    const tokens = countedTokens(past, systemTexts(past));
    const scores: Score[] = [];
    for (const ratio of ratios) {
      const target = Math.max(leastTokens, Math.round(tokens * ratio));
      const lines = resultText(past, await compact(past, target, `${ratio}`)).split("\n");
      const told = done.filter(({ name, id }) =>
        lines.some((line) => line.includes(name) && line.includes(id)),
      );
      scores.push({ row: `deeds/${among}/${ratio}`, case: own, held: told.length, all: done.length });
    }
    return scores;
  },
};

const changing = /^(?:cancel|exchange|modify|return|update)_/;

/** Once each; what the last messages do is still going on. */
function deedsIn(messages: readonly WireMessage[]): readonly Deed[] {
  const calls = messages.slice(0, -4).flatMap(({ tool_calls }) => tool_calls ?? []);
  const found = calls.flatMap(({ function: { name, arguments: given } }) => {
    const id = changing.test(name) ? /"(?:reservation|order)_id": ?"#?(\w+)"/.exec(given)?.[1] : undefined;
    return id === undefined ? [] : [{ name, id }];
  });
  return [...new Map(found.map((deed) => [`${deed.name} ${deed.id}`, deed])).values()];
}

/** One system message for all, and ids of calls that are different in each. */
function ofOneConversation(messages: readonly WireMessage[], order: number): readonly WireMessage[] {
  return messages
    .filter(({ role }) => order === 0 || role !== "system")
    .map(({ tool_calls, tool_call_id, ...message }) => ({
      ...message,
      ...(tool_calls && { tool_calls: tool_calls.map((call) => ({ ...call, id: `${order}_${call.id}` })) }),
      ...(tool_call_id !== undefined && { tool_call_id: `${order}_${tool_call_id}` }),
    }));
}
