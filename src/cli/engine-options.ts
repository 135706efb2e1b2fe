/** What the settings of the command line mean to the library. */
import type { Archive } from "../archive/archive.ts";
import type { CompactOptions, CompactorOptions } from "../compactor.ts";
import type { PresetExpression } from "../policy/presets.ts";
import { type SummarizerAddress, summarizerAt } from "../summarizer/summarizer-at.ts";
import type { Settings } from "./settings.ts";

export function compactorOptions(settings: Settings, archive?: Archive): CompactorOptions {
  const { format, preset, model, window, reserve, summarizer } = settings;
  return {
    ...(archive && { archive }),
    ...(summarizer !== "none" && { summarizers: [summarizerAt(summarizer, summarizerKey(summarizer))] }),
    format,
    preset: preset as PresetExpression,
    ...(model !== undefined && { model }),
    ...(window !== undefined && { window }),
    ...(reserve !== undefined && { reserve }),
  };
}

export function compactOptions(settings: Settings): CompactOptions {
  return {
    ...(settings.target !== undefined && { target: settings.target }),
    // Whoever names a summarizer on the command line wants to wait for it.
    ...(settings.summarizer !== "none" && { summarize: true }),
  };
}

/** Keys come from the environment alone. */
export function summarizerKey({ kind }: SummarizerAddress): string | undefined {
  const own = kind === "anthropic" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY";
  return process.env.PITH_SUMMARIZER_KEY ?? process.env[own];
}
