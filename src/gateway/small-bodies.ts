/** Small bodies need no preparation: what they hold cannot have been compacted, nor be due for it. */
import { COMPRESS_CONTEXT } from "../agent-control/compress-context.ts";
import { modelNamedIn } from "./limits.ts";
import { decidesBySize, policyOf } from "./policies.ts";
import type { GatewaySettings } from "./settings.ts";
import { windowOf } from "./windows.ts";

/** A tool result that is offloaded on arrival has more tokens than this has bytes. */
const SMALL_BYTES = 16_000;

/** A token has at least a byte; below an eighth of the window no threshold of any preset is near. */
export function needsNoPreparation(body: Buffer, settings: GatewaySettings): boolean {
  if (body.length >= SMALL_BYTES || body.includes(COMPRESS_CONTEXT)) return false;
  const text = body.toString("utf8");
  const window = windowOf(modelNamedIn(text), settings);
  if (window === undefined) return false;
  return body.length < window / 8 && decidesBySize(policyOf(settings.preset, window));
}
