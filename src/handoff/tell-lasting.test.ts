import { expect, test } from "vitest";
import { readTurns } from "../reading/read-turns.ts";
import { usedLater } from "../reading/used-later.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { readStory } from "./read-story.ts";
import type { Story } from "./story.ts";
import { withLasting } from "./tell-lasting.ts";
import { tellStory } from "./tell-story.ts";
import { writeStory } from "./write-story.ts";

const counter = createTokenCounter();
const storyOf = (...messages: readonly WireMessage[]): Story => {
  const all = conversation(...messages).messages;
  return tellStory(readTurns(all), {
    used: usedLater(all),
    goesOn: false,
    lastSaid: all.length,
    answered: true,
  });
};
const ran = (command: string, answer: string) => [assistant("", call("Bash", { command })), result(answer)];
const commit = (at: number) =>
  ran(
    `git commit -am "fix: part ${at}" && git push`,
    `[main ${hashOf(at)}] fix: part ${at}\n   a1b2c3d..b2c3d4e  main -> main`,
  );
const hashOf = (at: number) => (0xabc0000 + at).toString(16);
const turns = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => [
    user(`Fix part ${from + at}.`),
    ...commit(from + at),
    assistant("Done."),
  ]).flat();
const mustLines = (story: Story) =>
  writeStory(story, ({ must }) => must === true)
    .split("\n")
    .filter((line) => line !== "");

test("what a turn did for good is one line, whatever else goes", () => {
  const story = storyOf(
    user("Ship it."),
    ...commit(1),
    ...ran("gh pr create --fill", "https://github.com/a/b/pull/12"),
  );
  expect(mustLines(withLasting(story, 100, counter))).toEqual([
    "[1] Done: commit abc0001 fix: part 1; push main; pr create https://github.com/a/b/pull/12",
  ]);
});

test("the same to many things is told by its number and the last of them", () => {
  const reply = (id: number) => ran(`gh api repos/a/b/pulls/1/comments/${id}/replies -f body=ok`, "{}");
  const story = storyOf(user("Answer them."), ...[11, 12, 13].flatMap(reply), assistant("Done."));
  expect(mustLines(withLasting(story, 100, counter))).toEqual([
    "[1] Done: gh api ×3, last pulls/1/comments/13/replies",
  ]);
});

test("where there is no room for a line each, the oldest are told by their number and the last of them", () => {
  const told = mustLines(withLasting(storyOf(...turns(1, 9)), 80, counter));
  expect(told.at(-1)).toBe("[8] Done: commit abc0008 fix: part 8; push main");
  expect(told[0]).toMatch(
    /^\[(\d)\] Done until here: commit ×\1, last abc000\1 fix: part \1; push ×\1, last main$/,
  );
  expect(counter.text(told.join("\n"))).toBeLessThan(80);
});

test("forty compactions count on and grow no further", () => {
  let story: Story = [];
  let most = 0;
  for (let round = 0; round < 40; round++) {
    const added = storyOf(...turns(round * 3 + 1, round * 3 + 4)).map((turn, at) => ({
      ...turn,
      number: round * 3 + 1 + at,
    }));
    const text = writeStory(withLasting([...story, ...added], 120, counter), ({ must }) => must === true);
    if (round === 1) most = counter.text(text);
    if (round > 1) expect(counter.text(text)).toBeLessThan(most + 20);
    story = readStory(text);
  }
  const [first] = mustLines(withLasting(story, 120, counter));
  expect(first).toMatch(
    /^\[1\d\d\] Done until here: commit ×1\d\d, last abc00\w\w fix: part 1\d\d; push ×1\d\d, last main$/,
  );
});

test("a tool that acts on the world stands with its arguments and its answer; one that looks or works on files does not", () => {
  const used = (name: string, args: unknown, answer: string) => [
    assistant("", call(name, args)),
    result(answer),
  ];
  const story = storyOf(
    user("Cancel it, and log that."),
    ...used("get_order", { id: 7 }, "{}"),
    ...used("cancel_order", { id: 7, reason: "no longer needed" }, '{"status": "cancelled"}'),
    ...used("create_directory", { path: "x" }, "ok"),
    ...used(
      "mcp__tracker__create_issue",
      { title: "Late", description: "w ".repeat(400) },
      `{"id": "8b69", "identifier": "ENT-140", "text": "${"x ".repeat(300)}"}`,
    ),
    ...used("send_mail", { to: "a@example.com" }, "Error: mailbox not found"),
    assistant("Done."),
  );
  const told = mustLines(withLasting(story, 400, counter));
  expect(told).toHaveLength(3);
  expect(told[0]).toMatch(/^\[1\] → cancel_order\(id 7, reason no longer needed\) → .*cancelled/);
  expect(told[1]).toMatch(/^→ mcp__tracker__create_issue\(title Late, description w w .*…\) → ENT-140 8b69$/);
  expect(told[2]).toMatch(/^✗ send_mail\(.*\) → Error: mailbox not found$/);
  const again = readStory(told.slice(0, 2).join("\n"));
  expect(mustLines(withLasting(again, 400, counter))).toEqual(told.slice(0, 2));
});
