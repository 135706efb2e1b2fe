/** What the settings of the command line mean to the library. */
import type { Archive } from "../archive/archive.ts";
import type { CompactOptions, CompactorOptions } from "../compactor.ts";
import type { PresetExpression } from "../policy/presets.ts";
import { anthropicSummarizer } from "../summarizer/anthropic-compatible.ts";
import { openAISummarizer } from "../summarizer/openai-compatible.ts";
import type { Summarizer } from "../summarizer/summarizer.ts";
import type { Settings, SummarizerSettings } from "./settings.ts";

export function compactorOptions(settings: Settings, archive?: Archive): CompactorOptions {
  const { format, preset, model, window, reserve, summarizer } = settings;
  return {
    ...(archive && { archive }),
    ...(summarizer !== "none" && { summarizers: [createSummarizer(summarizer)] }),
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

function createSummarizer({ url, model, kind }: SummarizerSettings): Summarizer {
  const own = kind === "anthropic" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY";
  const key = process.env.PITH_SUMMARIZER_KEY ?? process.env[own];
  const options = { url, model, ...(key !== undefined && { key }) };
  return kind === "anthropic" ? anthropicSummarizer(options) : openAISummarizer(options);
}
