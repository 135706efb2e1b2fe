/** An archive of conversations that were lived turn by turn: each grows, and is compacted where that was due. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Archive } from "../../src/archive/archive.ts";
import { importConversation } from "../../src/archive/import-conversation.ts";
import { memoryArchive } from "../../src/archive/memory.ts";
import { createCompactor } from "../../src/compactor.ts";
import { readConversation } from "../../src/providers/detect.ts";
import type { Summarizer } from "../../src/summarizer/summarizer.ts";
import { createTokenCounter } from "../../src/tokens/counter.ts";
import { recordings } from "../recordings.ts";

type Wire = Record<string, unknown>;

export interface Lived {
  readonly conversation: string;
  readonly messages: readonly Wire[];
  /** @default so that it fills twice */
  readonly window?: number;
  readonly summarizer?: Summarizer;
  readonly at?: number;
}

/** How often a conversation is given to the compactor. */
const steps = 30;
/** The newest one first in a list sorted by time. */
const lastDay = Date.UTC(2026, 10, 2, 9, 30);

/** The shipped example, and recorded conversations. */
export async function livedArchive({
  most = 6,
  summarizer,
}: {
  most?: number;
  summarizer?: Summarizer;
} = {}): Promise<Archive> {
  const archive = memoryArchive();
  await live(archive, {
    conversation: "coding-session",
    messages: exampleMessages(),
    at: lastDay,
    ...(summarizer && { summarizer }),
  });
  let order = 0;
  if (most === 0) return archive;
  for await (const { id, messages } of recordings(["derived-openai"])) {
    if (messages.length < 60 || messages.length > 500) continue;
    order++;
    await live(archive, {
      conversation: id,
      messages: messages as readonly Wire[],
      at: lastDay - order * 26_000_000,
    });
    if (order === most) break;
  }
  return archive;
}

export function exampleMessages(): readonly Wire[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, "../../examples/coding-session.json"), "utf8"));
}

/** Every few groups the conversation is given to a compactor, as an agent does before each request. */
export async function live(
  archive: Archive,
  { conversation, messages, window, summarizer, at = lastDay }: Lived,
): Promise<void> {
  let now = at;
  const compactor = createCompactor({
    archive,
    window: window ?? Math.max(12_000, Math.round(tokensOf(messages) * 0.7)),
    clock: () => now,
    ...(summarizer && { summarizer }),
  });
  let context: unknown[] = [];
  let from = 0;
  for (const end of ends(messages)) {
    context.push(...messages.slice(from, end));
    from = end;
    now += 60_000;
    const { messages: output, report } = await compactor.compact(context, {
      conversationId: conversation,
      summarize: summarizer !== undefined,
    });
    if (report.error) throw report.error;
    context = [...(output as unknown[])];
  }
  await importConversation(archive, { conversationId: conversation, body: messages, at: now });
}

function tokensOf(messages: readonly Wire[]): number {
  return createTokenCounter().conversation(readConversation(messages));
}

/** Places where the conversation is a whole request: no call without its result. */
function ends(messages: readonly Wire[]): readonly number[] {
  const wanted = Array.from({ length: steps }, (_, step) =>
    Math.round(((step + 1) * messages.length) / steps),
  );
  const whole = wanted.map((end) => {
    let at = end;
    while (at < messages.length && messages[at]!.role === "tool") at++;
    return at;
  });
  return [...new Set(whole)];
}
