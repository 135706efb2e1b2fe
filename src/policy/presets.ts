/** Presets: the named policies. Each line's number comes from the source that the preset follows (SPEC §3). */
import type { HandoffStyle, Policy, Retention } from "./policy.ts";

/** Less is not worth a broken prompt cache, whatever the system (R48). */
const WORTH_A_REWRITE = { ratio: 0.1, tokens: 4096 };

const sections = {
  form: "sections",
  prefix: "pith",
  role: "auto",
  systemNote: false,
  ceiling: 1,
} as const satisfies HandoffStyle;

/**
 * Our own default. Compacts late and rarely, since every compaction costs the prompt cache, and deep when it does;
 * the reasons are in docs/decisions/balanced-preset.md.
 */
const balanced: Policy = {
  name: "balanced",
  base: "budget",
  thresholds: [
    { at: 0.75, action: "hand-off", again: true },
    { at: 0.9, action: "trim", again: true },
    { at: 1, action: "trim" },
  ],
  triggerCapTokens: 256_000,
  targetRatio: 0.35,
  targetOf: "messages",
  minReclaim: WORTH_A_REWRITE,
  minMessages: 4,
  intervalMs: 0,
  retention: { messages: 4, turns: 1, percent: 0.1, ceiling: 0.25, tolerance: 0.25 },
  head: { messages: 0, decays: true },
  stripReasoning: { distance: 5 },
  dropDuplicates: true,
  shape: { minTokens: 400, order: "oldest-first" },
  handoff: sections,
  summary: { template: "story" },
  markers: { annotate: false },
  shapeOnArrival: false,
  offloadOver: 20_000,
  enabled: true,
};

/**
 * What the presets of the sources have in common: their shares are of the window or the token budget as it is given, and they
 * have no stage, cap or limit that their source does not have.
 */
const ofSource = {
  base: "window",
  minReclaim: WORTH_A_REWRITE,
  minMessages: 0,
  intervalMs: 0,
  head: { messages: 0, decays: false },
  dropDuplicates: false,
  markers: { annotate: false },
  shapeOnArrival: false,
  enabled: true,
} as const satisfies Partial<Policy>;

/** What is counted stays byte for byte; the ceiling is ours, for what alone is larger than the target. */
const verbatim = { messages: 0, turns: 0, whole: true, ceiling: 0.5 } as const satisfies Retention;

/** A system that summarises and has no lighter stage: at its threshold it hands off, whatever could be saved otherwise. */
const summarizes = { ...sections, always: true } as const satisfies HandoffStyle;

/** Source 0: the minimum distance from the end of what is touched. */
const UNTOUCHED = 3;

/** Source 0 and SPEC A.1: extraction at 50 %, the resume at 90 %, at least 10 % saved, 60 s between attempts. */
const gptme: Policy = {
  ...ofSource,
  name: "gptme",
  thresholds: [
    { at: 0.5, action: "extract" },
    { at: 0.9, action: "hand-off" },
  ],
  targetRatio: 0.35,
  minReclaim: { ratio: 0.1, tokens: Number.POSITIVE_INFINITY },
  intervalMs: 60_000,
  retention: { ...verbatim, messages: UNTOUCHED },
  head: { messages: 1, decays: false },
  stripReasoning: { distance: 5 },
  shape: { minTokens: 2000, order: "largest-first" },
  extract: { ratio: 0.7, minTokens: 1000, distance: UNTOUCHED },
  handoff: sections,
  summary: { template: "story" },
};

/** Source 1: summarise at 50 %, force trim at 80 %, 20/30 messages, keep 3, log to SESSION_LOG. */
const factor3: Policy = {
  ...ofSource,
  name: "factor3",
  thresholds: [
    { at: 0.5, action: "hand-off", messages: 20 },
    { at: 0.8, action: "trim", messages: 30 },
  ],
  targetRatio: 0.35,
  retention: { ...verbatim, messages: 3 },
  handoff: { ...summarizes, prefix: "factor3", role: "assistant" },
  summary: { template: "simple" },
  shapeOnArrival: true,
};

/** Source 2: first 3 and last 4 messages, the F41 prefix, the F44 note, the prompt that it puts in (F46), 500 tokens, at 85 %. */
const hermes: Policy = {
  ...ofSource,
  name: "hermes",
  thresholds: [{ at: 0.85, action: "hand-off" }],
  targetRatio: 0.5,
  retention: { ...verbatim, messages: 4 },
  head: { messages: 3, decays: false },
  handoff: { ...summarizes, prefix: "hermes", systemNote: true },
  summary: { template: "neutral", tokens: 500 },
};

/**
 * SPEC A.3: 50 % of what the reserve leaves of the window, cap 256K, a lean tail; `resolvePolicy` fits the threshold and the
 * tail to the window.
 */
const hermesLean: Policy = {
  ...ofSource,
  name: "hermes-lean",
  base: "budget",
  thresholds: [{ at: 0.5, action: "hand-off" }],
  triggerCapTokens: 256_000,
  targetRatio: 0.25,
  retention: { ...verbatim, messages: 3 },
  head: { messages: 3, decays: true },
  handoff: { ...summarizes, prefix: "hermes" },
  summary: { template: "structured", tokens: 2_000, share: 0.2, mostTokens: 10_000 },
};

/**
 * How `hermes-lean` fits itself to a window: smaller ones fill from 75 %, since half of a small window is soon reached; the tail
 * is filled up to a share of the window within limits, and never more than a fifth of it; so is a summary.
 */
export const leanFit = {
  smallBelow: 512_000,
  smallAt: 0.75,
  tail: { share: 0.025, least: 10_000, most: 25_000, mostShare: 0.2 },
  summaryMostShare: 0.05,
} as const;

/** Source 3: 80 %, at least 4 messages, 3 turn pairs (6 messages, F57), a fenced system message with the text summary, markers on. */
const synthorg: Policy = {
  ...ofSource,
  name: "synthorg",
  estimator: "rough",
  thresholds: [{ at: 0.8, action: "hand-off" }],
  targetRatio: 0.5,
  minMessages: 4,
  retention: { ...verbatim, messages: 6 },
  handoff: { ...summarizes, form: "text", prefix: "synthorg", role: "system" },
  summary: { template: "brief", tokens: 500 },
  markers: { promoteAt: 3, annotate: true },
};

/** Source 3, agent-controlled: the tool is offered, the net is at 95 %. */
const synthorgAgent: Policy = { ...synthorg, name: "synthorg-agent", agentControlled: { safetyAt: 0.95 } };

/** Source 3's comparison: 85 %, recent 10 %, large results offloaded, overflow retried. */
const deepagents: Policy = {
  ...ofSource,
  name: "deepagents",
  thresholds: [{ at: 0.85, action: "hand-off" }],
  targetRatio: 0.5,
  retention: { ...verbatim, percent: 0.1 },
  handoff: summarizes,
  summary: { template: "story" },
  offloadOver: 20_000,
};

export const presets = {
  balanced,
  gptme,
  factor3,
  hermes,
  "hermes-lean": hermesLean,
  synthorg,
  "synthorg-agent": synthorgAgent,
  deepagents,
} as const satisfies Record<string, Policy>;

export type PresetName = keyof typeof presets;
export type ModifierName = "degraded" | "complex" | "deliberative" | "verbose" | "debug" | "bare";
/** A preset's name, or a preset and modifiers joined by plus signs: `synthorg+degraded`. */
export type PresetExpression = PresetName | `${PresetName}+${string}`;
