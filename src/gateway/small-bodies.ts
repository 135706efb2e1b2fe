/** Small bodies need no preparation: what they hold cannot have been compacted, nor be due for it. */
import { COMPRESS_CONTEXT } from "../agent-control/compress-context.ts";
import { modelProfile } from "../tokens/models.ts";
import { modelNamedIn } from "./limits.ts";
import { decidesBySize, policyOf } from "./policies.ts";
import type { GatewaySettings } from "./settings.ts";

/** A tool result that is offloaded on arrival has more tokens than this has characters. */
const SMALL_CHARACTERS = 16_000;

/** A token has at least a character; below an eighth of the window no threshold of any preset is near. */
export function needsNoPreparation(text: string, { preset, window: given }: GatewaySettings): boolean {
  if (text.length >= SMALL_CHARACTERS || text.includes(COMPRESS_CONTEXT)) return false;
  const window = given ?? modelProfile(modelNamedIn(text)).window;
  if (window === undefined) return false;
  return text.length < window / 8 && decidesBySize(policyOf(preset, window));
}
