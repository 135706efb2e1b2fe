/** OpenInference messages: numbered attributes of a span, such as `llm.input_messages.3.message.content`. */
import { firstText, type WireObject } from "../json/wire-value.ts";

export interface FlatMessage {
  readonly side: "input" | "output";
  /** What its attributes' names start with, up to `message.`. */
  readonly prefix: string;
  readonly role: string;
  readonly content: string;
  readonly toolCallId: unknown;
  readonly calls: readonly FlatCall[];
}

export interface FlatCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** The attribute of its arguments. */
  readonly key: string;
}

const MESSAGE = /^llm\.(input|output)_messages\.(\d+)\.message\./;
const CALL = /^tool_calls\.(\d+)\.tool_call\.(id|function\.name|function\.arguments)$/;

/** What was sent, in order, and what was answered. */
export function flatMessages(attributes: WireObject): readonly FlatMessage[] {
  const found = new Map<string, { readonly side: "input" | "output"; readonly number: number }>();
  for (const key of Object.keys(attributes)) {
    const match = MESSAGE.exec(key);
    if (match) found.set(match[0], { side: match[1] as "input" | "output", number: Number(match[2]) });
  }
  return [...found]
    .sort(([, a], [, b]) => a.side.localeCompare(b.side) || a.number - b.number)
    .map(([prefix, { side }]) => ({
      side,
      prefix,
      role: firstText(attributes[`${prefix}role`]) || "user",
      content: firstText(attributes[`${prefix}content`]),
      toolCallId: attributes[`${prefix}tool_call_id`],
      calls: callsUnder(attributes, prefix),
    }));
}

function callsUnder(attributes: WireObject, prefix: string): readonly FlatCall[] {
  const numbers = new Set<number>();
  for (const key of Object.keys(attributes)) {
    const match = key.startsWith(prefix) ? CALL.exec(key.slice(prefix.length)) : null;
    if (match && match[2] === "function.arguments") numbers.add(Number(match[1]));
  }
  return [...numbers]
    .sort((a, b) => a - b)
    .map((number) => {
      const at = `${prefix}tool_calls.${number}.tool_call.`;
      return {
        id: firstText(attributes[`${at}id`]),
        name: firstText(attributes[`${at}function.name`]),
        input: attributes[`${at}function.arguments`],
        key: `${at}function.arguments`,
      };
    });
}

/** The attributes with only these messages, numbered anew, and the new texts after the system prompt. */
export function withNumberedMessages(
  attributes: WireObject,
  messages: readonly FlatMessage[],
  told: readonly { readonly text: string; readonly role: string }[],
): WireObject {
  const rest = Object.entries(attributes).filter(([key]) => !MESSAGE.test(key));
  const first = rest.findIndex(([key]) => key > "llm.input_messages");
  const written: [string, unknown][] = [];
  const numbers = { input: 0, output: 0 };
  const tell = () => {
    for (const { text, role } of told) {
      const prefix = `llm.input_messages.${numbers.input++}.message.`;
      written.push([`${prefix}content`, text], [`${prefix}role`, role]);
    }
  };
  let isTold = false;
  for (const { side, prefix, role } of messages) {
    if (!isTold && (role !== "system" || side === "output")) {
      isTold = true;
      tell();
    }
    const next = `llm.${side}_messages.${numbers[side]++}.message.`;
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith(prefix)) written.push([`${next}${key.slice(prefix.length)}`, value]);
    }
  }
  if (!isTold) tell();
  const at = first < 0 ? rest.length : first;
  return Object.fromEntries([...rest.slice(0, at), ...written, ...rest.slice(at)]);
}
