/** What every adapter must show after 200 turns in a window of 16,000 tokens. */
import { expect } from "vitest";
import type { CompactionEvent } from "../../src/index.ts";
import { type AgentServer, isRecallTurn, portOf, RECALL_BACK } from "./agent-server.ts";

export const TURNS = 200;
export const WINDOW = 16_000;

export interface LongRun {
  readonly server: AgentServer;
  readonly events: readonly CompactionEvent[];
  /** Modules that the agent's own tool was asked for. */
  readonly modules: readonly number[];
  /** The answers at the end of each turn. */
  readonly answers: readonly string[];
}

export function expectLongRun({ server, events, modules, answers }: LongRun): void {
  expect(answers).toHaveLength(TURNS);
  answers.forEach((answer, turn) => {
    expect(answer).toContain(`the port of module ${turn} is ${portOf(turn)}`);
  });
  const { requests } = server;
  expect(requests.filter(({ said }) => said === "refused")).toHaveLength(0);
  expect(Math.max(...requests.map(({ tokens }) => tokens))).toBeLessThanOrEqual(WINDOW);
  expect(requests.flatMap(({ faults }) => faults)).toEqual([]);
  const reports = events.flatMap((event) => (event.type === "compaction-end" ? [event.report] : []));
  expect(reports).toHaveLength(requests.length);
  expect(reports.filter(({ compacted }) => compacted).length).toBeGreaterThan(5);
  expect(reports.filter(({ compacted }) => compacted).length).toBeLessThan(60);
  expect(events.filter(({ type }) => type === "compaction-fail")).toEqual([]);
  const turns = Array.from({ length: TURNS }, (_, turn) => turn);
  const recalls = turns.filter(isRecallTurn);
  expect(modules).toEqual(turns.filter((turn) => !isRecallTurn(turn)));
  for (const turn of recalls) {
    const answer = recallAnswers(server, turn);
    expect(answer).toContain(String(portOf(turn - RECALL_BACK)));
    // What Pith wrote itself, hand-offs and earlier answers, is no answer.
    expect(answer).not.toMatch(/hand-off\]|\[showing \d+ of \d+ results\].*\[showing/);
  }
  console.log(
    `${requests.length} requests, ${reports.filter(({ compacted }) => compacted).length} compactions, ` +
      `largest ${Math.max(...requests.map(({ tokens }) => tokens))} tokens, ${recalls.length} recalls`,
  );
}

/** What the model was sent right after it had asked by recall in this turn. */
function recallAnswers({ requests }: AgentServer, turn: number): string {
  const asked = requests.findIndex(
    ({ said }) =>
      typeof said === "object" &&
      said.calls.some(({ arguments: given }) => given.includes(`module-${turn - RECALL_BACK}"`)),
  );
  const body = requests[asked + 1]?.body;
  const list = (body?.messages ?? body?.input) as readonly unknown[] | undefined;
  return JSON.stringify(list?.slice(-1) ?? "");
}
