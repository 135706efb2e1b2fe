/**
 * Rewinds, forks and retries: recall never returns text that is not in the asking branch's past unless asked for. Some trees by
 * default; PITH_FULL=1 grows 1,000.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Archive } from "../src/archive/archive.ts";
import { memoryArchive } from "../src/archive/memory.ts";
import { postgresArchive } from "../src/archive/postgres.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { type BranchClient, branchClients, type Wire } from "./branch-clients.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

const TREES = process.env.PITH_FULL ? 1_000 : 20;
const STEPS = 30;
const LIMIT_MS = process.env.PITH_FULL ? 14_400_000 : 300_000;

let server: PostgresServer;
const folder = mkdtempSync(join(tmpdir(), "pith-branches-"));
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The same numbers each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A word that only one message has. */
const CODE = /\bzk\d+q\b/g;
const codesIn = (text: string): readonly string[] => [...new Set(text.match(CODE))];

/** One kind of archive for most trees, each of the others for some. */
async function archiveFor(tree: number): Promise<Archive> {
  if (tree % 20 === 7) return sqliteArchive({ file: join(folder, `${tree}.sqlite`) });
  if (tree % 20 === 13) return postgresArchive({ url: await server.createDatabase(`branches_${tree}`) });
  return memoryArchive();
}

interface Tally {
  asked: number;
  /** Words that left the context and were asked for. */
  left: number;
  inside: number;
  others: number;
  readonly faults: string[];
}

/** Grows a tree by turns, going back now and then, and asks from wherever it is. */
async function growTree(tree: number, tally: Tally): Promise<void> {
  const random = randomNumbers(tree * 7_919 + 17);
  const archive = await archiveFor(tree);
  const ids = new Set<string>();
  const watched: Archive = {
    ...archive,
    put: (write) => {
      for (const { id } of write.items) ids.add(id);
      return archive.put(write);
    },
  };
  let now = 1_800_000_000_000;
  const names = Object.keys(branchClients);
  const name = names[tree % names.length]!;
  const client = branchClients[name]!(watched, () => (now += 1_000));
  let code = 0;
  const next = (): string => `zk${tree * 1_000 + code++}q`;
  const ask = () => ({
    role: "user",
    content: `Decision: the port of the service is ${next()}. ${filler(random)}`,
  });
  const answer = () => ({
    role: "assistant",
    content: `Noted, I set the port to ${next()} and ran the checks. ${filler(random)}`,
  });
  const call = (): readonly Wire[] => {
    const id = `c${code}`;
    const made = { name: "run", arguments: JSON.stringify({ command: `serve --port ${next()}` }) };
    return [
      { role: "assistant", content: null, tool_calls: [{ id, type: "function", function: made }] },
      {
        role: "tool",
        tool_call_id: id,
        content: `listening on ${next()}\n${"GET / 200\n".repeat(random(60))}`,
      },
    ];
  };
  const system = { role: "system", content: "You are an agent that sets ports." };
  const label = (step: number): string => `${name}, tree ${tree}, step ${step}`;
  const question = (step: number): Question => ({
    random,
    ids,
    code: tree * 1_000 + code,
    tally,
    label: label(step),
  });
  let branch: readonly Wire[] = [system, ask()];
  const visited: (readonly Wire[])[] = [branch];
  const turnStarts = () => branch.flatMap(({ role }, at) => (role === "user" ? [at] : []));

  for (let step = 0; step < STEPS; step++) {
    const sent = await client.send(branch);
    check(`${label(step)}: sent`, sent, branch, tally);
    await askForWhatLeft(client, branch, sent, question(step));
    const done = [...branch, ...(random(3) === 0 ? call() : []), answer()];
    const choice = random(10);
    const starts = turnStarts();
    if (choice < 6) branch = [...done, ask()];
    // A retry: the same ask again, as if no answer had come.
    else if (choice === 6) branch = [...branch.slice(0, starts.at(-1)), ask()];
    // A rewind: some turns never were.
    else if (choice <= 8)
      branch = [...branch.slice(0, starts.at(-1 - random(Math.min(5, starts.length)))), ask()];
    // Back to another branch, as it was left.
    else branch = [...visited[random(visited.length)]!, answer(), ask()];
    visited.push(branch);
    if (step % 3 === 2) await askFrom(client, branch, question(step));
  }
  await archive.close?.();
}

function filler(random: (below: number) => number): string {
  return "We looked at the log and the table of the requests. ".repeat(4 + random(14));
}

interface Question {
  readonly random: (below: number) => number;
  readonly ids: ReadonlySet<string>;
  /** One more than the last code of the tree. */
  readonly code: number;
  readonly tally: Tally;
  readonly label: string;
}

async function askFrom(client: BranchClient, branch: readonly Wire[], question: Question): Promise<void> {
  const { random, ids, code, tally, label } = question;
  const first = code - (code % 1_000);
  const some = Array.from({ length: 8 }, () => `zk${first + random(code - first)}q`);
  const budget = { max_tokens: 50_000 };
  const questions = [
    ["recall_search", { query: "Which port was decided on?", limit: 50, ...budget }],
    ["recall_search", { query: some.join(" "), limit: 50, ...budget }],
    ["recall_expand", { conversation: "talk", from: 0, to: 500, ...budget }],
    ...Array.from({ length: 6 }, () => ["recall_expand", { id: [...ids][random(ids.size)], ...budget }]),
  ] as readonly (readonly [tool: string, given: Wire])[];
  for (const [tool, given] of questions) {
    if ("id" in given && given.id === undefined) continue;
    const text = await client.recall(branch, tool, given);
    if (text === undefined) return;
    tally.asked++;
    tally.inside += check(`${label}: ${tool} ${JSON.stringify(given)}`, text, branch, tally);
  }
  const wide = await client.recall(branch, "recall_search", {
    query: some.join(" "),
    limit: 50,
    other_branches: true,
    ...budget,
  });
  const said = codesIn(JSON.stringify(branch));
  for (const result of (wide ?? "").split(/\n\n(?=pith:)/)) {
    const foreign = codesIn(result).filter((each) => !said.includes(each));
    if (foreign.length === 0) continue;
    tally.others++;
    const isTold = result.includes("NOT in this conversation's past");
    if (!isTold || !client.mayAskOthers)
      tally.faults.push(`${label}: other branches, ${result.slice(0, 300)}`);
  }
}

/** What is in the branch and was not sent must be found. */
async function askForWhatLeft(
  client: BranchClient,
  branch: readonly Wire[],
  sent: string,
  { random, tally, label }: Question,
): Promise<void> {
  const there = new Set(codesIn(sent));
  const left = codesIn(JSON.stringify(branch)).filter((code) => !there.has(code));
  if (left.length === 0) return;
  const query = left[random(left.length)]!;
  const text = (await client.recall(branch, "recall_search", { query })) ?? "";
  tally.left++;
  if (!text.includes(query))
    tally.faults.push(`${label}: ${query} left and is not found, ${text.slice(0, 200)}`);
  check(`${label}: ${query}`, text, branch, tally);
}

/** How many words of the branch's past were there. */
function check(label: string, text: string, branch: readonly Wire[], { faults }: Tally): number {
  const said = new Set(codesIn(JSON.stringify(branch)));
  const codes = codesIn(text);
  const foreign = codes.filter((each) => !said.has(each));
  if (foreign.length > 0) faults.push(`${label}: ${foreign.slice(0, 3).join(" ")} in ${text.slice(0, 400)}`);
  return codes.length - foreign.length;
}

test(
  `in ${TREES} trees of rewinds, forks and retries recall gives nothing that is not in the asking branch's past`,
  async () => {
    const tally: Tally = { asked: 0, left: 0, inside: 0, others: 0, faults: [] };
    for (let tree = 0; tree < TREES; tree++) await growTree(tree, tally);
    console.info(
      `${TREES} trees: ${tally.asked} questions and ${tally.left} for what left, ${tally.inside} words of the past, ${tally.others} of other branches when asked for, ${tally.faults.length} faults`,
    );
    expect(tally.faults.slice(0, 5)).toEqual([]);
    expect(tally.left).toBeGreaterThan(TREES * 5);
    expect(tally.inside).toBeGreaterThan(TREES * 20);
    expect(tally.others).toBeGreaterThan(TREES);
  },
  LIMIT_MS,
);
