import { expect, test } from "vitest";
import { COMPRESS_CONTEXT, compressContextResult } from "../agent-control/compress-context.ts";
import { END_MARKER, type PrefixName, withPrefix } from "../conversation/handoffs/prefixes.ts";
import { RECALL_EXPAND, RECALL_SEARCH, recallTools, runRecallTool } from "../recall/tools.ts";
import { textWrite } from "../testing/archive-writes.ts";
import { memoryArchive } from "./memory.ts";
import { saidIn } from "./own-words.ts";

const prefixes: readonly PrefixName[] = ["pith", "factor3", "hermes", "synthorg"];
const handOff = (prefix: PrefixName): string =>
  `${withPrefix(`[Archived 9 messages.] The cache was dropped.\n- port 8080`, prefix)}\n${END_MARKER}`;
const user = (text: string, ...tools: readonly string[]) => saidIn({ role: "user", tools, text });
const tool = (text: string, ...tools: readonly string[]) => saidIn({ role: "tool", tools, text });
const assistant = (text: string, ...tools: readonly string[]) => saidIn({ role: "assistant", tools, text });

/** Real answers of the tools, of every kind. */
async function answers(): Promise<readonly string[]> {
  const archive = memoryArchive();
  const texts = ["The port is 8080.", "We dropped the cache\nsince [it was stale].", "The port is 9090."];
  await archive.put(textWrite("a", texts));
  const tools = recallTools(archive);
  const { id } = textWrite("a", texts).items[0]!;
  const asked: readonly (readonly [string, unknown])[] = [
    [RECALL_SEARCH, { query: "which port?" }],
    [RECALL_SEARCH, { query: "cache" }],
    [RECALL_SEARCH, { query: "unheard-of" }],
    [RECALL_EXPAND, { id }],
    [RECALL_EXPAND, { conversation: "a", max_tokens: 90 }],
    [RECALL_EXPAND, { conversation: "a", grep: "port" }],
    [RECALL_EXPAND, { conversation: "a", grep: "nowhere" }],
    [RECALL_EXPAND, { conversation: "a", offset: 99_999 }],
    [RECALL_EXPAND, { conversation: "b" }],
    [RECALL_EXPAND, { id: "pith:0000000000000" }],
  ];
  const given = await Promise.all(asked.map(([name, values]) => runRecallTool(tools, name, values)!));
  return [...given.map(({ text }) => text), compressContextResult({ reason: "done" })];
}

test.each(prefixes)(
  "[R35] a hand-off under the prefix of %s is nobody's words, whoever carries it",
  (prefix) => {
    for (const say of [user, assistant]) expect(say(handOff(prefix))).toBe("");
    expect(user(`${handOff(prefix)}\nNow fix the lexer.`)).toBe("Now fix the lexer.");
    expect(user(`${handOff(prefix)}\n${handOff("pith")}\nNow fix the lexer.`)).toBe("Now fix the lexer.");
    expect(user(`printed\n${handOff(prefix)}\nNow fix it.`, "bash").split(/\n+/)).toEqual([
      "printed",
      "Now fix it.",
    ]);
    expect(tool(handOff(prefix), "bash")).toBe(handOff(prefix));
  },
);

test("[R35] a text without Pith's own words comes as it is", () => {
  for (const text of [
    "",
    "plain",
    " [x] y ",
    `[note]\n${END_MARKER}`,
    "[showing 2 of 3 results]",
    "Nothing is archived under x.",
  ])
    for (const say of [user, tool, assistant]) expect(say(text, "bash")).toBe(text);
});

test("[R35] an answer of Pith's own tools is nobody's words, alone, beside another's and before the user's", async () => {
  const names = [
    RECALL_SEARCH,
    RECALL_EXPAND,
    COMPRESS_CONTEXT,
    `mcp__pith__${RECALL_SEARCH}`,
    `pith.${RECALL_EXPAND}`,
  ];
  for (const answer of await answers()) {
    for (const name of names) {
      expect(tool(answer, name)).toBe("");
      expect(user(answer, name)).toBe("");
      expect(user(`${answer}\nGo on, please.`, name).trim()).toBe("Go on, please.");
    }
    expect(tool(answer)).toBe("");
    const beside = `first line\nsecond line\n${answer}\nbehind it`;
    expect(user(beside, "bash", RECALL_SEARCH).split(/\n+/)).toEqual([
      "first line",
      "second line",
      "behind it",
    ]);
  }
  const shaped = (body: string) =>
    `${body}\n[pith shaped: text, 3 of 20 lines shown; rest: pith:lcflfit3ljsm]`;
  const cut = shaped("pith:achaa8fdno1s message 75 of a, assistant,\n[… 17 parts …]");
  expect(user(`${cut}\n${shaped("printed")}`, RECALL_SEARCH, "bash").trim()).toBe(shaped("printed"));
  expect(user(`${shaped("printed")}\n${cut}`, "bash", RECALL_SEARCH).trim()).toBe(shaped("printed"));
  expect(tool("printed", `not${RECALL_SEARCH}`)).toBe("printed");
});

test("[R35] what an agent asks recall for is no answer, what it says before is", () => {
  const call = `${RECALL_SEARCH} {"query":"why did we drop the cache?"}`;
  expect(assistant(call, RECALL_SEARCH)).toBe("");
  expect(assistant(`I look it up.\n${call}\nbash {"command":"ls"}`, RECALL_SEARCH, "bash")).toBe(
    'I look it up.\nbash {"command":"ls"}',
  );
});
