/** rank: how well a message answers a question: what it says, what it means, who wrote it and how new it is, in one number. */
import type { Candidate } from "../archive/archive.ts";
import type { Question } from "./question.ts";

/** What is known of a message beside a question. */
export interface Evidence {
  readonly message: Pick<Candidate, "role" | "tools" | "at">;
  /** See `WordMatch`. */
  readonly words: number;
  /** The share of the question's names, paths and numbers that it has, rare ones counting more; 0 to 1. */
  readonly fragments: number;
  /** The cosine of its nearest passage, where there are vectors. */
  readonly cosine?: number;
}

/** Higher is better; comparable within one answer only. @param newest the time of the newest message beside it */
export function rank(
  question: Question,
  { message, words, fragments, cosine }: Evidence,
  newest: number,
): number {
  const said = cosine === undefined ? words : WORDS_BESIDE_VECTORS * words + COSINE * cosine;
  const age = Math.max(0, newest - message.at) / HALF_LIFE_MS;
  return said + FRAGMENTS * fragments + priorOf(message, question) + RECENCY * 2 ** -age;
}

// Weights: fitted on the development half of the questions in eval/recall-questions, then rounded. See docs/recall.md.
const WORDS_BESIDE_VECTORS = 0.7;
const COSINE = 1.2;
const BY_USER = 0.2;
const BY_USER_WHO_IS_ASKED_ABOUT = 0.43;
const BY_ASSISTANT = 0.32;
const WITH_CALLS = 0.1;
const BY_OTHERS = -0.1;
/** Whoever gives a name wants the message that has it. */
const FRAGMENTS = 0.6;
/** Decides between messages that are about as good. */
const RECENCY = 0.03;
const HALF_LIFE_MS = 14 * 24 * 3_600_000;

/** People ask for what was said more often than for what was printed. */
function priorOf({ role, tools }: Evidence["message"], { isAboutPeople }: Question): number {
  if (role === "user") return isAboutPeople ? BY_USER_WHO_IS_ASKED_ABOUT : BY_USER;
  if (role === "assistant") return tools.length > 0 ? WITH_CALLS : BY_ASSISTANT;
  return role === "tool" ? 0 : BY_OTHERS;
}
