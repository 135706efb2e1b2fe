/** Pith itself, called as a user of the library calls it, with any of its presets and no model. */
import { createCompactor, type PresetExpression } from "../../src/index.ts";
import { countedTokens, systemTexts } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import type { Strategy } from "./strategy.ts";

export function pith(preset: PresetExpression): Strategy {
  return {
    prepare: (past) => {
      const tokens = countedTokens(past, systemTexts(past));
      const window = Math.max(smallestWindow, Math.round(tokens * 1.1));
      const compactor = createCompactor({ preset, window, clock: () => 0 });
      return async (target) => {
        const { messages: output, report } = await compactor.compact(past, { target });
        if (report.error) throw report.error;
        return output as readonly WireMessage[];
      };
    },
  };
}

const smallestWindow = 8000;
