/** testSame: `summarizer: "same"` through an adapter, with the real SDK against a model on loopback. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../src/archive/memory.ts";
import { sqliteArchive } from "../../src/archive/sqlite.ts";
import type { CompactionEvent } from "../../src/index.ts";
import { reportToJson } from "../../src/report/print-report.ts";
import type { Json } from "../gateway-wires.ts";
import { type AgentServer, type Aside, ask, createAgentServer, type Received } from "./agent-server.ts";
import { KEY, type TestedAdapter } from "./sdk-agent.ts";

const STORY = "The ports of the first modules were read and noted, one after the other.";
const MOST_TURNS = 40;
/** Holds a conversation that is due for compaction, what is asked behind it and the answer. */
const WINDOW = 24_000;

export function testSame({ name, create, gaps = {} }: TestedAdapter): void {
  test.skipIf(gaps.own)(
    `${name}: the agent's own model tells of it, from its cache, with no key anywhere`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "pith-same-"));
      const archive = sqliteArchive({ file: join(folder, "archive.sqlite") });
      const server = await createAgentServer({ window: WINDOW, aside: { say: STORY } });
      const told: CompactionEvent[] = [];
      const log: string[] = [];
      const agent = create({
        server,
        options: {
          window: WINDOW,
          archive,
          summarizer: "same",
          onEvent: (event) => told.push(event),
          sessionLog: (text) => log.push(text),
        },
      });
      for (let turn = 0; turn < MOST_TURNS && !agents(server).some(says(STORY)); turn++)
        await agent.ask(ask(turn), { stream: turn % 2 === 1 });
      const stored = readdirSync(folder).map((file) => readFileSync(join(folder, file), "latin1"));
      await archive.close!();
      await server.close();
      rmSync(folder, { recursive: true });

      expect(agents(server).filter(says(STORY)).length).toBeGreaterThan(0);
      const asides = server.requests.filter(isAside);
      expect(asides).toHaveLength(1);
      const [aside] = asides as [Received];
      const before = riddenOn(aside, server);
      // Users that speak twice in a row are one to the API.
      expect(aside.faults.filter(({ rule }) => rule !== "role-order")).toEqual([]);
      for (const header of ["authorization", "x-api-key"])
        expect(aside.headers[header]).toBe(before.headers[header]);
      const summary = reportsOf(told).flatMap((report) => report.summary ?? [])[0]!;
      expect(summary.summarizer).toContain("the agent's own");
      expect(summary.cost).toMatchObject({ inputTokens: 100, outputTokens: 10 });

      const seen = [...stored, ...log, JSON.stringify(reportsOf(told).map(reportToJson))].join("\n");
      expect(stored.length).toBeGreaterThan(0);
      expect(JSON.stringify(before.headers)).toContain(KEY);
      expect(seen).not.toContain(KEY);
    },
  );

  for (const aside of ["hang", "refuse", "truncate", "call", "fail"] as const) {
    test.skipIf(gaps.own)(
      `${name}: an own model that does ${aside} keeps the agent from nothing`,
      async () => {
        const { server, reports } = await runToCompaction(create, { summarizer: "same" }, aside);
        const at = server.requests.findIndex(isAside);
        // The agent's later requests were sent and answered all the same.
        expect(at).toBeGreaterThan(0);
        expect(server.requests.filter(isAside)).toHaveLength(1);
        expect(agents(server).length).toBeGreaterThan(at + 1);
        const summary = reports.find(({ compacted }) => compacted)!.summary!;
        expect(summary.summarizer).toBeUndefined();
        expect(summary.failure).toBeDefined();
        expect(JSON.stringify(reports.map(reportToJson))).not.toContain(KEY);
      },
    );
  }

  test(`${name}: without a summarizer the model is sent what the agent says, and nothing else`, async () => {
    for (const options of [{}, { summarizer: "none" as const }]) {
      const { server, reports } = await runToCompaction(create, options, { say: STORY });
      expect(server.requests.filter(isAside)).toEqual([]);
      expect(reports).toHaveLength(server.requests.length);
      const hints = reports.flatMap((report) => report.hints ?? []);
      expect(hints).toHaveLength("summarizer" in options ? 0 : 1);
    }
  });
}

/** Each turn waits for nothing but its own answer. */
async function runToCompaction(
  create: TestedAdapter["create"],
  options: { readonly summarizer?: "same" | "none" },
  aside: Aside,
) {
  const server = await createAgentServer({ window: WINDOW, aside });
  const events: CompactionEvent[] = [];
  const agent = create({
    server,
    options: { window: WINDOW, archive: memoryArchive(), ...options, onEvent: (event) => events.push(event) },
  });
  const isCompacted = () => reportsOf(events).some(({ compacted }) => compacted);
  for (let turn = 0; turn < MOST_TURNS && !isCompacted(); turn++)
    expect(await agent.ask(ask(turn))).toContain(`Turn ${turn} is done`);
  await server.close();
  return { server, reports: reportsOf(events) };
}

/** The agent's request that an aside came behind: all but its last words is the same, character by character. */
function riddenOn(aside: Received, { requests }: AgentServer): Received {
  const later = listOf(aside);
  const before = requests.slice(0, requests.indexOf(aside)).findLast((request) => {
    const earlier = listOf(request);
    let shared = 0;
    while (shared < earlier.length && later[shared] === earlier[shared]) shared++;
    return /^["\]}]{1,4}$/.test(earlier.slice(shared));
  });
  expect(before).toBeDefined();
  // The agent may have gone on by one request meanwhile.
  expect(requests.indexOf(aside) - requests.indexOf(before!)).toBeLessThanOrEqual(2);
  for (const field of ["model", "tools", "system", "instructions"])
    expect(memberIn(aside, field)).toBe(memberIn(before!, field));
  expect(memberIn(before!, "tools")).toContain("read_module");
  return before!;
}

function listOf({ body }: Received): string {
  return JSON.stringify(body.messages ?? body.input);
}

/** As it stands in the text. */
function memberIn({ body, text }: Received, name: string): string | undefined {
  if (body[name] === undefined) return undefined;
  const member = `"${name}":${JSON.stringify(body[name])}`;
  expect(text).toContain(member);
  return member;
}

function isAside({ said }: Received): boolean {
  return said === "aside";
}

function agents({ requests }: AgentServer): readonly Received[] {
  return requests.filter((request) => !isAside(request));
}

const says =
  (text: string) =>
  ({ body }: { readonly body: Json }): boolean =>
    JSON.stringify(body).includes(text);

function reportsOf(events: readonly CompactionEvent[]) {
  return events.flatMap((event) => (event.type === "compaction-end" ? [event.report] : []));
}
