/** What no stage may summarise although nobody pinned it: SESSION_LOG content, persona definitions, the active state checkpoint (F30). */
import type { Message } from "./message.ts";
import type { Part } from "./part.ts";

/** Positions of protected messages among those that count. Of several checkpoints only the newest is active. */
export function protectedPositions(
  messages: readonly Message[],
  counts: (message: Message) => boolean = () => true,
): ReadonlySet<number> {
  const positions = new Set<number>();
  let checkpoint = -1;
  for (const { message, isProtected, isCheckpoint } of headedOf(messages)) {
    if (!counts(message)) continue;
    if (isProtected) positions.add(message.position);
    if (isCheckpoint) checkpoint = message.position;
  }
  if (checkpoint >= 0) positions.add(checkpoint);
  return positions;
}

/** A message under one of the headings. */
interface Headed {
  readonly message: Message;
  /** Of a SESSION_LOG or a persona. */
  readonly isProtected: boolean;
  readonly isCheckpoint: boolean;
}

/** Remembered by the list: each attempt at a plan asks for them. */
const headedByList = new WeakMap<readonly Message[], readonly Headed[]>();

/** Hardly any message has a heading, system prompts aside. */
function headedOf(messages: readonly Message[]): readonly Headed[] {
  let headed = headedByList.get(messages);
  if (headed === undefined) {
    headed = findHeaded(messages);
    headedByList.set(messages, headed);
  }
  return headed;
}

function findHeaded(messages: readonly Message[]): readonly Headed[] {
  const found: Headed[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    if (message.role === "system") continue;
    const { parts } = message;
    for (let part = 0; part < parts.length; part++) addHeaded(message, parts[part]!, found);
  }
  return found;
}

function addHeaded(message: Message, part: Part, found: Headed[]): void {
  if (part.type !== "text" && part.type !== "tool-result") return;
  const start = part.text.slice(0, LOOKED_AT_CHARS);
  if (!MARKED_WORD.test(start)) return;
  const isProtected = SESSION_LOG.test(start) || PERSONA.test(start);
  const isCheckpoint = CHECKPOINT.test(start);
  if (isProtected || isCheckpoint) found.push({ message, isProtected, isCheckpoint });
}

/** Looks only where a heading of such a document would be, so that a megabyte of output costs no scan. */
const LOOKED_AT_CHARS = 400;

/** Every heading that counts begins so, at its mark; most texts have none and cost no more than this look. */
const MARKED_WORD = /(?:# *(?:\*\*)?|\*\*|\[)(?:session|token|active|state|agent|system|persona)/i;

/** A heading, in a file that a tool printed with line numbers too. */
const heading = (words: string) =>
  new RegExp(`^(?: *\\d+[→\\t|:] ?)?(?:#+ *(?:\\*\\*)?|\\*\\*|\\[)(?:${words})\\b`, "im");

/** How the content of a SESSION_LOG begins; a summarizer does not get to see it either (F24). */
export const SESSION_LOG = heading("session[ _-]log|token usage @ (?=\\d)");
const CHECKPOINT = heading("(?:active )?state[ _-]checkpoints?");
const PERSONA = heading("(?:agent |system )?persona(?: definitions?)?");
