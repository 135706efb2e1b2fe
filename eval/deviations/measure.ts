/** Shapes one output to a share of its tokens and looks whether what matters is in view. */

import type { ToolOutput } from "../../src/conversation/tool-output.ts";
import { shapeToolResult } from "../../src/shapes/shape-tool-result.ts";
import { createTokenCounter } from "../../src/tokens/counter.ts";
import type { Case } from "./case.ts";

const counter = createTokenCounter();
export const LEAST_TOKENS = 2_000;
const SHARE = 0.15;

export interface Shown {
  readonly text: string;
  readonly tokens: number;
  readonly maxTokens: number;
}

export function tokensOf(text: string): number {
  return counter.text(text);
}

export function shown(output: ToolOutput): Shown {
  const maxTokens = Math.floor(tokensOf(output.text) * SHARE);
  const handle = "pith:0g1q2v3j4x5z";
  const text = shapeToolResult(output, { counter, handle, maxTokens })?.text ?? output.text;
  return { text, tokens: tokensOf(text), maxTokens };
}

/** What matters and is not in view. */
export function missing({ matters, ...output }: Case): {
  readonly lost: readonly string[];
  readonly shown: Shown;
} {
  const view = shown({ ...output, isError: false });
  const plain = view.text.replaceAll('\\"', '"');
  return {
    lost: matters.filter((thing) => !view.text.includes(thing) && !plain.includes(thing)),
    shown: view,
  };
}

/**
 * Which marked failure lines of a recorded output are not in view, of those that could be: all where they fit,
 * else the first, the last and as many as fit into half the room.
 */
export function missingMarks(
  output: ToolOutput,
  marks: readonly string[],
): { readonly lost: readonly string[]; readonly asked: number; readonly shown: Shown } {
  const view = shown(output);
  const lost = marks.filter((mark) => !view.text.includes(mark));
  const all = marks.reduce((sum, mark) => sum + tokensOf(mark) + 1, 0);
  if (all <= view.maxTokens * 0.5) return { lost, asked: marks.length, shown: view };
  const ends = [marks[0]!, marks.at(-1)!];
  const inView = marks.filter((mark) => view.text.includes(mark));
  const used = inView.reduce((sum, mark) => sum + tokensOf(mark) + 1, 0);
  const lostEnds = ends.filter((mark) => lost.includes(mark) && tokensOf(mark) < view.maxTokens * 0.5);
  const isFull = used >= view.maxTokens * 0.4;
  return { lost: [...lostEnds, ...(isFull ? [] : lost.slice(0, 1))], asked: 2, shown: view };
}
