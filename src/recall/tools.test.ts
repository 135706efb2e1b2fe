import { expect, test } from "vitest";
import { memoryArchive } from "../archive/memory.ts";
import { formats } from "../providers/detect.ts";
import { messageItem, textWrite } from "../testing/archive-writes.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { type RecallToolsOptions, recallTools, runRecallTool } from "./tools.ts";

async function toolsOver(texts: readonly string[], options: RecallToolsOptions = {}) {
  const archive = memoryArchive();
  await archive.put(textWrite("a", texts));
  await archive.put(textWrite("b", ["a zebra elsewhere"]));
  const tools = recallTools(archive, options);
  return { tools, run: (name: string, given: unknown) => runRecallTool(tools, name, given)! };
}

test("[R35] a search answers with ids, places and passages, and says how many there are", async () => {
  const { run } = await toolsOver(["the zebra sleeps", "no animal"]);
  const { text, isError } = await run("recall_search", { query: "zebra", conversation: "a" });
  expect(isError).toBe(false);
  expect(text).toBe(
    `${messageItem("the zebra sleeps").id} message 0 of a, user, 1970-01-01T00:00:01.000Z\nthe zebra sleeps\n\n` +
      "[showing 1 of 1 results]",
  );
});

test("[R35] an id from a search opens the original", async () => {
  const { run } = await toolsOver(["the zebra sleeps"]);
  const found = await run("recall_search", { query: "zebra", conversation: "a" });
  const id = /pith:[0-9a-z]+/.exec(found.text)![0];
  const { text, isError } = await run("recall_expand", { id });
  expect(isError).toBe(false);
  expect(text).toContain('{"role":"user","content":"the zebra sleeps"}');
});

test("[R35] a range shows messages of a conversation", async () => {
  const { run } = await toolsOver(["one", "two", "three"]);
  const { text } = await run("recall_expand", { conversation: "a", from: 1, to: 2 });
  expect(text).toMatch(/^\[message 1, user, pith:\w+\]\ntwo\n\n\[message 2, user, pith:\w+\]\nthree\n/);
});

test("[R35] the whole answer keeps its budget", async () => {
  const { run } = await toolsOver(Array.from({ length: 40 }, (_, at) => `zebra ${at} `.repeat(40)));
  for (const max_tokens of [60, 200, 900]) {
    const { text } = await run("recall_search", { query: "zebra", limit: 50, max_tokens });
    expect(createTokenCounter().text(text)).toBeLessThanOrEqual(max_tokens);
    expect(text).toMatch(/\[showing \d+ of 41 results\]$/);
  }
});

test("[R35] wrong arguments and unknown ids are answered, not thrown", async () => {
  const { run, tools } = await toolsOver(["one"]);
  for (const given of [undefined, null, "x", {}, { query: "" }, { query: 5 }, { query: "x", limit: 0 }]) {
    const { text, isError } = await run("recall_search", given);
    expect(isError).toBe(true);
    expect(text).toContain("recall_search");
  }
  expect(await run("recall_expand", { id: "pith:000000000000" })).toEqual({
    text: "Nothing is archived under pith:000000000000.",
    isError: true,
  });
  expect((await run("recall_expand", {})).isError).toBe(true);
  expect((await run("recall_search", { query: "unheard" })).text).toContain("nothing found");
  expect(runRecallTool(tools, "other", {})).toBe(undefined);
});

test("[R35] tools that are bound to a conversation search no other", async () => {
  const { run } = await toolsOver(["no such animal"], { conversationId: "a" });
  expect((await run("recall_search", { query: "zebra", conversation: "b" })).text).not.toContain("elsewhere");
  expect((await run("recall_expand", { conversation: "b", from: 0, to: 0 })).text).toContain(
    "no such animal",
  );
});

test("[R35] times are taken as dates, the last day included", async () => {
  const { run } = await toolsOver(["the zebra sleeps"]);
  const ask = async (scope: object) => (await run("recall_search", { query: "zebra", ...scope })).text;
  expect(await ask({ until: "1970-01-01" })).toContain("sleeps");
  expect(await ask({ since: "1970-01-02" })).toContain("nothing found");
  expect(await ask({ until: "1970-01-01T00:00:00Z" })).toContain("nothing found");
});

test("[R35] every wire format can offer the tools", async () => {
  const { tools } = await toolsOver([]);
  for (const format of formats) {
    for (const tool of tools) {
      const definition = JSON.stringify(format.toolDefinition(tool));
      expect(definition).toContain(tool.name);
      expect(definition).toContain('"max_tokens"');
    }
  }
  expect(tools.map(({ parameters }) => parameters.required)).toEqual([["query"], undefined]);
});
