/** What no stage may summarise although nobody pinned it: SESSION_LOG content, persona definitions, the active state checkpoint (F30). */
import type { Message } from "../conversation/message.ts";

/** Positions of protected messages. Of several checkpoints only the newest is active. */
export function protectedPositions(messages: readonly Message[]): ReadonlySet<number> {
  const positions = new Set<number>();
  let checkpoint = -1;
  for (const message of messages) {
    if (message.role === "system") continue;
    for (const part of message.parts) {
      if (part.type !== "text" && part.type !== "tool-result") continue;
      const start = part.text.slice(0, LOOKED_AT_CHARS);
      if (!WORDS.test(start)) continue;
      if (SESSION_LOG.test(start) || PERSONA.test(start)) positions.add(message.position);
      if (CHECKPOINT.test(start)) checkpoint = message.position;
    }
  }
  if (checkpoint >= 0) positions.add(checkpoint);
  return positions;
}

/** Looks only where a heading of such a document would stand, so that a megabyte of output costs no scan. */
const LOOKED_AT_CHARS = 400;

/** Every heading that counts has one of these; most texts have none and cost no more than this look. */
const WORDS = /session[ _-]log|token usage|checkpoint|persona/i;

/** A heading, in a file that a tool printed with line numbers too. */
const heading = (words: string) =>
  new RegExp(`^(?: *\\d+[→\\t|:] ?)?(?:#+ *(?:\\*\\*)?|\\*\\*|\\[)(?:${words})\\b`, "im");

/** How the content of a SESSION_LOG begins; a summarizer does not get to see it either (F24). */
export const SESSION_LOG = heading("session[ _-]log|token usage @ (?=\\d)");
const CHECKPOINT = heading("(?:active )?state[ _-]checkpoints?");
const PERSONA = heading("(?:agent |system )?persona(?: definitions?)?");
