/** What no stage may summarise although nobody pinned it: SESSION_LOG content and the active state checkpoint (F30). */
import { type Message, textOfMessage } from "../conversation/message.ts";

const SESSION_LOG = /^(?:#+ *SESSION_LOG\b|## Token Usage @ )/m;
const CHECKPOINT = /^(?:#+ *(?:active )?state checkpoint\b|\[STATE CHECKPOINT\])/im;

/** Looks only where a heading of such a document would stand, so that a megabyte of output costs no scan. */
const LOOKED_AT_CHARS = 1000;

function startOf(message: Message): string {
  const [only] = message.parts;
  const text =
    message.parts.length === 1 && only!.type === "tool-result" ? only!.text : textOfMessage(message);
  return text.slice(0, LOOKED_AT_CHARS);
}

/** Positions of protected messages. Of several checkpoints only the newest is active. */
export function protectedPositions(messages: readonly Message[]): ReadonlySet<number> {
  const positions = new Set<number>();
  let checkpoint = -1;
  for (const message of messages) {
    if (message.role === "system") continue;
    const start = startOf(message);
    if ((start.includes("SESSION_LOG") || start.includes("Token Usage @")) && SESSION_LOG.test(start)) {
      positions.add(message.position);
    }
    if ((start.includes("heckpoint") || start.includes("HECKPOINT")) && CHECKPOINT.test(start))
      checkpoint = message.position;
  }
  if (checkpoint >= 0) positions.add(checkpoint);
  return positions;
}
