/** Detection: which format a body is in, and reading and writing a conversation without naming one. */
import { type Conversation, withMessages } from "../conversation/conversation.ts";
import { withSkillTexts } from "../conversation/skill-text.ts";
import { InputError } from "../errors/input-error.ts";
import { OptionsError } from "../errors/options-error.ts";
import { anthropicMessages } from "./anthropic-messages/format.ts";
import { bodyValue, readBody } from "./body.ts";
import type { Format } from "./format.ts";
import { refuseOther } from "./no-conversation.ts";
import { openAIChat } from "./openai-chat/format.ts";
import { openAIResponses } from "./openai-responses/format.ts";

/** Every wire format, in order of preference where a body could be either. */
export const formats: readonly Format[] = [openAIChat, anthropicMessages, openAIResponses];

export interface ReadOptions {
  /**
   * The format's name or alias; set it where a conversation is too plain to tell.
   * @default "auto": detected from the body
   */
  readonly format?: string;
  /**
   * It is a part of a conversation, such as messages that were stored: of these none needs a role that is known.
   * @default false
   */
  readonly isPart?: boolean;
}

/** The format of that name or alias. Throws OptionsError when there is none. */
export function formatNamed(name: string): Format {
  const format = formats.find((candidate) => candidate.name === name || candidate.aliases.includes(name));
  if (format !== undefined) return format;
  const names = formats.flatMap((candidate) => [candidate.name, ...candidate.aliases]).join(", ");
  throw new OptionsError(
    "format",
    `There is no format ${JSON.stringify(name)}. Use auto, or one of: ${names}.`,
  );
}

/** The surest format for a parsed body. A plain list of roles and texts is openai-chat. */
export function detectFormat(body: unknown): Format {
  let best: Format | undefined;
  let bestSureness = 0;
  for (const format of formats) {
    const sureness = format.detect(body);
    if (sureness > bestSureness) {
      best = format;
      bestSureness = sureness;
    }
    if (sureness === 1) break;
  }
  if (best !== undefined) return best;
  throw new InputError(
    "Expected a list of messages, or an object with a `messages` or `input` list: no format fits the input.",
  );
}

/**
 * Reads text or a parsed value. Throws InputError where it is no conversation.
 *
 *     readConversation('[{"role":"user","content":"hi"}]').messages[0].role → "user"
 */
export function readConversation(
  input: string | unknown,
  { format = "auto", isPart = false }: ReadOptions = {},
): Conversation {
  const named = format === "auto" ? undefined : formatNamed(format);
  const body = readBody(input);
  const read = (named ?? detectFormat(bodyValue(body))).read(body);
  if (!isPart) refuseOther(body.values, read.format);
  const messages = withSkillTexts(read.messages);
  return messages === read.messages ? read : withMessages(read, messages);
}

/** Writes a conversation back in the kind that it was read from; untouched, it is the very input. */
export function writeConversation(conversation: Conversation): unknown {
  return formatNamed(conversation.format).write(conversation);
}
