/** pith/validate: whether a provider would take a request, by the rules of its wire format. */

import "../../needed-node.ts";
import { isObject, type WireObject } from "../../json/wire-value.ts";
import { checkAnthropicMessages } from "../anthropic-messages/rules.ts";
import { bodyValue, readBody } from "../body.ts";
import { detectFormat, formatNamed } from "../detect.ts";
import { refuseOther } from "../no-conversation.ts";
import { checkOpenAIChat } from "../openai-chat/rules.ts";
import { checkOpenAIResponses } from "../openai-responses/rules.ts";
import { checkAlternation, objectsIn } from "./common.ts";
import { createFaults, type Fault, type Faults } from "./fault.ts";
import { keptThinking, thinkingOfKnownItems } from "./signed-thinking.ts";

export type { Fault, Rule } from "./fault.ts";

export interface ValidateOptions {
  /** @default "auto" */
  readonly format?: string;
  /** The request that this one was made from: signed thinking that is left must be what it was, in its place. */
  readonly before?: unknown;
  /**
   * Two messages of one role in a row are a fault, too, in a format whose speakers take turns. Its provider combines them; Pith
   * writes none.
   * @default false
   */
  readonly alternate?: boolean;
}

export interface Validation {
  readonly format: string;
  readonly valid: boolean;
  readonly faults: readonly Fault[];
}

type Check = (body: WireObject, messages: readonly WireObject[], faults: Faults) => void;

const CHECKS: Readonly<Record<string, Check>> = {
  "openai-chat": checkOpenAIChat,
  "anthropic-messages": checkAnthropicMessages,
  "openai-responses": checkOpenAIResponses,
};

/**
 * Checks a request body, or a bare list of messages, given as text or as a value.
 *
 *     validateRequest([{ role: "tool", tool_call_id: "x", content: "" }]).faults[0].rule → "pairing"
 *
 * Throws InputError when it is no conversation, or cannot be read at all.
 */
export function validateRequest(
  input: unknown,
  { format = "auto", before, alternate = false }: ValidateOptions = {},
): Validation {
  const read = readBody(input);
  const value = bodyValue(read);
  const { name, alternates } = format === "auto" ? detectFormat(value) : formatNamed(format);
  refuseOther(read.values, name);
  const body = isObject(value) ? value : {};
  const faults = createFaults();
  if (read.values.length === 0 && name !== "openai-responses")
    faults.add("content", read.key, "There are no messages.");
  CHECKS[name]!(body, objectsIn(read.values), faults);
  if (alternate && alternates) checkAlternation(objectsIn(read.values), read.key, faults);
  if (before !== undefined) keptThinking(before, input, name, faults);
  if (before !== undefined && name === "openai-responses")
    thinkingOfKnownItems(objectsIn(readBody(before).values), objectsIn(read.values), faults);
  return { format: name, valid: faults.list.length === 0, faults: faults.list };
}
