/** compactionView: before and after side by side, with the Stage and the reason of every cut. */
import { MARKER } from "../archive/item-id.ts";
import { handoffIn } from "../conversation/handoffs/separate.ts";
import { textOfMessage } from "../conversation/message.ts";
import { toolNamesOf } from "../conversation/tool-names.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Plan, StageName } from "../plan/plan.ts";
import type { SummaryReport } from "../report/report.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Compared, ComparedMessage, Pair } from "./compared.ts";
import { factsView } from "./facts-view.ts";
import { handOffView } from "./handoff-view.ts";
import { ledgerView } from "./ledger-view.ts";
import { factsOfMessage } from "./message-facts.ts";
import type { AuditView, CompactionRow, CompactionView, SideView, StageView } from "./views.ts";

export interface CompactionToShow {
  readonly conversation: string;
  readonly compared: Compared;
  readonly counter: TokenCounter;
  /** What is known after it, where there is a hand-off. */
  readonly ledger?: Ledger | undefined;
  /** The keys of the hand-offs before it that are ours. */
  readonly ours: ReadonlySet<string>;
}

export function compactionView({
  conversation,
  compared,
  counter,
  ledger,
  ours,
}: CompactionToShow): CompactionView {
  const { plan, notes, pairs } = compared;
  const handOff = handOffView(compared, ledger, counter);
  const text = handOff?.text ?? "";
  const facts = (): CompactionView["ledger"] =>
    plan.handedOff?.sources
      ? factsView(
          pairs.flatMap(({ before }) => before?.message ?? []),
          text,
          ours,
        )
      : ledger
        ? ledgerView(ledger, text)
        : [];
  return {
    conversation,
    preset: plan.preset,
    tokensBefore: plan.tokensBefore,
    tokensAfter: plan.tokensAfter,
    targetTokens: plan.targetTokens,
    stages: stageViews(plan),
    rows: compactionRows(compared, counter),
    ...(handOff && { handOff }),
    ledger: facts(),
    ...(notes && {
      reason: notes.reason,
      promptTokensBefore: notes.promptTokensBefore,
      promptTokensAfter: notes.promptTokensAfter,
      ...(notes.window !== undefined && { window: notes.window }),
      cost: notes.cost,
      ...(notes.mustKeeps && { mustKeeps: notes.mustKeeps }),
      ...(notes.summary && { audit: auditView(notes.summary) }),
    }),
  };
}

function stageViews({ steps }: Plan): readonly StageView[] {
  return steps.map(({ stage, edits, tokensBefore, tokensAfter }) => ({
    stage,
    tokensSaved: tokensBefore - tokensAfter,
    messages: new Set(edits.flatMap((edit) => (edit.kind === "insert" ? [] : [edit.position]))).size,
  }));
}

function compactionRows(
  { pairs, plan, pins, isDraft }: Compared,
  counter: TokenCounter,
): readonly CompactionRow[] {
  const touches = touchesOf(plan);
  const sides = sideViews(pairs, counter);
  return pairs.map((pair, order): CompactionRow => {
    const { before, after } = sides[order]!;
    const touch = pair.number === undefined ? touches.inserted : touches.byNumber.get(pair.number);
    const change = pair.isKept ? "kept" : !after ? "removed" : before ? "changed" : "added";
    const originalId = change === "removed" || change === "changed" ? originalOf(pair, isDraft) : undefined;
    return {
      change,
      ...(before && { before }),
      ...(after && !pair.isKept && { after }),
      ...(touch && !pair.isKept && touch),
      saved: pair.isKept ? 0 : (before?.tokens ?? 0) - (after?.tokens ?? 0),
      ...(originalId !== undefined && { originalId }),
      ...(pair.number !== undefined && pins.has(pair.number) && { pinned: true }),
    };
  });
}

interface Touch {
  readonly stage: StageName;
  readonly reason: string;
}

/** The last Stage that touched each message, by its number, and the one that put a new one in. */
function touchesOf({ steps }: Plan) {
  const byNumber = new Map<number, Touch>();
  let inserted: Touch | undefined;
  for (const { stage, edits } of steps) {
    for (const edit of edits) {
      const touch = { stage, reason: edit.reason };
      if (edit.kind === "insert") inserted = touch;
      else byNumber.set(edit.position, touch);
    }
  }
  return { byNumber, inserted };
}

interface Sides {
  readonly before?: SideView | undefined;
  readonly after?: SideView | undefined;
}

function sideViews(pairs: readonly Pair[], counter: TokenCounter): readonly Sides[] {
  const views = (side: "before" | "after"): readonly (SideView | undefined)[] => {
    const there = pairs.flatMap((pair) => (pair[side] ? [pair[side]] : []));
    const tools = toolNamesOf(there.map(({ message }) => message));
    let order = 0;
    return pairs.map((pair) => {
      const placed = pair[side];
      return placed && sideView(placed, tools[order++]!, counter);
    });
  };
  const [before, after] = [views("before"), views("after")];
  return pairs.map((_, order) => ({ before: before[order], after: after[order] }));
}

function sideView(
  { position, id, message }: ComparedMessage,
  tools: readonly string[],
  counter: TokenCounter,
): SideView {
  const { kinds: _, ...facts } = factsOfMessage(message, counter);
  return { position, id, tools, ...facts };
}

/** What the text afterwards names, where it names one piece that was not named before; otherwise the whole message. */
function originalOf({ before, after }: Pair, isDraft = false): string | undefined {
  if (!before || !after || isDraft || handoffIn(after.message)) return before?.id;
  const known = textOfMessage(before.message);
  const named = [...new Set(textOfMessage(after.message).match(MARKER))].filter((id) => !known.includes(id));
  return named.length === 1 ? named[0] : before.id;
}

function auditView({ attempts, putBackLines = [], ...summary }: SummaryReport): AuditView {
  return {
    ...summary,
    putBackLines,
    attempts: attempts.map(({ summarizer, failure, message }) => ({
      summarizer,
      ...(failure !== undefined && { failure: message ?? failure }),
    })),
  };
}
