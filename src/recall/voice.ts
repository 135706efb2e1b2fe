/** Voice: who speaks in a message, which its role tells only half: a tool's result may quote the user, a user's may be a program's. */
import type { Candidate } from "../archive/archive.ts";
import { forEachRun } from "../archive/words.ts";
import { isFunctionWord } from "./rarity.ts";
import { spokenIn } from "./spoken.ts";

export interface MessageVoice {
  /** `call`: an assistant that calls a tool. `output`: what was printed, also where it comes as a user's message. */
  readonly by: "user" | "assistant" | "call" | "output" | "instructions";
  /** How much is said, from 0 towards 1: a user's "go on" is little, a call without a word nothing. */
  readonly says: number;
}

export function voiceOf(message: Pick<Candidate, "role" | "tools" | "text">): MessageVoice {
  const { role, tools, text } = message;
  // Another role is an agent's, one of several.
  if (role === "assistant" || role === "other") {
    if (tools.length === 0) return { by: "assistant", says: 1 };
    const { length } = spokenIn(message);
    return { by: "call", says: length / (length + SOME_CHARS) };
  }
  const isByUser = role === "user" ? !isByProgram(text) : role === "tool" && QUOTED.test(text.slice(0, READ));
  if (isByUser) return { by: "user", says: tellingShare(text) };
  return { by: role === "tool" || role === "user" ? "output" : "instructions", says: 1 };
}

const READ = 1_000;
const SOME_CHARS = 80;
const SOME_WORDS = 5;

/** What a refusal to run a tool says in place of its result, with what the user said instead. */
const QUOTED = /the user said:|user doesn't want to proceed/;
const OPENING_TAG = /^<([a-z][\w-]{0,40})(?:\s[^>\n]{0,200})?>/i;
const BRACKETED = /^\[[^\]\n]*\]$/;
const MOST_TAGS = 50;

/** Agents put what a command printed, or which file is open, into a user's message between tags. */
function isByProgram(text: string): boolean {
  let rest = text.trim();
  for (let tags = 0; tags < MOST_TAGS; tags++) {
    const name = OPENING_TAG.exec(rest)?.[1];
    if (name === undefined) break;
    const closing = rest.indexOf(`</${name}>`);
    if (closing < 0) return false;
    rest = rest.slice(closing + name.length + 3).trimStart();
  }
  return rest === "" || BRACKETED.test(rest);
}

/** By how many different words tell something. */
function tellingShare(text: string): number {
  const words = new Set<string>();
  forEachRun(text.slice(0, READ), (run) => {
    const word = run.toLowerCase();
    if (!isFunctionWord(word) && (word.length > 1 || word > "\u0080")) words.add(word);
  });
  return words.size / (words.size + SOME_WORDS);
}
