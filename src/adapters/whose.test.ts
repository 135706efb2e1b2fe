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
