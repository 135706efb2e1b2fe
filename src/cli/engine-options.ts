/** What the settings of the command line mean to the library. */
import type { CompactOptions, CompactorOptions } from "../compactor.ts";
import type { PresetExpression } from "../policy/presets.ts";
import type { Settings } from "./settings.ts";

export function compactorOptions(settings: Settings): CompactorOptions {
  const { format, preset, model, window, reserve } = settings;
  return {
    format,
    preset: preset as PresetExpression,
    ...(model !== undefined && { model }),
    ...(window !== undefined && { window }),
    ...(reserve !== undefined && { reserve }),
  };
}

export function compactOptions(settings: Settings): CompactOptions {
  return settings.target === undefined ? {} : { target: settings.target };
}
