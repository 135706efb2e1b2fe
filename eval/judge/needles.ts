/** Needles: the one thing that matters in a long output, alone in a conversation and among ten such outputs. */
import type { Case } from "../deviations/case.ts";
import { KIND_NAMES, makeCase } from "../deviations/generate.ts";
import { countedTokens } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import type { Judge, Score } from "./judge.ts";
import { resultText } from "./result-text.ts";

interface NeedlesAsk {
  readonly among: "alone" | "together";
  readonly outputs: readonly Case[];
}

const ratios = [0.15, 0.08, 0.05];
const leastTokens = 300;
const alone = [0, 1, 2, 3];
const together = [10, 11, 12, 13, 14, 15, 16, 17];

export const needles: Judge<NeedlesAsk> = {
  *tasks() {
    for (const kind of KIND_NAMES) {
      for (const seed of alone) {
        const ask = { among: "alone", outputs: [makeCase(kind, seed)] } as const;
        yield { case: `needle ${kind} ${seed}`, ask };
      }
    }
    for (const seed of together) {
      // In each conversation half of the things that matter are called an error; the seeds of those are odd.
      const outputs = KIND_NAMES.map((kind, order) => makeCase(kind, 2 * seed + ((order + seed) % 2)));
      yield { case: `ten needles ${seed}`, ask: { among: "together", outputs } };
    }
  },
  async measure({ case: own, ask: { among, outputs } }, compact) {
    const past = needleConversation(outputs);
    const tokens = countedTokens(past, []);
    const scores: Score[] = [];
    for (const ratio of ratios) {
      const target = Math.max(leastTokens, Math.round(tokens * ratio));
      const text = resultText(past, await compact(past, target, `${ratio}`)).replaceAll('\\"', '"');
      for (const { kind, matters, isQuiet } of outputs) {
        const row = `${isQuiet ? "quiet " : ""}needles/${among}/${ratio}`;
        const held = matters.filter((thing) => text.includes(thing)).length;
        scores.push({ row, case: among === "alone" ? `${kind} ${own}` : own, held, all: matters.length });
      }
    }
    return scores;
  },
};

/** Each output is asked for by a call of its own; then the talk goes on until they are old. */
export function needleConversation(outputs: readonly Case[]): readonly WireMessage[] {
  const looks = outputs.flatMap(({ text, toolName, toolArguments }, order): readonly WireMessage[] => {
    const id = `call_${order + 1}`;
    const call = { id, type: "function", function: { name: toolName, arguments: toolArguments } };
    return [
      { role: "assistant", content: `I look at source ${order + 1}.`, tool_calls: [call] },
      { role: "tool", tool_call_id: id, content: text },
    ];
  });
  const talk = Array.from({ length: 6 }, (_, order): readonly WireMessage[] => [
    { role: "assistant", content: `Noted, part ${order + 1}. I turn to the next one.` },
    { role: "user", content: `Yes, part ${order + 2} please.` },
  ]);
  const ask = "Find out what is wrong in production. Look at logs, tests and data, then report.";
  return [{ role: "user", content: ask }, ...looks, ...talk.flat()];
}
