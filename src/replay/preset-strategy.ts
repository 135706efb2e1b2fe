/** Presets as strategies: the library itself, with an archive in memory and its state kept from call to call. */
import { memoryArchive } from "../archive/memory.ts";
import { createCompactor } from "../compactor.ts";
import type { Policy } from "../policy/policy.ts";
import { type PresetName, presets } from "../policy/presets.ts";
import { bodyOf } from "../run/result.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import type { Strategy } from "./strategy.ts";

export function presetStrategy(preset: PresetName | Policy): Strategy {
  return {
    name: typeof preset === "string" ? preset : preset.name,
    begin: ({ window, reserve, format, model }) => {
      let now = 0;
      let state: CompactionState | undefined;
      const compactor = createCompactor({
        preset,
        window,
        reserve,
        format,
        archive: memoryArchive({ now: () => now }),
        clock: () => now,
        ...(model !== undefined && { model }),
      });
      return async (body, moment) => {
        now = moment.now;
        const result = await compactor.compact(body, {
          ...(state && { state }),
          ...(moment.reportedTokens !== undefined && { usage: { prompt_tokens: moment.reportedTokens } }),
          ...(moment.isRefused && { force: "overflow" }),
        });
        state = result.state;
        return { body: bodyOf(result), acted: result.report.compacted };
      };
    },
  };
}

/** `synthorg-agent` is left out: its agent asks for compaction itself, which no recorded agent did. */
export const presetStrategies: readonly Strategy[] = (Object.keys(presets) as PresetName[])
  .filter((name) => presets[name].name !== "synthorg-agent")
  .map(presetStrategy);
