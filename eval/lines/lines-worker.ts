/** A worker thread that classifies the lines of the hand-offs which one case becomes at each of its sizes. */
import { parentPort, workerData } from "node:worker_threads";
import { findHandoff } from "../../src/handoff/prefixes.ts";
import { readSections } from "../../src/handoff/sections.ts";
import type { PresetExpression } from "../../src/index.ts";
import type { CaseTask } from "../measure/tasks.ts";
import { textOf } from "../measure/wire-message.ts";
import { pith } from "../strategies/pith.ts";
import { classifyLine, type LineKind } from "./classify-line.ts";
import { type SourceText, sourceText } from "./source-text.ts";

export interface ClassifiedLine {
  readonly section: string;
  readonly line: string;
  readonly kind: LineKind;
}

/** The lines of one hand-off. */
export interface CheckedHandoff {
  readonly source: string;
  readonly case: string;
  readonly target: string;
  readonly lines: readonly ClassifiedLine[];
}

const strategy = pith(workerData as PresetExpression);

parentPort!.on("message", async (task: CaseTask) => parentPort!.postMessage(await checkCase(task)));

async function checkCase({ source, case: own }: CaseTask): Promise<readonly CheckedHandoff[]> {
  const text = sourceText(own.past);
  const shrink = await strategy.prepare(own.past);
  const checked: CheckedHandoff[] = [];
  for (const { kind, tokens } of own.targets) {
    let messages: Awaited<ReturnType<typeof shrink>>;
    try {
      messages = await shrink(tokens);
    } catch {
      // A target that cannot be reached has no hand-off to read; npm run eval counts those.
      continue;
    }
    for (const message of messages) {
      const handoff = message.role === "tool" ? undefined : findHandoff(textOf(message));
      if (handoff) checked.push({ source, case: own.id, target: kind, lines: linesOf(handoff.body, text) });
    }
  }
  return checked;
}

function linesOf(body: string, source: SourceText): readonly ClassifiedLine[] {
  return Object.entries(readSections(body)).flatMap(([section, content]) => {
    const entries: readonly string[] =
      typeof content === "boolean" ? [] : typeof content === "string" ? [content] : content;
    return entries
      .flatMap((entry) => entry.split("\n"))
      .filter((line) => line.trim() !== "")
      .map((line) => ({ section, line, kind: classifyLine(section, line, source) }));
  });
}
