/** Conversion: the same conversation in another wire format, mechanically. */
import { type Conversation, withMessages } from "../conversation/conversation.ts";
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import type { WireObject } from "../json/wire-value.ts";
import { anthropicMessages } from "./anthropic-messages/format.ts";
import { carryMedia, convertTool, nameCalls } from "./convert-parts.ts";
import { formatNamed } from "./detect.ts";
import type { Format } from "./format.ts";
import { openAIResponses } from "./openai-responses/format.ts";

/**
 * The conversation as `formatName` would have it: a body with its messages. Prose, calls and results, images, tools and
 * the model's name are carried over; thinking is not, because it is signed for one provider.
 */
export function convertConversation(conversation: Conversation, formatName: string): Conversation {
  const target = formatNamed(formatName);
  if (target.name === conversation.format) return conversation;
  const messages = conversation.messages.map((message) => ({
    ...message,
    parts: message.parts.filter((part) => !isLeftOut(part)).map((part) => carryMedia(part, target.name)),
  }));
  const tools = conversation.tools.map((tool) => convertTool(tool, target));
  return target.read({
    ...(conversation.model === undefined ? {} : { model: conversation.model }),
    ...(tools.length === 0 ? {} : { tools }),
    ...bodyFor(target, messages),
  });
}

function bodyFor(target: Format, messages: readonly Message[]): WireObject {
  if (target === anthropicMessages) return anthropicBody(messages);
  const key = target === openAIResponses ? "input" : "messages";
  return { [key]: target.write(withMessages(target.read([]), answersApart(messages, target))) };
}

/** Thinking, and text that says nothing. */
function isLeftOut(part: Part): boolean {
  return part.type === "reasoning" || (part.type === "text" && part.text.trim() === "");
}

/** Leading system messages go into `system`; results into user messages; neighbours of one role become one. */
function anthropicBody(messages: readonly Message[]): WireObject {
  const first = messages.findIndex((message) => message.role !== "system");
  const start = first < 0 ? messages.length : first;
  const leading = messages.slice(0, start).flatMap((message) => message.parts);
  const system = leading.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n\n");
  const merged: { readonly role: "user" | "assistant"; readonly parts: Part[] }[] = [];
  for (const { role, parts } of nameCalls(messages.slice(start))) {
    if (parts.length === 0) continue;
    const speaker = role === "assistant" || role === "other" ? "assistant" : "user";
    const last = merged.at(-1);
    if (last?.role === speaker) last.parts.push(...parts);
    else merged.push({ role: speaker, parts: [...parts] });
  }
  const created = merged.map(({ role, parts }) => anthropicMessages.create(role, parts));
  return {
    ...(system === "" ? {} : { system }),
    messages: anthropicMessages.write(withMessages(anthropicMessages.read([]), created)),
  };
}

/** Results leave the user's messages and become messages of their own, before what else the user said. */
function answersApart(messages: readonly Message[], target: Format): readonly Message[] {
  return messages.flatMap(({ role, parts }) => {
    const said = parts.filter((part) => part.type !== "tool-result");
    const results = parts.filter((part) => part.type === "tool-result");
    const answers = results.map((part) => target.create("tool", [part]));
    if (said.length === 0) return answers;
    // Another role is an agent's, one of several.
    const speaker = role === "other" ? "assistant" : role;
    const speech = target.create(speaker, said);
    return speaker === "assistant" ? [speech, ...answers] : [...answers, speech];
  });
}
