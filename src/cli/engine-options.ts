/** What the settings of the command line mean to the library. */
import type { Archive } from "../archive/archive.ts";
import type { PresetExpression } from "../policy/presets.ts";
import type { CompactOptions, CompactorOptions } from "../run/options.ts";
import type { Settings } from "./settings.ts";
import { withApiKeys } from "./summarizer-flags.ts";

export function compactorOptions(settings: Settings, archive?: Archive): CompactorOptions {
  const { format, preset, model, window, reserve, summarizer, template, summaryTokens } = settings;
  return {
    ...(archive && { archive }),
    ...(summarizer && { summarizer: summarizer.length > 0 ? withApiKeys(summarizer) : ("none" as const) }),
    format,
    preset: preset as PresetExpression,
    ...(model !== undefined && { model }),
    ...(window !== undefined && { window }),
    ...(reserve !== undefined && { reserve }),
    ...(template !== undefined && { template }),
    ...(summaryTokens !== undefined && { summaryTokens }),
  };
}

export function compactOptions(settings: Settings): CompactOptions {
  return {
    ...(settings.target !== undefined && { target: settings.target }),
    // Whoever names a summarizer on the command line wants to wait for it.
    ...(settings.summarizer?.length && { summarize: true }),
  };
}
