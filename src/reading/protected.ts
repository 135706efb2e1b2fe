/** What no stage may summarise although nobody pinned it: SESSION_LOG content, persona definitions, the active state checkpoint (F30). */
import type { Message } from "../conversation/message.ts";

/** Positions of protected messages. Of several checkpoints only the newest is active. */
export function protectedPositions(messages: readonly Message[]): ReadonlySet<number> {
  const positions = new Set<number>();
  let checkpoint = -1;
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    if (message.role === "system") continue;
    const { isProtected, isCheckpoint } = headingsOf(message);
    if (isProtected) positions.add(message.position);
    if (isCheckpoint) checkpoint = message.position;
  }
  if (checkpoint >= 0) positions.add(checkpoint);
  return positions;
}

interface Headings {
  /** Of a SESSION_LOG or a persona. */
  readonly isProtected: boolean;
  readonly isCheckpoint: boolean;
}

const NO_HEADINGS: Headings = { isProtected: false, isCheckpoint: false };
/** Each attempt at a plan asks for them, and every later compaction. */
const headingsBy = new WeakMap<Message, Headings>();

function headingsOf(message: Message): Headings {
  let headings = headingsBy.get(message);
  if (headings === undefined) {
    headings = readHeadings(message);
    headingsBy.set(message, headings);
  }
  return headings;
}

function readHeadings({ parts }: Message): Headings {
  let headings = NO_HEADINGS;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (part.type !== "text" && part.type !== "tool-result") continue;
    const start = part.text.slice(0, LOOKED_AT_CHARS);
    if (!WORDS.test(start)) continue;
    headings = {
      isProtected: headings.isProtected || SESSION_LOG.test(start) || PERSONA.test(start),
      isCheckpoint: headings.isCheckpoint || CHECKPOINT.test(start),
    };
  }
  return headings;
}

/** Looks only where a heading of such a document would be, so that a megabyte of output costs no scan. */
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
