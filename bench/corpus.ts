/** Corpus: conversations of a wanted size, made of recorded coding sessions, or of the example where there are none. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { recordings } from "../test/recordings.ts";

type WireMessage = Record<string, unknown>;

/** Messages of session after session from the `first` on, ids made unique, until `enough` says so; in the openai format. */
export async function longConversation(
  enough: (messages: readonly WireMessage[]) => boolean,
  first = 0,
): Promise<WireMessage[]> {
  const messages: WireMessage[] = [];
  let order = 0;
  for await (const session of sessions()) {
    if (order++ < first) continue;
    for (const message of session) {
      messages.push(message);
      if (message.role !== "assistant" && enough(messages)) return closeLastGroup(messages);
    }
  }
  return messages;
}

async function* sessions(): AsyncGenerator<readonly WireMessage[]> {
  let order = 0;
  for await (const { messages } of recordings(["coding-sessions", "derived-openai"])) {
    yield (messages as WireMessage[]).map((message) => withUniqueIds(message, order));
    order++;
  }
  const example: WireMessage[] = JSON.parse(
    readFileSync(join(import.meta.dirname, "../examples/coding-session.json"), "utf8"),
  );
  for (;;) {
    const copy = order++;
    yield example.map((message) => withUniqueIds(varied(message, copy), copy));
  }
}

function withUniqueIds(message: WireMessage, order: number): WireMessage {
  const calls = message.tool_calls as readonly WireMessage[] | undefined;
  return {
    ...message,
    ...(calls && { tool_calls: calls.map((call) => ({ ...call, id: `s${order}-${call.id}` })) }),
    ...(message.tool_call_id !== undefined && { tool_call_id: `s${order}-${message.tool_call_id}` }),
  };
}

/** The same message with every third longer word changed, so that no two copies count as the same text. */
function varied(message: WireMessage, copy: number): WireMessage {
  if (typeof message.content !== "string") return message;
  let word = copy;
  const content = message.content.replace(/[A-Za-z]{6,}/g, (found) =>
    word++ % 3 === 0 ? `${found}${copy}` : found,
  );
  return { ...message, content };
}

/** A conversation cut inside a tool group loses that group, so that it is a valid request. */
function closeLastGroup(messages: WireMessage[]): WireMessage[] {
  let end = messages.length;
  while (end > 0 && messages[end - 1]!.role !== "assistant") end--;
  const calls = (messages[end - 1]?.tool_calls as readonly unknown[] | undefined)?.length ?? 0;
  const answers = messages.slice(end).filter((message) => message.role === "tool").length;
  return answers < calls ? messages.slice(0, end - 1) : messages;
}
