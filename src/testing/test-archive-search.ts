/** The part of the Archive conformance suite that is about finding candidates. */
import type { ArchivedMessage, ArchiveWrite, Candidate, CandidateQuery } from "../archive/archive.ts";
import { writeTo } from "../archive/ready-write.ts";
import type { ArchiveCheck, ArchivePower, CheckArchive } from "./archive-check.ts";
import { messageItem, saidAs, textWrite } from "./archive-writes.ts";

import type { TestRunner } from "./test-format.ts";

/** Registers the tests through the `check` of the suite. */
export function testArchiveSearch(check: CheckArchive, expect: TestRunner["expect"]): void {
  const search = (behaviour: string, run: ArchiveCheck, ...more: ArchivePower[]): void =>
    check(behaviour, ["candidates", ...more], run);

  search("finds a message by a word in another inflection", async (archive) => {
    await writeTo(archive, textWrite("a", ["The parser failed twice.", "All is well.", "Deploying later."]));
    const [best] = await archive.candidates(asked("failing", "parsers"));
    expect(best).toEqual({
      ...textWrite("a", ["The parser failed twice."]).messages![0]!,
      conversation: "a",
      wordScore: best?.wordScore,
      fragmentScore: 0,
    });
    expect(best!.wordScore > 0).toBe(true);
    expect(textsOf(await archive.candidates(asked("deployed")))).toEqual(["Deploying later."]);
    expect(await archive.candidates(asked("unheard"))).toEqual([]);
  });

  search("ranks more and rarer words higher", async (archive) => {
    const common = Array.from({ length: 20 }, (_, index) => `the cache is number ${index}`);
    await writeTo(archive, textWrite("a", [...common, "the cache evicts", "the eviction of zebras"]));
    const found = await archive.candidates(asked("cache", "evicts"));
    expect(found[0]?.text).toBe("the cache evicts");
    const rare = await archive.candidates(asked("cache", "zebra"));
    expect(best(rare)).toBe("the eviction of zebras");
  });

  search("finds fragments inside of words, case aside", async (archive) => {
    await writeTo(
      archive,
      textWrite("a", ["see src/tools/parseConfigFile.ts:42", "nothing here", "order ORD-2291-X failed"]),
    );
    const path = await archive.candidates({ words: [], fragments: ["tools/parseconfig"], limit: 5 });
    expect(textsOf(path)).toEqual(["see src/tools/parseConfigFile.ts:42"]);
    expect(path[0]!.fragmentScore > 0).toBe(true);
    expect(path[0]!.wordScore).toBe(0);
    expect(textsOf(await archive.candidates({ words: [], fragments: ["rd-2291"], limit: 5 }))).toEqual([
      "order ORD-2291-X failed",
    ]);
    expect(await archive.candidates({ words: [], fragments: ["ORD-2292"], limit: 5 })).toEqual([]);
    expect(await archive.candidates({ words: [], fragments: ["ORD X"], limit: 5 })).toEqual([]);
  });

  search("finds fragments of one or two characters where they start a word", async (archive) => {
    await writeTo(archive, textWrite("a", ["go fmt", "漢字 only", "other"]));
    expect(textsOf(await archive.candidates({ words: [], fragments: ["漢字"], limit: 5 }))).toEqual([
      "漢字 only",
    ]);
    expect(textsOf(await archive.candidates({ words: [], fragments: ["go"], limit: 5 }))).toEqual(["go fmt"]);
  });

  search("finds ideographs inside a run without spaces", async (archive) => {
    await writeTo(archive, textWrite("a", ["数据库连接失败因为密码错误", "天气很好"]));
    expect(textsOf(await archive.candidates({ words: [], fragments: ["连接失败"], limit: 5 }))).toEqual([
      "数据库连接失败因为密码错误",
    ]);
  });

  search("gives words and fragments in one answer, a message once", async (archive) => {
    await writeTo(archive, textWrite("a", ["retry timeout in client.ts", "timeout again", "see client.ts"]));
    const found = await archive.candidates({ words: ["timeout"], fragments: ["client.ts"], limit: 5 });
    expect(textsOf(found).toSorted()).toEqual([
      "retry timeout in client.ts",
      "see client.ts",
      "timeout again",
    ]);
    const both = found.find(({ text }) => text.startsWith("retry"))!;
    expect(both.wordScore > 0 && both.fragmentScore > 0).toBe(true);
  });

  search("gives no more candidates of each kind than the limit", async (archive) => {
    await writeTo(
      archive,
      textWrite(
        "a",
        Array.from({ length: 40 }, (_, index) => `word file-${index}.ts`),
      ),
    );
    expect((await archive.candidates({ words: ["word"], limit: 7 })).length).toBe(7);
    expect((await archive.candidates({ words: [], fragments: ["file-"], limit: 7 })).length).toBe(7);
    expect(await archive.candidates({ words: ["word"], fragments: ["file-"], limit: 0 })).toEqual([]);
  });

  search("stays within the scope", async (archive) => {
    await writeTo(archive, scopedWrite("a"));
    await writeTo(archive, scopedWrite("b"));
    const placesOf = async (scope: CandidateQuery["scope"], query = asked("needle")) => {
      const found = await archive.candidates({ ...query, ...(scope && { scope }) });
      return found.map(({ conversation, position }) => `${conversation}${position}`).toSorted();
    };
    for (const query of [asked("needle"), { words: [], fragments: ["eedl"], limit: 50 }]) {
      expect(await placesOf(undefined, query)).toEqual(["a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"]);
      expect(await placesOf({ conversation: "b" }, query)).toEqual(["b0", "b1", "b2", "b3"]);
      expect(await placesOf({ conversation: "nobody" }, query)).toEqual([]);
      expect(await placesOf({ conversation: "a", roles: ["tool", "assistant"] }, query)).toEqual([
        "a1",
        "a2",
        "a3",
      ]);
      expect(await placesOf({ roles: [] }, query)).toEqual([]);
      expect(await placesOf({ tool: "read", conversation: "a" }, query)).toEqual(["a1", "a2"]);
      expect(await placesOf({ tool: "rea" }, query)).toEqual([]);
      expect(await placesOf({ tool: 'odd"[]tool' }, query)).toEqual(["a3", "b3"]);
      expect(await placesOf({ since: 1_001, until: 1_002, conversation: "a" }, query)).toEqual(["a1", "a2"]);
    }
  });

  search("finds nothing of what Pith wrote itself, and the user's part beside it", async (archive) => {
    const handOff = "[Pith hand-off] Past reference:\nThe zebra sleeps in den-4417.ts.\n[End of hand-off]";
    const said: readonly (readonly [Pick<ArchivedMessage, "role" | "tools">, string])[] = [
      [{ role: "user", tools: [] }, handOff],
      [{ role: "assistant", tools: [] }, `[SUMMARY]: zebra in den-4417.ts`],
      [{ role: "user", tools: [] }, `${handOff}\nWake the zebra up.`],
      [{ role: "user", tools: [] }, `${handOff}\nWake the lion up.`],
      [{ role: "tool", tools: ["recall_search"] }, "zebra\n\n[showing 1 of 1 results]"],
      [
        { role: "user", tools: ["mcp__pith__recall_expand"] },
        "den-4417.ts zebra\n[showing all 17 characters]",
      ],
      [{ role: "assistant", tools: ["recall_search"] }, 'recall_search {"query":"zebra"}'],
      [{ role: "tool", tools: ["read"] }, "the zebra's den is den-4417.ts"],
    ];
    const items = said.map(([, text], position) => messageItem(`${position} ${text}`));
    const messages = said.map(([by, text], position) => saidAs(items[position]!, { ...by, position, text }));
    await writeTo(archive, { conversation: "a", at: 1, items, messages });
    const found = await archive.candidates({ words: ["zebra"], fragments: ["den-4417.ts"], limit: 9 });
    expect(textsOf(found).toSorted()).toEqual(["Wake the zebra up.", "the zebra's den is den-4417.ts"]);
    expect(found.find(({ role }) => role === "user")!.fragmentScore).toBe(0);
    expect((await archive.get(items[0]!.id))?.content).toBe(items[0]!.content);
  });

  search("finds what was said behind any number of Pith's own answers", async (archive) => {
    await writeTo(archive, textWrite("a", ["the zebra sleeps in den-4417.ts now and then"]));
    const own = Array.from({ length: 60 }, (_, index) => `zebra zebra den-4417.ts ${index}`);
    const items = own.map((text) => messageItem(text));
    const messages = items.map((item, position) =>
      saidAs(item, { position, text: own[position]!, role: "tool", tools: ["recall_search"] }),
    );
    await writeTo(archive, { conversation: "b", at: 2, items, messages });
    for (const query of [asked("zebra"), { words: [], fragments: ["den-4417"], limit: 5 }]) {
      const found = await archive.candidates({ ...query, limit: 5 });
      expect(textsOf(found)).toEqual(["the zebra sleeps in den-4417.ts now and then"]);
    }
  });

  search("takes any query without an error", async (archive) => {
    await writeTo(archive, textWrite("a", ["something to find"]));
    const odd = ['"', "'", "*", "a*", "NEAR(a b)", "AND", "OR NOT", "text:x", "^a", "(", "-", "\0", "a\0b"];
    const hostile = [...odd, "", "   ", "\ud800", "%", "_", "x".repeat(100_000), "漢".repeat(10_000)];
    for (const piece of hostile) {
      await archive.candidates({ words: [piece], fragments: [piece], limit: 5 });
    }
    const many = Array.from({ length: 5_000 }, (_, index) => `w${index}`);
    const found = await archive.candidates({
      words: ["something", ...many],
      fragments: ["to find", ...many],
      limit: 5,
    });
    expect(textsOf(found)).toEqual(["something to find"]);
    expect(await archive.candidates({ words: [], limit: 5 })).toEqual([]);
  });

  search("indexes a megabyte of anything", async (archive) => {
    const runs = ["a", " ", "-", "漢", "QUJDREVGSElKS0xN"].map((unit) =>
      unit.repeat(1_000_000 / unit.length),
    );
    await writeTo(archive, textWrite("a", [...runs, "the needle at the end"]));
    expect(textsOf(await archive.candidates(asked("needle")))).toEqual(["the needle at the end"]);
    const found = await archive.candidates({ words: [], fragments: ["GSElKS0"], limit: 5 });
    expect(found.map(({ position }) => position)).toEqual([4]);
  });

  search(
    "finds nothing of what was forgotten",
    async (archive) => {
      await writeTo(archive, textWrite("a", ["the zebra of src/zebra-file.ts", "the tiger stays"]));
      await writeTo(archive, textWrite("b", ["another zebra-file.ts"]));
      const query: CandidateQuery = { words: ["zebra", "tiger"], fragments: ["zebra-file"], limit: 9 };
      await archive.forget({ ids: [messageItem("the zebra of src/zebra-file.ts").id] });
      expect(textsOf(await archive.candidates(query)).toSorted()).toEqual([
        "another zebra-file.ts",
        "the tiger stays",
      ]);
      await archive.forget({ conversation: "b" });
      expect(textsOf(await archive.candidates(query))).toEqual(["the tiger stays"]);
    },
    "forget",
  );
}

function asked(...words: readonly string[]): CandidateQuery {
  return { words, limit: 50 };
}

function textsOf(found: readonly Candidate[]): readonly string[] {
  return found.map(({ text }) => text);
}

function best(found: readonly Candidate[]): string | undefined {
  return found.toSorted((left, right) => right.wordScore - left.wordScore)[0]?.text;
}

/** One message of each role, times and tools, all with the same word. */
function scopedWrite(conversation: string): ArchiveWrite {
  const said = [
    { role: "user", tools: [] },
    { role: "assistant", tools: ["read", "write"] },
    { role: "tool", tools: ["read"] },
    { role: "tool", tools: ['odd"[]tool'] },
  ] as const;
  const items = said.map((_, position) => messageItem(`${conversation} needle ${position}`));
  const messages = said.map(({ role, tools }, position) =>
    saidAs(items[position]!, { position, role, tools, text: `needle ${conversation} ${position}` }),
  );
  return { conversation, at: 1, items, messages };
}
