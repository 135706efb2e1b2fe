/** printPlan: a Plan for people: what each Stage would do, what that saves, and the first few edits with their reasons. */

import type { Edit, Plan, PlanStep } from "../plan/plan.ts";
import { counted, percent, thousands } from "../tokens/number-words.ts";
import { createPaint } from "./paint.ts";
import { cut, printable } from "./table.ts";

export interface PrintPlanOptions {
  /** @default false */
  readonly color?: boolean;
  /** Characters in a line. @default 100 */
  readonly width?: number;
  /** Edits shown per step. @default 5 */
  readonly edits?: number;
}

/** Several lines without a newline at the end. */
export function printPlan(
  plan: Plan,
  { color = false, width = 100, edits = 5 }: PrintPlanOptions = {},
): string {
  const paint = createPaint(color);
  const { preset, tokensBefore, tokensAfter, targetTokens, regions, reason } = plan;
  if (plan.steps.length === 0) {
    const sizes = `${thousands(tokensBefore)} tokens, target ${thousands(targetTokens)}.`;
    return `Nothing to do (${printable(preset)}): ${reason === undefined ? sizes : printable(reason)}`;
  }
  const saved = tokensBefore > 0 ? percent((tokensBefore - tokensAfter) / tokensBefore) : "0%";
  const title = `${thousands(tokensBefore)} → ${thousands(tokensAfter)} tokens (${saved} saved), target ${thousands(targetTokens)}`;
  const split = (Object.keys(regions) as (keyof typeof regions)[])
    .map((region) => `${region} ${regions[region].length}`)
    .join(", ");
  const lines = [
    paint.bold(title),
    paint.dim(
      cut(printable(`preset ${preset}; messages: ${split}; ${counted(plan.passes, "attempt")}`), width),
    ),
  ];
  if (reason !== undefined) lines.push(`compact would leave it as it is: ${printable(reason)}`);
  for (const step of plan.steps) {
    lines.push("", stepLine(step), ...editLines(step.edits, edits, width).map(paint.dim));
  }
  return lines.join("\n");
}

function stepLine({ stage, edits, tokensBefore, tokensAfter }: PlanStep): string {
  const touched = new Set(edits.flatMap((edit) => (edit.kind === "insert" ? [] : [edit.position]))).size;
  return `${stage}: ${thousands(tokensBefore)} → ${thousands(tokensAfter)} tokens, ${counted(touched, "message")}`;
}

function editLines(edits: readonly Edit[], shown: number, width: number): string[] {
  const lines = edits
    .slice(0, shown)
    .map((edit) => cut(`  ${deedOf(edit)}: ${printable(edit.reason)}`, width));
  const hidden = edits.length - lines.length;
  return hidden > 0 ? [...lines, `  and ${thousands(hidden)} more`] : lines;
}

function deedOf(edit: Edit): string {
  switch (edit.kind) {
    case "replace":
      return `change message ${edit.position}`;
    case "remove":
      return `remove message ${edit.position}`;
    case "insert":
      return `insert before message ${edit.before}`;
  }
}
