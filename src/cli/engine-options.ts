/** What the settings of the command line mean to the library. */
import type { Archive } from "../archive/archive.ts";
import { fetchThrough } from "../http/fetch-through.ts";
import { readProxies } from "../http/proxies.ts";
import type { PresetExpression } from "../policy/presets.ts";
import type { CompactOptions, CompactorOptions } from "../run/options.ts";
import type { Summarizer } from "../summarizer/summarizer.ts";
import { type SummarizerAddress, summarizerAt } from "../summarizer/summarizer-at.ts";
import type { Settings } from "./settings.ts";
import { withApiKeys } from "./summarizer-flags.ts";

export function compactorOptions(settings: Settings, archive?: Archive): CompactorOptions {
  const { format, preset, model, window, reserve, summarizer, handoff, template, summaryTokens } = settings;
  return {
    ...(archive && { archive }),
    ...(summarizer && { summarizer: summarizer.length > 0 ? summarizersAt(summarizer) : ("none" as const) }),
    format,
    preset: preset as PresetExpression,
    ...(model !== undefined && { model }),
    ...(window !== undefined && { window }),
    ...(reserve !== undefined && { reserve }),
    ...(handoff !== undefined && { handoff }),
    ...(template !== undefined && { template }),
    ...(summaryTokens !== undefined && { summaryTokens }),
  };
}

function summarizersAt(addresses: readonly SummarizerAddress[]): readonly Summarizer[] {
  const fetch = fetchThrough(readProxies(process.env));
  return withApiKeys(addresses).map((address) => summarizerAt(address, fetch));
}

export function compactOptions(settings: Settings): CompactOptions {
  return {
    ...(settings.target !== undefined && { target: settings.target }),
    // Whoever names a summarizer on the command line wants to wait for it.
    ...(settings.summarizer?.length && { summarize: true }),
  };
}
