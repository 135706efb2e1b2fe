import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { assistant, call, conversation, result, user } from "../../testing/builders.ts";
import { allowsCut, invariants, violations } from "./index.ts";

test("every rule has a file of its name and says where to cut or what is broken", () => {
  const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith(".test.ts"));
  const rules = files.filter((file) => file !== "index.ts" && file !== "invariant.ts");
  expect(invariants.map(({ name }) => `${name}.ts`).toSorted()).toEqual(rules.toSorted());
  for (const rule of invariants) expect(rule.allowsCut ?? rule.broken).toBeDefined();
});

test("[R1 R4 R37] what is broken is said with the rule's name, all rules at once", () => {
  const { messages } = conversation(
    user("Read it. Never write."),
    assistant("", call("read", {}, "a")),
    result("text", { id: "a" }),
  );
  expect(violations(messages, messages)).toEqual([]);
  expect(violations(messages, messages.slice(2)).map((fault) => fault.split(":")[0])).toEqual([
    "tool-pairs-stay-together",
    "roles-alternate",
    "roles-alternate",
    "user-words-survive",
    "user-words-survive",
  ]);
  expect(violations([], [])).toEqual([]);
});

test("a cut is allowed where no rule forbids it", () => {
  const { messages } = conversation(user("Read it."), assistant("", call("read")), result("text"));
  expect(messages.map((_, index) => allowsCut(messages, index))).toEqual([true, true, false]);
  expect(allowsCut([], 0)).toBe(true);
});
