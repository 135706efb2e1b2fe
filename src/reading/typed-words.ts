/** What a person typed in a message, without what programs put around it or in its place. */
import { CONTINUED } from "../conversation/handoffs/other-summaries.ts";
import type { Message } from "../conversation/message.ts";
import { INTERRUPTION, ORIGINS, SLASH_COMMAND, STEERING } from "./agents/program-tags.ts";
import { withoutProgramBlocks } from "./program-blocks.ts";
import { isSaidByPerson, userWordsOf } from "./user-words.ts";

/** How a message under the user's role is to be read. */
export type Speech =
  | { readonly by: "person"; readonly words: string }
  /** The person stopped the agent, with or without a word. */
  | { readonly by: "person"; readonly words: string; readonly interrupts: true }
  /** The summary of another program. */
  | { readonly by: "summary"; readonly words: string }
  /** What a program printed there; `origin` says where it comes from. */
  | { readonly by: "program"; readonly words: string; readonly origin: string }
  | { readonly by: "nobody" };

const NOBODY: Speech = { by: "nobody" };
const memo = new WeakMap<Message, Speech>();

export function speechOf(message: Message): Speech {
  if (message.role !== "user") return NOBODY;
  let speech = memo.get(message);
  if (!speech) {
    speech = readSpeech(userWordsOf(message));
    memo.set(message, speech);
  }
  return speech;
}

function readSpeech(words: string): Speech {
  if (words === "") return NOBODY;
  const interruption = INTERRUPTION.exec(words);
  if (interruption) {
    return { by: "person", words: typed(words.slice(interruption[0].length)), interrupts: true };
  }
  if (CONTINUED.test(words)) return { by: "summary", words };
  const own = typed(words);
  if (STEERING.test(own)) return NOBODY;
  if (own !== "" && isSaidByPerson(own) && originOf(own) === undefined) return { by: "person", words: own };
  return { by: "program", words, origin: originOf(words) ?? "" };
}

/** Of a user's words those that were typed; all of them where a program wrote everything. */
export function typedIn(words: string): string {
  return typed(words) || words;
}

function typed(words: string): string {
  if (!words.includes("<")) return words.trim();
  return withoutProgramBlocks(words)
    .replace(SLASH_COMMAND, (_, name?: string, args?: string, input?: string) =>
      input === undefined ? (name?.trim() ?? args ?? "") : `! ${input}`,
    )
    .trim();
}

function originOf(words: string): string | undefined {
  const start = words.slice(0, LOOKED_AT);
  for (const [pattern, name] of ORIGINS) {
    const match = pattern.exec(start);
    if (match) return name(match);
  }
  return undefined;
}

const LOOKED_AT = 2_000;
