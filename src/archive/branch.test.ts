import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { readConversation } from "../providers/detect.ts";
import { branchOf } from "./branch.ts";
import { memoryArchive } from "./memory.ts";

const turns = Array.from({ length: 30 }, (_, at) => [
  { role: "user", content: `Next ${at}.` },
  { role: "assistant", content: `I did ${at}. `.repeat(50) },
]).flat();

const prompted = (date: string) => [
  { role: "system", content: "You are an agent." },
  { role: "developer", content: "Be short." },
  { role: "system", content: `Today is ${date}.` },
  ...turns,
];

test("finds the past where the third of the leading system prompts changed", async () => {
  const archive = memoryArchive();
  const compactor = createCompactor({ target: "40%", archive });
  const { report, messages } = await compactor.compact(prompted("Monday"), { conversationId: "talk" });
  expect(report.compaction).toBeDefined();
  const asking = (body: unknown) => [readConversation(body).messages];
  const resent = await branchOf(archive, "talk", asking(prompted("Tuesday")));
  expect([...resent.outside]).toEqual([]);
  const continued = JSON.parse(JSON.stringify(messages).replace("Monday", "Tuesday"));
  expect([...(await branchOf(archive, "talk", asking(continued))).outside]).toEqual([]);
});
