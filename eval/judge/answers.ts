/** Answers: how much of what the exam's questions expect is there, and how much of it stands together. */
import { join } from "node:path";
import { cutCases } from "../exam/cut-case.ts";
import { type Question, readExam } from "../exam/exam.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { halfOf } from "../recordings/split.ts";
import type { Share } from "../said/said.ts";
import type { Judge, Score } from "./judge.ts";
import { resultText } from "./result-text.ts";

interface AnswersAsk {
  readonly group: string;
  readonly past: readonly WireMessage[];
  readonly targets: Readonly<Record<string, number>>;
  readonly questions: readonly Question[];
}

export const answers: Judge<AnswersAsk> = {
  *tasks(folder) {
    if (folder === undefined) return;
    for (const cut of cutCases({ cases: readExam(join(folder, "exam")), folder })) {
      const { group, conversation, questions } = cut.case;
      const { past, pastTokens, targetTokens } = cut;
      const targets: Record<string, number> =
        group === "coding"
          ? { summary: targetTokens, tenth: Math.round(pastTokens * 0.1) }
          : { small: targetTokens, "30%": Math.round(pastTokens * 0.3) };
      const ask = { group, past, targets, questions };
      yield { case: conversation, half: halfOf(conversation), ask };
    }
  },
  async measure({ case: own, half, ask: { group, past, targets, questions } }, compact) {
    const scores: Score[] = [];
    for (const [size, target] of Object.entries(targets)) {
      const text = resultText(past, await compact(past, target, size));
      for (const [figure, share] of Object.entries(answersIn(text, questions)))
        scores.push({ row: [figure, group, size, half].join("/"), case: own, ...share });
    }
    return scores;
  },
};

/**
 * The words of the expected answers (gold); of those, the required ones that the question does not give away (asked); of those,
 * what stands within one stretch of 120 words (near); and the quotes that prove the answers (evidence). A question counts as one.
 */
export function answersIn(text: string, questions: readonly Question[]): Readonly<Record<string, Share>> {
  const inOrder = wordsOf(text);
  const there = new Set(inOrder);
  const plain = flat(text);
  const sums = { gold: 0, asked: 0, near: 0 };
  const quotes = questions.map(({ evidence = "" }) => flat(evidence).slice(0, quoteLength)).filter(isLong);
  for (const { question, gold } of questions) {
    const all = new Set(wordsOf(gold));
    const asked = askedOf(question, gold);
    sums.gold += [...all].filter((word) => there.has(word)).length / all.size;
    sums.asked += [...asked].filter((word) => there.has(word)).length / asked.size;
    sums.near += mostTogether(inOrder, asked) / asked.size;
  }
  return {
    gold: { held: sums.gold, all: questions.length },
    asked: { held: sums.asked, all: questions.length },
    near: { held: sums.near, all: questions.length },
    evidence: { held: quotes.filter((quote) => plain.includes(quote)).length, all: quotes.length },
  };
}

/** What an answer requires: after "Required:" where the expected one says so, and not what the question says. */
function askedOf(question: string, gold: string): ReadonlySet<string> {
  const given = new Set(wordsOf(question));
  const required = wordsOf(gold.split("Required:")[1] ?? gold).filter((word) => !given.has(word));
  return new Set(required.length > 0 ? required : wordsOf(gold));
}

/** The most of the wanted words, each counted once, that stand within one stretch of the text. */
function mostTogether(text: readonly string[], wanted: ReadonlySet<string>): number {
  const places = text.flatMap((word, place) => (wanted.has(word) ? [{ word, place }] : []));
  const inside = new Map<string, number>();
  let first = 0;
  let most = 0;
  for (const { word, place } of places) {
    inside.set(word, (inside.get(word) ?? 0) + 1);
    for (; places[first]!.place <= place - stretch; first++) {
      const left = inside.get(places[first]!.word)! - 1;
      if (left === 0) inside.delete(places[first]!.word);
      else inside.set(places[first]!.word, left);
    }
    most = Math.max(most, inside.size);
  }
  return most;
}

const stretch = 120;
const quoteLength = 60;
const isLong = (quote: string): boolean => quote.length >= 12;

/** Words, numbers, paths and identifiers, without the words that say nothing. */
function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_\-./#$]+/gu) ?? [])
    .map((word) => word.replace(/^[.\-/]+/, "").replace(/[.\-/]+$/, ""))
    .filter((word) => word !== "" && !silent.has(word));
}

const silent = new Set(
  "the a an of to in and or is are was were be been for on at by with from as that this it its not no which what who whom how why when where did does do done has have had will would should could can may into than then so if but all any both each only also after before about required out up".split(
    " ",
  ),
);

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}
