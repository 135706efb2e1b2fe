import { expect, test } from "vitest";
import { assistant, conversation, user, type WireMessage } from "../testing/builders.ts";
import type { RankedMessage, Speaker } from "./gather-specifics.ts";
import { indexLines, lineAt } from "./line-index.ts";
import { rankLines, unsaidValues } from "./rank-lines.ts";

function ranked(message: WireMessage, speaker: Speaker): RankedMessage {
  return { index: indexLines(conversation(message).messages[0]!), speaker, tokensPerChar: 0.25 };
}

/** The lines, best first. */
function rank(messages: readonly RankedMessage[], maxTokens = 10_000, alreadySaid = ""): readonly string[] {
  const { lines, messageOf, firstLine } = rankLines({
    messages,
    maxTokens,
    ...unsaidValues(messages, alreadySaid),
  });
  return [...lines].map((line) => {
    const message = messageOf[line]!;
    return lineAt(messages[message]!.index, line - firstLine[message]!);
  });
}

test("[R36] lines with specifics come before lines without", () => {
  const message = ranked(assistant("some plain words here\nsee src/parser.ts:4711 now"), "tool");
  const order = rank([message]);
  expect(order[0]).toContain("src/parser.ts:4711");
  expect(order.at(-1)).toBe("some plain words here");
});

test("a specific is worth something once: its second line comes after lines that bring new ones", () => {
  const message = ranked(
    assistant("first about src/a.ts\nagain about src/a.ts\nthen about src/b.ts"),
    "tool",
  );
  const firstTwo = rank([message]).slice(0, 2).join(" ");
  expect(firstTwo).toContain("src/a.ts");
  expect(firstTwo).toContain("src/b.ts");
});

test("what stands beside the digest anyway is worth nothing", () => {
  const message = ranked(assistant("first about src/a.ts\nthen about src/b.ts"), "tool");
  expect(rank([message], 10_000, "it says src/a.ts")[0]).toContain("src/b.ts");
});

test("a later mention, a person's word and a repeated one count more", () => {
  const early = ranked(assistant("file src/early.ts"), "tool");
  const late = ranked(assistant("file src/later.ts"), "tool");
  expect(rank([early, late])[0]).toContain("src/later.ts");
  expect(rank([ranked(user("file src/early.ts"), "user"), late])[0]).toContain("src/early.ts");
  const twice = [
    ranked(assistant("file src/early.ts once"), "tool"),
    ranked(assistant("file src/early.ts"), "tool"),
  ];
  expect(rank([...twice, ranked(assistant("file src/other.ts"), "tool")])[0]).toMatch(/early/);
});

test("ranking stops when enough is ranked", () => {
  const messages = Array.from({ length: 500 }, (_, at) =>
    ranked(assistant(`line about src/file-${at}.ts`), "tool"),
  );
  const { length } = rank(messages, 100);
  expect(length).toBeGreaterThan(5);
  expect(length).toBeLessThan(500);
});

test("all lines are ranked once when there is room, whether they hold specifics, are alike, or are none", () => {
  const alike = ranked(assistant("same words\n".repeat(1000)), "assistant");
  expect(rank([alike], 1e9)).toHaveLength(1000);
  expect(rank([ranked({ role: "user", content: null }, "user")])).toEqual([]);
  expect(rank([])).toEqual([]);
});

test("a path is the same thing however much of it is said, and says its own name too", () => {
  const message = ranked(
    assistant("see /home/me/app/src/cli/run.ts\nalso cli/run.ts\nand run.ts, RunAll"),
    "tool",
  );
  const order = rank([message]);
  expect(order.filter((unit) => !unit.includes(" ")).length).toBeLessThanOrEqual(2);
  expect(rank([message], 10_000, "in lib/cli/run.ts").slice(0, 1).join()).toContain("RunAll");
});

test("the same messages give the same ranking", () => {
  const lines = Array.from({ length: 300 }, (_, at) => `word${at % 7} in src/${at % 50}.ts and ${at * 7919}`);
  const build = () =>
    rank([ranked(assistant(lines.join("\n")), "tool"), ranked(user(lines.join(" ")), "user")]);
  expect(build()).toEqual(build());
});
