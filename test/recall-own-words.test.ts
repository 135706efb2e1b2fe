/** Recall finds what was said, and not what Pith itself wrote into the conversation: hand-offs, and its own earlier answers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { createCompactor } from "../src/index.ts";
import { recallSearch } from "../src/recall/search.ts";
import { type Json, type Wire, wires } from "./gateway-wires.ts";
import { ask, overStdio } from "./mcp-session.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-own-words-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TURNS = 35;
const OWN = /hand-off\]|\[showing \d+ of \d+ results\]|recall_search \{|\n.*pith:\w+ message \d+ of/;
const queryOf = (turn: number): string => `what does module ${turn} export?`;

/** An agent that reads a module and asks recall in every turn, and whose messages an adapter writes anew, keys in another order. */
async function agentSession(wire: Wire, file: string): Promise<void> {
  const archive = sqliteArchive({ file });
  const compactor = createCompactor({ archive, window: 6_000 });
  let list: readonly Json[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const calls = [
      { id: `s${turn}`, name: "recall_search", arguments: JSON.stringify({ query: queryOf(turn - 1) }) },
      { id: `r${turn}`, name: "read_file", arguments: JSON.stringify({ path: `src/m${turn}.ts` }) },
    ] as const;
    const { run } = await compactor.tools({ [wire.key]: list });
    const found = (await run(calls[0].name, calls[0].arguments))!;
    const code = Array.from(
      { length: 20 },
      (_, line) => `export const value${turn}x${line} = ${line * turn};`,
    );
    list = [
      ...list,
      wire.user(`Look into module ${turn}.`),
      ...wire.heard(wire.answer({ text: `Module ${turn} is read.`, calls }, `a${turn}`)),
      ...wire.results([
        { call: calls[0], text: found },
        { call: calls[1], text: code.join("\n") },
      ]),
      ...wire.heard(wire.answer({ text: `Module ${turn} exports value${turn}x0.`, calls: [] }, `b${turn}`)),
    ];
    const { body: output } = await compactor.compact({ [wire.key]: list }, { conversationId: wire.name });
    list = ((output as Json)[wire.key] as readonly Json[]).map(
      (message) => Object.fromEntries(Object.entries(message).toReversed()) as Json,
    );
  }
  await archive.close!();
}

test.each(wires)(
  "[R35] no hit is a hand-off or an old answer of recall, by library and by MCP, on $name",
  async (wire) => {
    const file = join(folder, `${wire.name}.sqlite`);
    await agentSession(wire, file);
    const archive = sqliteArchive({ file, readOnly: true });
    const stored = await archive.messages!(wire.name);
    expect(stored.filter(({ text }) => OWN.test(text)).length).toBeGreaterThan(TURNS / 2);
    const client = await overStdio(["--archive", file]);
    let hits = 0;
    for (let turn = 0; turn < TURNS; turn++) {
      const { results } = await recallSearch(archive, { query: queryOf(turn) });
      hits += results.length;
      expect(results.filter(({ snippet }) => OWN.test(`\n${snippet}`))).toEqual([]);
      const { text } = await ask(client, "recall_search", { query: queryOf(turn) });
      for (const shown of text.replace(/\n\[showing [^\n]*\]$/, "").split(/\n\n(?=pith:)/))
        expect(shown).not.toMatch(OWN);
    }
    expect(hits).toBeGreaterThan(TURNS);
    await client.close();
    await archive.close!();
  },
  120_000,
);
