import { expect, test } from "vitest";
import type { Role } from "../conversation/message.ts";
import { readQuestion } from "./question.ts";
import { voiceOf } from "./voice.ts";

const voice = (role: Role, text: string, tools: readonly string[] = []) => voiceOf({ role, text, tools });

test("who speaks is what the role says, where nothing else is known", () => {
  expect(voice("user", "please fix it").by).toBe("user");
  expect(voice("assistant", "fixed").by).toBe("assistant");
  expect(voice("other", "reviewed").by).toBe("assistant");
  expect(voice("tool", "exit code 0", ["sh"]).by).toBe("output");
  expect(voice("system", "You are helpful.").by).toBe("instructions");
});

test("a result that quotes the user is the user's, and a message of tags alone is nobody's", () => {
  expect(voice("tool", "The tool use was rejected. the user said:\nuse a switch", ["edit"]).by).toBe("user");
  expect(voice("user", "<local-command-stdout>No servers.</local-command-stdout>").by).toBe("output");
  expect(voice("user", "[Request interrupted by user]").by).toBe("output");
  expect(voice("user", "<open-file>a.ts</open-file> Are you sure?").by).toBe("user");
  expect(voice("user", `<a>${"<b>".repeat(9_000)}`).by).toBe("user");
});

test("more words say more, and a call says what stands before it", () => {
  expect(voice("user", "commit this").says).toBeLessThan(voice("user", "write failing tests first").says);
  expect(voice("user", "修正してください").says).toBeGreaterThan(0.5);
  expect(voice("assistant", 'sh {"command":"ls"}', ["sh"])).toEqual({ by: "call", says: 0 });
  expect(
    voice("assistant", 'The cache is stale, so I look.\nsh {"command":"ls"}', ["sh"]).says,
  ).toBeGreaterThan(0.2);
});

test("a question tells whether it is about a person or for a fact", () => {
  const kind = (text: string) => {
    const { isAboutPeople, asksForFact } = readQuestion(text);
    return { isAboutPeople, asksForFact };
  };
  expect(kind("What did she insist on?")).toEqual({ isAboutPeople: true, asksForFact: false });
  expect(kind("Was the cache ever used?")).toEqual({ isAboutPeople: false, asksForFact: true });
  expect(kind("In how many files is it, and how much is that?")).toEqual({
    isAboutPeople: false,
    asksForFact: true,
  });
  expect(kind("Why is the sky blue?")).toEqual({ isAboutPeople: false, asksForFact: false });
});
