import { expect, test } from "vitest";
import { SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import { openAISummarizer } from "../summarizer/openai-compatible.ts";
import { createModelServer, summaryOf } from "./model-server.ts";
import { scriptedSummarizer } from "./scripted-summarizer.ts";

const facts = Array.from({ length: 20 }, (_, index) => `Fact ${index} about src/file-${index}.ts.`);
const signal = new AbortController().signal;

test("a summary drops and invents the shares it is told, the same for the same seed", () => {
  const made = summaryOf(facts, { drop: 0.3, invent: 0.1, seed: 5 });
  expect(made.dropped.length).toBe(6);
  expect(made.invented.length).toBe(2);
  expect(made.kept.every((fact) => made.text.includes(fact))).toBe(true);
  expect(made.dropped.some((fact) => made.text.includes(fact))).toBe(false);
  expect(made.invented.every((fact) => made.text.includes(fact))).toBe(true);
  expect(summaryOf(facts, { drop: 0.3, invent: 0.1, seed: 5 })).toEqual(made);
  expect(summaryOf(facts, { drop: 0.3, invent: 0.1, seed: 6 }).dropped).not.toEqual(made.dropped);
  expect(summaryOf(facts).kept).toEqual(facts);
});

test("replies in the order of its list, repeats the last, and records every request", async () => {
  const server = await createModelServer({
    reply: [
      { type: "say", text: "one" },
      { type: "say", text: "two" },
    ],
  });
  const summarizer = openAISummarizer({ url: server.url, model: "m" });
  const texts: string[] = [];
  for (const prompt of ["a", "b", "c"])
    texts.push((await summarizer.summarize({ prompt, targetTokens: 9, signal })).text);
  expect(texts).toEqual(["one", "two", "two"]);
  expect(server.requests.map(({ prompt }) => prompt)).toEqual(["a", "b", "c"]);
  await server.close();
});

test("summarizes the transcript it was sent, slowly if told so, as a function chooses", async () => {
  const server = await createModelServer({
    reply: (_request, index) =>
      index === 0
        ? { type: "slow", delayMs: 5, reply: { type: "summarize" } }
        : { type: "summarize", facts, drop: 1 },
  });
  const summarizer = openAISummarizer({ url: server.url, model: "m" });
  const prompt =
    "Do it.\n---\nTURNS TO SUMMARIZE:\n<turn-0>\n[USER]: fix a.ts\n</turn-0>\n---\n\nWrite only the summary.";
  const { text } = await summarizer.summarize({ prompt, targetTokens: 9, signal });
  expect(text).toBe("[CONTEXT SUMMARY]: What was done so far.\n- fix a.ts");
  expect((await summarizer.summarize({ prompt, targetTokens: 9, signal })).text).not.toContain("Fact");
  await server.close();
});

test("what is no request is answered with 400, and a list of nothing with 500", async () => {
  const server = await createModelServer({ reply: [] });
  expect((await fetch(server.url, { method: "POST", body: "{" })).status).toBe(400);
  expect((await fetch(server.url, { method: "POST", body: "{}" })).status).toBe(500);
  await server.close();
});

test("a scripted summarizer follows its script, records its calls and fails behind the end", async () => {
  const summarizer = scriptedSummarizer(
    [
      "text",
      { text: "cut", finish: "length" },
      (request) => ({ text: request.prompt, finish: "stop", model: "f" }),
    ],
    { name: "script", window: 4_000 },
  );
  const ask = (prompt: string) => summarizer.summarize({ prompt, targetTokens: 9, signal });
  expect(await ask("a")).toEqual({ text: "text", finish: "stop", model: "script" });
  expect(await ask("b")).toEqual({ text: "cut", finish: "length", model: "script" });
  expect((await ask("c")).text).toBe("c");
  await expect(ask("d")).rejects.toBeInstanceOf(SummarizerFailedError);
  expect(summarizer.calls.map(({ prompt }) => prompt)).toEqual(["a", "b", "c", "d"]);
  expect(summarizer.window).toBe(4_000);
});

test("a scripted summarizer listens to its caller", async () => {
  const summarizer = scriptedSummarizer([{ hang: true }, "late"]);
  const timeout = AbortSignal.timeout(10);
  await expect(summarizer.summarize({ prompt: "", targetTokens: 9, signal: timeout })).rejects.toMatchObject({
    failure: "timeout",
  });
  const aborted = AbortSignal.abort();
  await expect(summarizer.summarize({ prompt: "", targetTokens: 9, signal: aborted })).rejects.toMatchObject({
    failure: "aborted",
  });
});
