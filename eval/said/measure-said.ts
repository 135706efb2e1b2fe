/** Measures what was said in one case, at each of its sizes. */
import type { Case, Target } from "../measure/cases.ts";
import { countedTokens, systemTexts } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { type Said, saidOf } from "./said.ts";

export interface SaidRow extends Said {
  /** As `pith compact --jsonl` is told the job: ID/cut/0.3, ID/recorded/0. */
  readonly id: string;
  readonly strategy: string;
  /** `0.3`, `recorded`: short conversations count with the others of their ratio. */
  readonly size: string;
  readonly outcome: "done" | "over" | "failed";
}

export interface SaidInput {
  readonly case: Case;
  readonly target: Target;
  readonly strategy: string;
  /** Absent: the strategy failed, and holds nothing. */
  readonly messages: readonly WireMessage[] | undefined;
}

export function measureSaid({ case: own, target, strategy, messages }: SaidInput): SaidRow {
  const given = systemTexts(own.past);
  const isOver = messages !== undefined && countedTokens(messages, given) > target.tokens;
  return {
    id: jobId(own, target),
    strategy,
    size: sizeOf(target),
    outcome: messages === undefined ? "failed" : isOver ? "over" : "done",
    ...saidOf(own.past, messages ?? []),
  };
}

export function jobId({ id }: Case, target: Target): string {
  return target.kind === "recorded" ? id : `${id}/${sizeOf(target)}`;
}

function sizeOf({ kind }: Target): string {
  return kind.split(" ").at(-1)!;
}
