/** Small bodies need no preparation: what they hold cannot have been compacted, nor be due for it. */
import { COMPRESS_CONTEXT } from "../agent-control/compress-context.ts";
import type { PresetExpression } from "../policy/presets.ts";
import { resolvePolicy } from "../policy/resolve-policy.ts";
import { modelProfile } from "../tokens/models.ts";
import type { GatewaySettings } from "./settings.ts";

/** A tool result that is offloaded on arrival has more tokens than this has characters. */
const SMALL_CHARACTERS = 16_000;

/** A token has at least a character; below an eighth of the window no threshold of any preset is near. */
export function needsNoPreparation(text: string, { preset, window: given }: GatewaySettings): boolean {
  if (text.length >= SMALL_CHARACTERS || text.includes(COMPRESS_CONTEXT)) return false;
  const window = given ?? modelProfile(/"model"\s*:\s*"([^"\\]{1,100})"/.exec(text)?.[1]).window;
  if (window === undefined) return false;
  return text.length < window / 8 && !countsMessages(preset);
}

const counting = new Map<string, boolean>();

function countsMessages(preset: string): boolean {
  const known = counting.get(preset);
  if (known !== undefined) return known;
  const { thresholds } = resolvePolicy(preset as PresetExpression);
  const counts = thresholds.some(({ messages }) => messages !== undefined);
  counting.set(preset, counts);
  return counts;
}
