import { join } from "node:path";
import { expect, test } from "vitest";
import { recordingsFolder, recordsOf as recordsIn } from "../../test/recordings.ts";
import { type Conversation, withMessages } from "../conversation/conversation.ts";
import { type Message, toolCallsOf, toolResultsOf, withParts } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { convertConversation } from "./convert.ts";
import { readConversation, writeConversation } from "./detect.ts";

interface Line {
  readonly type?: string;
  readonly message?: { readonly id?: string; readonly content?: unknown };
}

interface RecordedConversation {
  readonly system?: string;
  readonly messages: readonly Line[];
}

const recordsOf = (file: string) =>
  recordsIn(join(recordingsFolder, file)) as AsyncGenerator<RecordedConversation>;

/** The API messages of a Claude Code session: one reply is logged as several lines of the same message id. */
function apiMessages(lines: readonly Line[]): readonly unknown[] {
  const messages: { id?: string | undefined; role?: string; content?: unknown }[] = [];
  for (const { type, message } of lines) {
    if ((type !== "user" && type !== "assistant") || message === undefined) continue;
    const last = messages.at(-1);
    if (
      message.id !== undefined &&
      last?.id === message.id &&
      Array.isArray(last.content) &&
      Array.isArray(message.content)
    ) {
      last.content = [...last.content, ...message.content];
    } else messages.push({ ...message });
  }
  return messages;
}

/** Read, then written, nothing is different: not a value, not a character. */
function expectIdentity(body: unknown, format: string): Conversation {
  const read = readConversation(body, { format });
  expect(writeConversation(read)).toBe(body);
  for (const text of [JSON.stringify(body), JSON.stringify(body, null, 1)]) {
    const fromText = readConversation(text, { format });
    expect(writeConversation(fromText)).toBe(text);
    expect(fromText.messages.length).toBe(read.messages.length);
  }
  return read;
}

/** With every other message removed and the rest rewritten from equal parts, the wire says the same. */
function expectRewriting(read: Conversation): void {
  const kept = read.messages.filter((message, index) => message.role === "system" || index % 2 === 0);
  const copied = kept.map((message) => withParts(message, message.parts.map(copy)));
  const written = writeConversation(withMessages(read, copied));
  expect(contents(readConversation(written, { format: read.format }))).toEqual(
    contents(withMessages(read, kept)),
  );
}

/** A new part of the same words; what has no words, or is sealed, is passed on as it is. */
function copy(part: Part): Part {
  const isWordy = part.type === "text" || part.type === "tool-call" || part.type === "tool-result";
  return isWordy && !(part.type === "text" && part.text.trim() === "") ? { ...part } : part;
}

function contents({ messages }: Conversation): unknown {
  return messages.map(({ role, parts }: Message) => ({ role, parts }));
}

test.each([
  "coding-sessions.jsonl.br",
  "derived-openai.jsonl.gz",
  "livemcpbench.jsonl.gz",
  "tau-bench-airline.jsonl.gz",
  "openhands-llm-log.jsonl.gz",
])("every conversation of %s survives reading and writing, in both formats", async (file) => {
  for await (const { messages } of recordsOf(file)) {
    const read = expectIdentity(messages, "openai-chat");
    expect(readConversation(messages).format).toBe("openai-chat");
    expectRewriting(read);
    const converted = convertConversation(read, "anthropic-messages");
    const body = writeConversation(converted);
    expectIdentity(body, "anthropic-messages");
    expectRewriting(converted);
    expect(idsOf(converted)).toEqual(idsOf(read));
  }
});

test("the recorded Cline session survives reading and writing", async () => {
  for await (const { system, messages } of recordsOf("cline-session.jsonl.gz")) {
    expect(readConversation({ system, messages }).format).toBe("anthropic-messages");
    expectRewriting(expectIdentity({ system, messages }, "anthropic-messages"));
  }
});

test.each(["claude-code-log.jsonl.gz", "claude-code-oh-my-posh.jsonl.gz"])(
  "every API message of %s survives reading and writing",
  async (file) => {
    for await (const { messages } of recordsOf(file)) {
      const api = apiMessages(messages);
      expectRewriting(expectIdentity(api, "anthropic-messages"));
    }
  },
);

function idsOf({ messages }: Conversation): unknown {
  return {
    calls: messages.flatMap(toolCallsOf).map((call) => call.pairId),
    results: messages.flatMap(toolResultsOf).map((result) => [result.pairId, result.text]),
  };
}
