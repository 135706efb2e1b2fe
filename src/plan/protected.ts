/** What no stage may summarise although nobody pinned it: SESSION_LOG content and the active state checkpoint (F30). */
import { type Message, textOfMessage } from "../conversation/message.ts";

const SESSION_LOG = /^(?:#+ *SESSION_LOG\b|## Token Usage @ )/m;
const CHECKPOINT = /^(?:#+ *(?:active )?state checkpoint\b|\[STATE CHECKPOINT\])/im;

/** Looks only where a heading of such a document would stand, so that a megabyte of output costs no scan. */
const LOOKED_AT_CHARS = 4000;

/** Positions of protected messages. Of several checkpoints only the newest is active. */
export function protectedPositions(messages: readonly Message[]): ReadonlySet<number> {
  const positions = new Set<number>();
  let checkpoint = -1;
  for (const message of messages) {
    if (message.role === "system") continue;
    const start = textOfMessage(message).slice(0, LOOKED_AT_CHARS);
    if (SESSION_LOG.test(start)) positions.add(message.position);
    if (CHECKPOINT.test(start)) checkpoint = message.position;
  }
  if (checkpoint >= 0) positions.add(checkpoint);
  return positions;
}
