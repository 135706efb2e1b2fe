import { inspect } from "node:util";
import { expect, test } from "vitest";
import { readConversation } from "../providers/detect.ts";
import { ArchiveError } from "./archive-error.ts";
import { CompactionError } from "./compaction-error.ts";
import { InputError } from "./input-error.ts";

const TOKEN = `gh${"p_"}0123456789abcdefghijklmnopqrstuvwxyz`;

test("[R46] whatever an error quotes, its text holds no secret", () => {
  const errors = [
    new CompactionError("COMPACTION_FAILED", `It said ${TOKEN}.`),
    new ArchiveError("a", `postgres://me:hunter2hunter2@db/x refused ${TOKEN}.`),
    new InputError("There.", { path: `${TOKEN}[3]` }),
  ];
  for (const error of errors) expect(inspect(error)).not.toMatch(/0123456789|hunter2/);
  expect(errors[0]!.message).toBe("It said [redacted: github].");
});

test.each([
  `[{"role":"user","content":${TOKEN}}]`,
  `[{"role":"user","content":"DB_PASSWORD=abcDEF123ghi\n456JKL789"}]`,
  `{"messages":[]} ${TOKEN}`,
  `${TOKEN}`,
  `[{"role":"user","content":"${TOKEN.slice(0, 20)}\u0001${TOKEN.slice(20)}`,
])("[R46] an error about a text that is no JSON quotes no part of a secret: %j", (text) => {
  let error: unknown;
  try {
    readConversation(text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(InputError);
  expect(inspect(error)).not.toMatch(/0123456|56JKL|abcdef|ghijkl/);
});

test("what is no secret is quoted as it is", () => {
  expect(() => readConversation('[{"role":"user" "content"}]')).toThrow('"\\"content\\"}]"');
});
