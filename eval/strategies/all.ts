/** All strategies that the evaluation can run, by name, each loaded when it is asked for. */
import { aiSdkPrune } from "../peers/ai-sdk.ts";
import { clineBasic } from "../peers/cline.ts";
import { langchain } from "../peers/langchain.ts";
import { isInstalled } from "../peers/load-peer.ts";
import { tokenjuice } from "../peers/tokenjuice.ts";
import { cutToolOutput } from "./cut-tool-output.ts";
import { gptmeExtraction } from "./gptme-extraction.ts";
import { keepHeadAndRecent, keepRecent } from "./keep-recent.ts";
import { pith } from "./pith.ts";
import type { Strategy } from "./strategy.ts";

export interface NamedStrategy {
  readonly name: string;
  /** What tables call it. */
  readonly label: string;
  readonly group: "pith" | "preset" | "peer" | "naive";
  /** The package that must be installed for it. */
  readonly needs?: string;
  readonly load: () => Promise<Strategy>;
}

const presetNames = [
  "gptme",
  "factor3",
  "hermes",
  "hermes-lean",
  "synthorg",
  "synthorg-agent",
  "deepagents",
] as const;

export const strategies: readonly NamedStrategy[] = [
  { name: "pith", label: "Pith", group: "pith", load: async () => pith("balanced") },
  ...presetNames.map(
    (preset): NamedStrategy => ({
      name: preset,
      label: `Pith, preset ${preset}`,
      group: "preset",
      load: async () => pith(preset),
    }),
  ),
  {
    name: "langchain",
    label: "LangChain clear + trim",
    group: "peer",
    needs: "langchain",
    load: () => langchain({ clear: true }),
  },
  {
    name: "langchain-trim",
    label: "LangChain trim",
    group: "peer",
    needs: "langchain",
    load: () => langchain({ clear: false }),
  },
  { name: "ai-sdk", label: "AI SDK prune + recent", group: "peer", needs: "ai", load: aiSdkPrune },
  { name: "cline", label: "Cline basic", group: "peer", needs: "@cline/core", load: clineBasic },
  { name: "tokenjuice", label: "tokenjuice + recent", group: "peer", needs: "tokenjuice", load: tokenjuice },
  {
    name: "gptme-extraction",
    label: "gptme's published rule (our code) + recent",
    group: "peer",
    load: async () => gptmeExtraction,
  },
  { name: "recent", label: "Keep recent", group: "naive", load: async () => keepRecent },
  { name: "head-recent", label: "Head + recent", group: "naive", load: async () => keepHeadAndRecent },
  { name: "cut-tools", label: "Cut tool output + recent", group: "naive", load: async () => cutToolOutput },
];

/** The label of the recorded agents' own summaries, which no strategy makes. */
export const recordedSummary = {
  name: "recorded-summary",
  label: "The recorded model's own summary",
} as const;

/** The named strategies, or those of named groups (`pith`, `preset`, `peer`, `naive`); all when nothing is named. */
export function namedStrategies(names: readonly string[] = []): readonly NamedStrategy[] {
  const known = new Set(strategies.flatMap(({ name, group }) => [name, group]));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new Error(`Unknown strategy ${unknown.join(", ")}; known: ${[...known].join(", ")}.`);
  return strategies.filter(
    ({ name, group }) => names.length === 0 || names.includes(name) || names.includes(group),
  );
}

export function canRun({ needs }: NamedStrategy): boolean {
  return needs === undefined || isInstalled(needs);
}
