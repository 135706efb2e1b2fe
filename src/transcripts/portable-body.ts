/** Portable body: a transcript's conversation as a request that the Anthropic API would take. */
import type { WireObject } from "../json/wire-value.ts";
import type { TranscriptBody } from "./transcript.ts";
import { FOREIGN_SIGNATURE } from "./wire-body.ts";

/**
 * The body as the Anthropic API would take it: without thoughts that it did not sign, and without images that the file
 * only names. For handing the conversation on, as `pith convert` does.
 */
export function portableBody(body: TranscriptBody): TranscriptBody {
  return {
    ...body,
    messages: joined(
      (body.messages as readonly BlockMessage[]).map(({ role, content }) => ({
        role,
        content: content.filter(isPortable).map(portableBlock),
      })),
    ),
  };
}

interface BlockMessage {
  readonly role: string;
  readonly content: readonly WireObject[];
}

/** Neighbours of one role become one message, results first; a message of which nothing is left goes. */
function joined(messages: readonly BlockMessage[]): readonly BlockMessage[] {
  const whole: BlockMessage[] = [];
  for (const { role, content } of messages) {
    if (content.length === 0) continue;
    const speaker = role === "assistant" ? role : "user";
    const last = whole.at(-1);
    if (last?.role !== speaker) whole.push({ role: speaker, content });
    else whole[whole.length - 1] = { role: speaker, content: resultsFirst([...last.content, ...content]) };
  }
  return whole;
}

function resultsFirst(blocks: readonly WireObject[]): readonly WireObject[] {
  const isResult = ({ type }: WireObject) => type === "tool_result";
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}

function isPortable({ type, signature, source }: WireObject): boolean {
  if (type === "thinking") return signature !== undefined && signature !== FOREIGN_SIGNATURE;
  return type === "image" || type === "document" ? source !== undefined : true;
}

/** Images inside results are known by number only; what the API has no name for becomes text. */
function portableBlock(block: WireObject): WireObject {
  const { type, content, text } = block;
  if (type === "tool_result" && Array.isArray(content)) {
    return { ...block, content: content.filter(isPortable) };
  }
  return KNOWN_BLOCKS.has(type) ? block : { type: "text", text: text === "" ? `[${type}]` : text };
}

const KNOWN_BLOCKS: ReadonlySet<unknown> = new Set([
  "text",
  "thinking",
  "tool_use",
  "tool_result",
  "image",
  "document",
]);
