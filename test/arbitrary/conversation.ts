/** Arbitrary conversations for property tests: whatever an agent may send on the wire, broken and hostile bodies included. */
import fc from "fast-check";
import { InputError } from "../../src/errors/input-error.ts";
import { readConversation } from "../../src/providers/detect.ts";
import { anthropicPieces } from "./anthropic-messages.ts";
import { openaiPieces } from "./openai-chat.ts";
import { responsesPieces } from "./openai-responses.ts";
import { messagesOf, type Pieces, type Wire } from "./pieces.ts";
import { anyRequest, bodyOf, type WireName, wireNames } from "./request.ts";
import { prose } from "./texts.ts";

export interface GeneratedConversation {
  readonly format: WireName;
  /** A bare list of messages, or a body around it. */
  readonly body: readonly Wire[] | Wire;
  /** Positions as `CompactOptions.pins` takes them. */
  readonly pins: readonly number[];
}

/** Where a format has its messages, and its system prompt where that stands beside them. */
const wires: Readonly<Record<WireName, { pieces: Pieces; list: string; system?: string }>> = {
  "openai-chat": { pieces: openaiPieces, list: "messages" },
  "anthropic-messages": { pieces: anthropicPieces, list: "messages", system: "system" },
  "openai-responses": { pieces: responsesPieces, list: "input", system: "instructions" },
};

/** Any conversation in the format. */
export function conversationIn(format: WireName): fc.Arbitrary<GeneratedConversation> {
  const { pieces, list, system } = wires[format];
  return fc
    .record({
      messages: messagesOf(pieces),
      prompt,
      tools,
      bare: fc.boolean(),
      pinned: fc.array(fc.nat(200), { maxLength: 2 }),
    })
    .map(({ messages, prompt: said, tools: given, bare, pinned }) => {
      const lead = system !== undefined || said === undefined ? [] : [{ role: "system", content: said }];
      const all = [...lead, ...messages];
      const beside = system !== undefined && !bare && said !== undefined ? { [system]: said } : {};
      const body = bare ? all : { ...(given.length > 0 && { tools: given }), ...beside, [list]: all };
      return { body, pinned };
    })
    .filter(({ body }) => isConversation(body, format))
    .map(({ body, pinned }) => {
      const count = readConversation(body, { format }).messages.length;
      const pins = count === 0 ? [] : [...new Set(pinned.map((at) => at % count))];
      return { format, body, pins };
    });
}

/** One in which nobody has a known role is refused before anything is planned. */
function isConversation(body: unknown, format: WireName): boolean {
  try {
    readConversation(body, { format });
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

export function anyConversation(): fc.Arbitrary<GeneratedConversation> {
  return fc.oneof(...wireNames.map(conversationIn));
}

/** Conversations in which a provider would find no fault: turns in order, every call answered. */
export function orderlyConversation(): fc.Arbitrary<GeneratedConversation> {
  return fc.oneof(...wireNames.map(anyRequest)).map((request) => {
    // The floor is computed for the tokenizer of no model in particular.
    const { model: _model, ...body } = bodyOf(request, request.cut);
    return { format: request.format, body, pins: [] };
  });
}

const prompt = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: prose },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, "", []) },
  { weight: 1, arbitrary: prose.map((said) => [{ type: "text", text: said }]) },
);

const tools = fc.constantFrom<readonly unknown[]>(
  [],
  [{ type: "function", function: { name: "read_file" } }],
  [{ name: "read_file", input_schema: { type: "object" } }],
);
