import { expect, test } from "vitest";
import type { Archive } from "../archive/archive.ts";
import { memoryArchive } from "../archive/memory.ts";
import { writeTo } from "../archive/ready-write.ts";
import { messageItem, saidAs, textWrite } from "../testing/archive-writes.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import type { Embedder } from "./embedder.ts";
import { type RecallSearchOptions, recallSearch } from "./search.ts";
import { createVectorIndex } from "./vector-index.ts";

const said = [
  "Please write the report in French.",
  "The build fails with a segmentation fault in parseConfigFile.",
  "I removed the stale entries from the cache.",
  "The invoice of ORD-2291-X was paid twice.",
  "Nothing else to say about the weather today.",
];

async function archiveOf(texts: readonly string[] = said): Promise<Archive> {
  const archive = memoryArchive();
  await archive.put(textWrite("a", texts));
  return archive;
}

async function best(archive: Archive, options: RecallSearchOptions): Promise<string | undefined> {
  return (await recallSearch(archive, options)).results[0]?.snippet;
}

test("[R35] finds a message by other words than its own", async () => {
  const archive = await archiveOf();
  expect(await best(archive, { query: "what did we delete because it was outdated?" })).toBe(said[2]);
  expect(await best(archive, { query: "which error did the compile end in?" })).toBe(said[1]);
});

test("[R35] finds a name as it is written, and a part of it", async () => {
  const archive = await archiveOf();
  expect(await best(archive, { query: "ord-2291" })).toBe(said[3]);
  expect(await best(archive, { query: "parseConfig" })).toBe(said[1]);
});

test("[R35] gives the place, id, role and time of each result", async () => {
  const { results, found } = await recallSearch(await archiveOf(), { query: "report in French" });
  const { score, ...first } = results[0]!;
  expect(first).toEqual({
    conversationId: "a",
    message: 0,
    id: messageItem(said[0]!).id,
    role: "user",
    at: 1_000,
    snippet: said[0],
  });
  expect(score).toBeGreaterThan(0);
  expect(found).toBeGreaterThanOrEqual(results.length);
});

test("[R35] stays within conversation, roles, tool and times", async () => {
  const archive = await archiveOf();
  const items = [messageItem("French again", "assistant"), messageItem("French result", "tool")];
  await writeTo(archive, {
    conversation: "b",
    at: 1,
    items,
    messages: [
      saidAs(items[0]!, { position: 0, text: "French again", role: "assistant", tools: ["write"] }),
      saidAs(items[1]!, { position: 1, text: "French result", role: "tool", tools: ["read"], at: 5_000 }),
    ],
  });
  const places = async (scope: Omit<RecallSearchOptions, "query">): Promise<readonly string[]> => {
    const { results } = await recallSearch(archive, { query: "French", ...scope });
    return results.map(({ conversationId, message }) => `${conversationId}${message}`).toSorted();
  };
  expect(await places({})).toEqual(["a0", "b0", "b1"]);
  expect(await places({ conversationId: "b" })).toEqual(["b0", "b1"]);
  expect(await places({ roles: ["assistant"] })).toEqual(["b0"]);
  expect(await places({ tool: "read" })).toEqual(["b1"]);
  expect(await places({ since: 4_000 })).toEqual(["b1"]);
  expect(await places({ until: 4_000, conversationId: "b" })).toEqual(["b0"]);
});

test("[R35] prefers the newer of two equal messages and what was said over what was printed", async () => {
  const archive = memoryArchive();
  const texts = ["the port is 8080 then", "the port is 8081 now", "the port is 8082 here"];
  const items = texts.map((text) => messageItem(text));
  const day = 24 * 3_600_000;
  await archive.put({
    conversation: "a",
    at: 1,
    items,
    messages: [
      saidAs(items[0]!, { position: 10, text: texts[0]!, at: day }),
      saidAs(items[1]!, { position: 20, text: texts[1]!, at: 90 * day }),
      saidAs(items[2]!, { position: 30, text: texts[2]!, at: 90 * day, role: "tool", tools: ["sh"] }),
    ],
  });
  const { results } = await recallSearch(archive, { query: "which port?" });
  expect(results.map(({ message }) => message)).toEqual([20, 10, 30]);
});

test("[R35] the message that opens a conversation comes after a later one that says as much", async () => {
  const archive = await archiveOf(["please fix the parser", "well", "so", "then", "he fixed the parser"]);
  const { results } = await recallSearch(archive, { query: "parser" });
  expect(results.map(({ message }) => message)).toEqual([4, 0]);
});

test("[R35] of two messages that say the same, the one behind a message about the question comes first", async () => {
  const texts = [
    "hello",
    "a",
    "b",
    "c",
    "Is the cache of zebras slow?",
    "no, the cache is fast",
    "d",
    "the cache is fast",
  ];
  const { results } = await recallSearch(await archiveOf(texts), { query: "cache of zebras" });
  expect(results.map(({ message }) => message)).toEqual([4, 5, 7]);
});

test("[R35] shows what was said twice in the same words once", async () => {
  const archive = await archiveOf(["run the tests", "well", "run the tests"]);
  const { results } = await recallSearch(archive, { query: "tests" });
  expect(results.map(({ snippet }) => snippet)).toEqual(["run the tests"]);
});

test("[R35] keeps limit and budget, and cuts a first result that is too long", async () => {
  const archive = await archiveOf(Array.from({ length: 30 }, (_, index) => `zebra ${index} `.repeat(20)));
  const counter = createTokenCounter();
  const { results, found } = await recallSearch(archive, { query: "zebra", limit: 50, maxTokens: 600 });
  expect(found).toBe(30);
  expect(results.length).toBeGreaterThan(1);
  expect(results.length).toBeLessThan(30);
  expect(results.reduce((sum, { snippet }) => sum + counter.text(snippet), 0)).toBeLessThanOrEqual(600);
  const [only, ...none] = (await recallSearch(archive, { query: "zebra", maxTokens: 60 })).results;
  expect(none).toEqual([]);
  expect(only!.snippet.endsWith("…")).toBe(true);
  expect(counter.text(only!.snippet)).toBeLessThanOrEqual(60);
  expect((await recallSearch(archive, { query: "zebra", limit: 2 })).results.length).toBe(2);
});

test("[R35] shows the passage of a long message that answers", async () => {
  const filler = "Some other text about nothing in particular.\n".repeat(60);
  const archive = await archiveOf([`${filler}The licence key expired in May.\n${filler}`]);
  const snippet = await best(archive, { query: "when did the licence run out?" });
  expect(snippet).toContain("expired in May");
  expect(snippet!.length).toBeLessThan(500);
});

test("[R35] answers any question without an error", async () => {
  const archive = await archiveOf();
  const odd = [
    "",
    "   ",
    "what was it then?",
    '"',
    "NEAR(",
    "\0",
    "漢字",
    "\ud800",
    "x".repeat(100_000),
    "a ".repeat(9_000),
  ];
  for (const query of odd) await recallSearch(archive, { query });
  expect((await recallSearch(archive, { query: "" })).results).toEqual([]);
});

test("[R35] says when an archive cannot search", async () => {
  const { put, get } = await archiveOf();
  await expect(recallSearch({ name: "bare", put, get }, { query: "x" })).rejects.toThrow(
    "cannot be searched",
  );
});

/** Knows two meanings, animals and money, and counts what it was asked for. */
function meaningEmbedder(): { readonly embed: Embedder; readonly asked: string[] } {
  const asked: string[] = [];
  const embed: Embedder = async (texts) => {
    asked.push(...texts);
    return texts.map((text) =>
      Float32Array.of(/zebra|horse|animal/.test(text) ? 3 : 0, /cash|invoice|salary/.test(text) ? 2 : 0, 0.1),
    );
  };
  return { embed, asked };
}

test("[R35] with vectors finds what shares no word with the question, and embeds a message once", async () => {
  const archive = await archiveOf(["a horse ran by", "salary arrives monday", "unrelated words here"]);
  const { embed, asked } = meaningEmbedder();
  const query = { query: "which animal?", embed, limit: 1 };
  expect(await best(archive, query)).toBe("a horse ran by");
  const before = asked.length;
  await writeTo(archive, textWrite("a", ["one zebra more"], 3));
  await recallSearch(archive, query);
  expect(asked.slice(before).toSorted()).toEqual([
    "one zebra more",
    "unrelated words here\none zebra more",
    "which animal?",
  ]);
});

test("[R35] vectors stay within the scope and forget what was forgotten", async () => {
  const archive = await archiveOf(["a horse ran by"]);
  await writeTo(archive, textWrite("b", ["another horse"]));
  const { embed } = meaningEmbedder();
  const ask = async (scope: Omit<RecallSearchOptions, "query"> = {}): Promise<readonly string[]> =>
    (await recallSearch(archive, { query: "animal", embed, ...scope })).results.map(({ snippet }) => snippet);
  expect((await ask()).toSorted()).toEqual(["a horse ran by", "another horse"]);
  expect(await ask({ conversationId: "b" })).toEqual(["another horse"]);
  expect(await ask({ roles: ["tool"] })).toEqual([]);
  await archive.forget!({ conversation: "a" });
  expect(await ask()).toEqual(["another horse"]);
});

test("[R35] an index that the caller keeps is not updated by a search", async () => {
  const archive = await archiveOf(["a horse ran by"]);
  const { embed, asked } = meaningEmbedder();
  const vectors = createVectorIndex(archive, embed);
  expect((await recallSearch(archive, { query: "animal", vectors })).results).toEqual([]);
  await vectors.update();
  expect(await best(archive, { query: "animal", vectors })).toBe("a horse ran by");
  expect(asked).toEqual(["animal", "a horse ran by", "animal"]);
});

test("[R35] embeds again what failed half-way", async () => {
  const archive = await archiveOf(["a horse ran by"]);
  const { embed } = meaningEmbedder();
  let failing = true;
  const flaky: Embedder = async (texts) => {
    if (failing) throw new Error("model is down");
    return embed(texts);
  };
  await expect(recallSearch(archive, { query: "animal", embed: flaky })).rejects.toThrow("model is down");
  failing = false;
  expect(await best(archive, { query: "animal", embed: flaky })).toBe("a horse ran by");
});
