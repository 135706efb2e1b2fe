import { expect, test } from "vitest";
import { memoryArchive } from "../archive/memory.ts";
import { pithOpenAI } from "./openai.ts";
import { nameOfCall } from "./whose.ts";

test("no two users have a conversation of the same name, whatever they are called", () => {
  const names = [
    { conversationId: "a/b" },
    { user: "a", conversationId: "b" },
    { user: "a/b", conversationId: "c" },
    { user: "a", conversationId: "b/c" },
    { user: "@a", conversationId: "b" },
  ].map(nameOfCall);
  expect(new Set(names).size).toBe(names.length);
  expect(nameOfCall({ user: "a" })).toBeUndefined();
  expect(() => nameOfCall({ conversationId: "@a/b" })).toThrow("user");
  expect(() => nameOfCall({ conversationId: "" })).toThrow("conversationId");
});

test("one client serves many: recall finds nothing of another user, and nothing for who does not say whose it is", async () => {
  const pith = pithOpenAI({
    window: 2_000,
    archive: memoryArchive(),
    fetch: async () => Response.json({}),
  });
  const say = (user: string) =>
    pith.fetch("http://model/v1/chat/completions", {
      method: "POST",
      headers: { "x-pith-user": user, "x-pith-conversation": "support" },
      body: JSON.stringify({
        model: "m",
        messages: Array.from({ length: 30 }, (_, at) => ({
          role: at % 2 === 0 ? "user" : "assistant",
          content: `The door code of ${user} is ${user}-4711. ${"We talk about it. ".repeat(20)}`,
        })),
      }),
    });
  await say("ann");
  await say("ben");
  const ask = { query: "door code" };
  const whose = (user: string) => ({ user, conversationId: "support" });
  expect(await pith.runTool("recall_search", ask, whose("ann"))).toContain("ann-4711");
  expect(await pith.for(whose("ben")).runTool("recall_search", ask)).toContain("ben-4711");
  expect(await pith.runTool("recall_search", ask, whose("ben"))).not.toContain("ann-4711");
  expect(await pith.runTool("recall_search", ask, whose("cid"))).not.toMatch(/4711/);
  expect(await pith.runTool("recall_search", ask)).toMatch(/serves several conversations/);
});

const url = "http://model/v1/chat/completions";
const talkOf = (length: number): string =>
  JSON.stringify({
    model: "m",
    messages: Array.from({ length }, (_, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      content: `The door code is 4711. ${at} ${"We talk about it. ".repeat(20)}`,
    })),
  });
const longTalk = talkOf(30);

test("a Request says whose it is by its own headers, and they are not sent on", async () => {
  const sent: Request[] = [];
  const pith = pithOpenAI({
    window: 2_000,
    archive: memoryArchive(),
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      return Response.json({});
    },
  });
  const headers = {
    authorization: "Bearer k",
    "x-pith-user": "ann",
    "x-pith-conversation": "support",
  };
  await pith.fetch(new Request(url, { method: "POST", headers }), { body: longTalk });
  await pith.fetch(new Request(url, { method: "POST", headers, body: longTalk }));
  // As fetch has it: headers that are given beside a Request replace its own.
  await pith.fetch(new Request(url, { method: "POST", headers }), { headers: { authorization: "Bearer l" } });
  expect(sent.map((each) => each.headers.get("authorization"))).toEqual(["Bearer k", "Bearer k", "Bearer l"]);
  const names = sent.flatMap((each) => [...each.headers.keys()]);
  expect(names.filter((name) => name.startsWith("x-pith-"))).toEqual([]);
  expect(await sent[1]!.text()).toBe(longTalk);
  const ask = { query: "door code" };
  expect(await pith.runTool("recall_search", ask, { user: "ann", conversationId: "support" })).toContain(
    "4711",
  );
});

test("the same model is asked for a summary with the headers of the Request", async () => {
  const [keys, asides]: (string | null)[][] = [[], []];
  const pith = pithOpenAI({
    window: 24_000,
    archive: memoryArchive(),
    summarizer: "same",
    fetch: async (input, init) => {
      const { headers, redirect } = new Request(input, init);
      (redirect === "manual" ? asides : keys)!.push(headers.get("authorization"));
      return Response.json({ choices: [{ message: { role: "assistant", content: "A summary." } }] });
    },
  });
  for (const length of [141, 161]) {
    const asking = new Request(url, { method: "POST", headers: { authorization: "Bearer k" } });
    await pith.fetch(asking, { body: talkOf(length) });
  }
  await expect.poll(() => asides).toEqual(["Bearer k"]);
  expect(new Set(keys)).toEqual(new Set(["Bearer k"]));
});
