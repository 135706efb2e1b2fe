import { expect, test } from "vitest";
import { commonSpecifics, specificsOf } from "./specifics.ts";

test("paths, identifiers, addresses and long numbers are specifics; words and short numbers are not", () => {
  const text = "Please see src/A.ts, maxTokens, user_id, a@b.example and 12345, twice in 123 plain words.";
  expect([...specificsOf(text)]).toEqual(["src/a.ts", "maxtokens", "user_id", "a@b.example", "12345"]);
});

test("what three conversations and a seventh of all share is common", () => {
  const texts = ["tool_name a_one", "tool_name a_two", "tool_name a_two"];
  expect([...commonSpecifics(texts)]).toEqual(["tool_name"]);
});
