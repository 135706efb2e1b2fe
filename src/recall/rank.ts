/** rank: how well a message answers a question: what it says, what it means, who says it, where and when, in one number. */
import type { Candidate } from "../archive/archive.ts";
import type { Question } from "./question.ts";
import { type MessageVoice, voiceOf } from "./voice.ts";

/** What is known of a message beside a question. */
export interface Evidence {
  readonly message: Pick<Candidate, "role" | "tools" | "text" | "position" | "at">;
  /** See `WordMatch`. */
  readonly words: number;
  /** The same of the message before it, 0 where that was not found: what a message is about is often there. */
  readonly wordsBefore: number;
  /** The share of the question's names, paths and numbers that it has, rare ones counting more; 0 to 1. */
  readonly fragments: number;
  /** The cosine of its nearest passage, where there are vectors. */
  readonly cosine?: number;
}

/** Higher is better; comparable within one answer only. @param newest the time of the newest message beside it */
export function rank(
  question: Question,
  { message, words, wordsBefore, fragments, cosine }: Evidence,
  newest: number,
): number {
  const said =
    cosine === undefined
      ? words + BEFORE * wordsBefore
      : WORDS_BESIDE_VECTORS * words + BEFORE_BESIDE_VECTORS * wordsBefore + COSINE * cosine;
  const place = message.position / (message.position + OPENING_MESSAGES);
  const age = Math.max(0, newest - message.at) / HALF_LIFE_MS;
  return (
    said + FRAGMENTS * fragments + priorOf(voiceOf(message), question) + LATER * place + RECENCY * 2 ** -age
  );
}

// Weights: fitted to the questions in eval/recall-questions, tested on conversations left out, then rounded. See docs/recall.md.
const WORDS_BESIDE_VECTORS = 0.7;
const COSINE = 1.6;
const BEFORE = 0.3;
const BEFORE_BESIDE_VECTORS = 0.4;
const BY_USER = 0.2;
const SAID_BY_USER = 0.2;
const BY_USER_WHO_IS_ASKED_ABOUT = 0.35;
/** What a person wants is no answer to "how many" and "was it". */
const BY_USER_WHERE_A_FACT_IS = -0.4;
const BY_ASSISTANT = 0.4;
const SAID_BEFORE_A_CALL = 0.38;
const CALL_ALONE = -0.14;
const INSTRUCTIONS = -0.2;
/** The first messages say what all the others are about: they have the words of every question and few of the answers. */
const LATER = 0.55;
const OPENING_MESSAGES = 3;
/** Whoever gives a name wants the message that has it. */
const FRAGMENTS = 0.6;
/** Decides between messages that are about as good. */
const RECENCY = 0.03;
const HALF_LIFE_MS = 14 * 24 * 3_600_000;

/** People ask for what was said more often than for what was printed. */
function priorOf({ by, says }: MessageVoice, { isAboutPeople, asksForFact }: Question): number {
  if (by === "user") {
    const asked = isAboutPeople ? BY_USER_WHO_IS_ASKED_ABOUT : 0;
    return BY_USER + SAID_BY_USER * says + asked + (asksForFact ? BY_USER_WHERE_A_FACT_IS : 0);
  }
  if (by === "assistant") return BY_ASSISTANT;
  if (by === "call") return says > 0 ? SAID_BEFORE_A_CALL * says : CALL_ALONE;
  return by === "output" ? 0 : INSTRUCTIONS;
}
