/** measure: how many questions a search answers: a right message among its first five. */
import { isHeldOut, type RecallQuestion } from "./questions.ts";

export interface FoundMessage {
  readonly conversationId: string;
  readonly message: number;
}

export type Search = (asked: {
  readonly query: string;
  readonly conversationId?: string;
  readonly limit: number;
}) => Promise<readonly FoundMessage[]>;

export type Scope = "one conversation" | "all conversations";
export type Half = "development" | "held out" | "all";

/** The share of questions answered. */
export type Shares = Readonly<Record<Scope, Readonly<Record<Half, number>>>>;

export const SCOPES: readonly Scope[] = ["one conversation", "all conversations"];
export const HALVES: readonly Half[] = ["development", "held out", "all"];

const FIRST = 5;

export async function measure(search: Search, questions: readonly RecallQuestion[]): Promise<Shares> {
  const shares = async (scope: Scope): Promise<Record<Half, number>> => {
    const answered: { readonly heldOut: boolean; readonly right: boolean }[] = [];
    for (const question of questions) {
      const asked = { query: question.question, limit: FIRST };
      const found = await search(
        scope === "one conversation" ? { ...asked, conversationId: question.conversation } : asked,
      );
      answered.push({ heldOut: isHeldOut(question), right: found.slice(0, FIRST).some(isRight(question)) });
    }
    return {
      development: shareOf(answered.filter(({ heldOut }) => !heldOut)),
      "held out": shareOf(answered.filter(({ heldOut }) => heldOut)),
      all: shareOf(answered),
    };
  };
  return {
    "one conversation": await shares("one conversation"),
    "all conversations": await shares("all conversations"),
  };
}

function isRight({ conversation, answers }: RecallQuestion) {
  return (found: FoundMessage): boolean =>
    found.conversationId === conversation && answers.includes(found.message);
}

function shareOf(answered: readonly { readonly right: boolean }[]): number {
  return answered.filter(({ right }) => right).length / Math.max(1, answered.length);
}
