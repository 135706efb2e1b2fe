/** Runs strategies over one case at each of its sizes, and scores what they give. */
import type { Row } from "../figures/row.ts";
import { recordedSummary } from "../strategies/all.ts";
import type { Shrink, Strategy } from "../strategies/strategy.ts";
import type { Case, Target } from "./cases.ts";
import { recallOf } from "./held.ts";
import { pastText } from "./probes.ts";
import { countedTokens, systemTexts } from "./sizes.ts";
import { textOf, type WireMessage } from "./wire-message.ts";

export interface MeasureInput {
  readonly source: string;
  readonly case: Case;
  readonly strategies: ReadonlyMap<string, Strategy>;
}

export async function measureCase(input: MeasureInput): Promise<readonly Row[]> {
  const { past, targets, summary } = input.case;
  const rows: Row[] = [];
  for (const [name, strategy] of input.strategies) {
    let shrink: Shrink | undefined;
    for (const target of targets) {
      rows.push(
        await rowOf(input, name, target, async () => {
          shrink ??= await strategy.prepare(past);
          return await shrink(target.tokens);
        }),
      );
    }
  }
  for (const target of summary ? targets : []) {
    rows.push(await rowOf(input, recordedSummary.name, target, async () => [summary!]));
  }
  return rows;
}

type Compact = () => Promise<readonly WireMessage[]>;

async function rowOf(
  { source, case: { id, conversation, past, probes } }: MeasureInput,
  strategy: string,
  target: Target,
  compact: Compact,
): Promise<Row> {
  const row = {
    source,
    conversation,
    case: id,
    kind: target.kind,
    strategy,
    targetTokens: target.tokens,
    probes: probes.length,
  };
  let messages: readonly WireMessage[];
  try {
    messages = await compact();
  } catch (error) {
    // A strategy that fails leaves its agent without a context: it holds nothing, and the table counts it.
    return { ...row, tokens: 0, verbatim: 0, held: 0, over: false, error: describe(error) };
  }
  const given = systemTexts(past);
  const tokens = countedTokens(messages, given);
  if (tokens > target.tokens) return { ...row, tokens, verbatim: 0, held: 0, over: true };
  const kept = messages.map(textOf).filter((text) => !given.includes(text));
  const recall = recallOf(pastText(past), kept.join("\n"), probes);
  return {
    ...row,
    tokens,
    verbatim: recall.verbatim / probes.length,
    held: recall.held / probes.length,
    over: false,
  };
}

function describe(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? String(error);
}
