/** Signed thinking is bound to what it was signed with: it stays as it was, where it was, or goes. */
import type { Message } from "../../conversation/message.ts";
import type { WireObject } from "../../json/wire-value.ts";
import { formatNamed } from "../detect.ts";
import { isOutput, typeOf } from "../openai-responses/read.ts";
import type { Faults } from "./fault.ts";

/** Faults where `after` holds signed thinking that `before` did not have in a message of the same calls and texts. */
export function keptThinking(before: unknown, after: unknown, format: string, faults: Faults): void {
  const { read } = formatNamed(format);
  const known = new Set(read(before).messages.flatMap(signedOf));
  read(after).messages.forEach((message, index) => {
    for (const signed of signedOf(message)) {
      if (!known.has(signed))
        faults.add(
          "thinking",
          `messages[${index}]`,
          "Its signed thinking is not what the provider signed, or is in another place.",
        );
    }
  });
}

/** Items that the Responses API knows by their ids to have come with thinking are refused without it. */
export function thinkingOfKnownItems(
  before: readonly WireObject[],
  after: readonly WireObject[],
  faults: Faults,
): void {
  const left = new Set(after.map(({ id }) => id));
  let thoughts: readonly unknown[] = [];
  const orphans = new Set<unknown>();
  for (const item of before) {
    const type = typeOf(item);
    if (isOutput(type) || (type === "message" && item.role !== "assistant")) thoughts = [];
    else if (type === "reasoning") thoughts = [...thoughts, item.id];
    else if (item.id !== undefined && thoughts.some((id) => !left.has(id))) orphans.add(item.id);
  }
  after.forEach(({ id }, index) => {
    if (orphans.has(id))
      faults.add("thinking", `input[${index}]`, `The thinking that ${JSON.stringify(id)} came with is gone.`);
  });
}

/** Each piece of signed thinking with the calls of its message: the provider checks them together. */
function signedOf({ parts, raw }: Message): readonly string[] {
  const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part.pairId] : [])).join(" ");
  const blocks = Array.isArray(raw?.value) ? raw.value : contentOf(raw?.value);
  return blocks.flatMap((block) => (isSigned(block) ? [`${calls}\n${JSON.stringify(block)}`] : []));
}

function contentOf(value: unknown): readonly unknown[] {
  const content =
    typeof value === "object" && value !== null && "content" in value ? value.content : undefined;
  return Array.isArray(content) ? content : [];
}

function isSigned(block: unknown): boolean {
  if (typeof block !== "object" || block === null || !("type" in block)) return false;
  return block.type === "thinking" || block.type === "redacted_thinking" || block.type === "reasoning";
}
