import { expect, test } from "vitest";
import { importConversation } from "../archive/import-conversation.ts";
import { memoryArchive } from "../archive/memory.ts";
import { createCompactor } from "../compactor.ts";
import { assistant, rawConversation, user, type WireMessage } from "../testing/builders.ts";
import { recallExpand } from "./expand.ts";
import { recallSearch } from "./search.ts";

const talk = (from: number, to: number): readonly WireMessage[] =>
  Array.from({ length: to - from }, (_, at) => [
    user(`Step ${from + at} of the move, please.`),
    assistant(`Step ${from + at} is done. ${"All of it went well. ".repeat(20)}`),
  ]).flat();
const begin = rawConversation(user("We move the database."), ...talk(0, 4));
const withdrawn = [...begin, user("We decide on MySQL for the database."), ...talk(4, 9)];
const held = [...begin, user("We decide on PostgreSQL for the database."), ...talk(4, 9)];
const call = { conversationId: "move" };

/** The user decided, went back, and decided otherwise. */
async function decidedTwice(...branches: readonly (readonly WireMessage[])[]) {
  const archive = memoryArchive();
  let at = 1_000;
  const clock = (): number => {
    at += 1_000;
    return at;
  };
  const compactor = createCompactor({ target: "40%", archive, clock });
  for (const branch of branches) {
    const { report } = await compactor.compact(branch, call);
    expect(report.compacted).toBe(true);
  }
  return { archive, compactor };
}
const question = { query: "What did we decide on for the database?", ...call };
const snippets = ({ results }: Awaited<ReturnType<typeof recallSearch>>): string =>
  results.map(({ snippet }) => snippet).join("\n");

test("a decision that was taken back does not come back, whichever branch was compacted last", async () => {
  for (const order of [
    [withdrawn, held],
    [held, withdrawn],
  ]) {
    const { archive } = await decidedTwice(...order);
    const found = await recallSearch(archive, { ...question, asking: held });
    expect(found.results[0]?.snippet).toContain("PostgreSQL");
    expect(snippets(found)).not.toContain("MySQL");
    expect(found.hasOthers).toBe(true);
  }
});

test("where nobody says from where it is asked, the branch of the last compaction counts", async () => {
  const { archive } = await decidedTwice(withdrawn, held);
  expect(snippets(await recallSearch(archive, question))).not.toContain("MySQL");
  const { conversationId: _, ...everywhere } = question;
  const found = snippets(await recallSearch(archive, everywhere));
  expect(found).toContain("PostgreSQL");
  expect(found).not.toContain("MySQL");
});

test("other branches are there when they are asked for, and say so", async () => {
  const { archive } = await decidedTwice(withdrawn, held);
  const { results } = await recallSearch(archive, { ...question, asking: held, otherBranches: true });
  const others = results.filter(({ otherBranch }) => otherBranch);
  expect(others.map(({ snippet }) => snippet).join("\n")).toContain("MySQL");
  expect(results.find(({ snippet }) => snippet.includes("PostgreSQL"))?.otherBranch).toBeUndefined();
});

test("what is of another branch opens when it is asked for, and says so", async () => {
  const { archive } = await decidedTwice(withdrawn, held);
  const all = await archive.messages!("move");
  const { id } = all.find(({ text }) => text.includes("MySQL"))!;
  expect(await recallExpand(archive, { id, ...call, asking: held })).toMatchObject({ found: false });
  const opened = await recallExpand(archive, { id, ...call, asking: held, otherBranches: true });
  expect(opened.text).toMatch(/^\[NOT in this conversation's past: .*\n.*MySQL/);
  const range = await recallExpand(archive, { ...call, asking: held, maxTokens: 20_000 });
  expect(range.text).toContain("PostgreSQL");
  expect(range.text).not.toContain("MySQL");
});

test("a conversation that is imported again after it was rewound is the one that it is now", async () => {
  const archive = memoryArchive();
  let at = 0;
  const put = (body: readonly WireMessage[]) =>
    importConversation(archive, { conversationId: "move", body, at: ++at, as: "whole" });
  const found = async () => snippets(await recallSearch(archive, { ...question, limit: 20 }));
  await put(withdrawn);
  await put(held);
  expect(await found()).toContain("PostgreSQL");
  expect(await found()).not.toContain("MySQL");
  await put(withdrawn);
  expect(await found()).toContain("MySQL");
  expect(await found()).not.toContain("PostgreSQL");
  // Another piece of it, which begins otherwise, adds to it.
  await put([user("We decide on SQLite for the tests of the database.")]);
  expect(await found()).toMatch(/MySQL/);
  expect(await found()).toMatch(/SQLite/);
  expect(await found()).not.toContain("PostgreSQL");
});

test("a moved cache mark and another system prompt are the same branch", async () => {
  const { archive, compactor } = await decidedTwice(withdrawn);
  const { messages } = await compactor.preview(withdrawn, call);
  const marked = messages.map((message, at) =>
    at === 1
      ? {
          ...message,
          content: [{ type: "text", text: message.content, cache_control: { type: "ephemeral" } }],
        }
      : message,
  );
  const later = [{ role: "system", content: "Another day." }, ...marked, user("And now?")];
  expect(snippets(await recallSearch(archive, { ...question, asking: later }))).toContain("MySQL");
});
