/** Messages to fill an archive with: words as frequent as in speech, paths and numbers, the same in every run. */
import type { ArchiveWrite } from "../src/archive/archive.ts";
import { archiveItem } from "../src/archive/item-id.ts";

/** A source of numbers from 0 to 1 that gives the same ones for the same seed. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The more frequent, the lower the rank: a word of 30,000 by Zipf's law. */
export function word(random: () => number): string {
  return `w${Math.floor(30_000 ** random()).toString(36)}`;
}

export const MESSAGES_PER_WRITE = 2_000;

/** An archive with so many messages. */
export interface Filled {
  readonly file: string;
  readonly messages: number;
  /** What filling it took. */
  readonly seconds: number;
}

const ROLES = ["user", "assistant", "tool"] as const;

/** The write of a given order: a whole conversation of short messages. */
export function shortWrite(order: number): ArchiveWrite {
  const random = numbers(order + 1);
  const texts = Array.from({ length: MESSAGES_PER_WRITE }, (_, index) => {
    const words = Array.from({ length: 6 + Math.floor(random() * 12) }, () => word(random)).join(" ");
    return `${words} src/${word(random)}/file-${order}-${index}.ts:${Math.floor(random() * 1000)}`;
  });
  return writeOf(`conversation-${order}`, texts);
}

/** Texts as a write of messages. */
export function writeOf(conversation: string, texts: readonly string[], first = 0): ArchiveWrite {
  const items = texts.map((text, index) =>
    archiveItem("message", JSON.stringify({ role: ROLES[index % ROLES.length], content: text })),
  );
  return {
    conversation,
    at: first + 1,
    items,
    messages: items.map(({ id }, index) => ({
      position: first + index,
      id,
      role: ROLES[index % ROLES.length]!,
      tools: [],
      text: texts[index]!,
      at: first + index,
    })),
  };
}
