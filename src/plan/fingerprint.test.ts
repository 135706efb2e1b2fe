import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { withParts } from "../conversation/message.ts";
import { PlanStaleError } from "../errors/plan-stale-error.ts";
import { readConversation } from "../providers/detect.ts";
import { assistant, call, conversation, rawConversation, result, user } from "../testing/builders.ts";
import { applyPlan } from "./apply-plan.ts";
import { fingerprint } from "./fingerprint.ts";

test("any change of what a message says, however small and deep in it, is another fingerprint", () => {
  const [message] = conversation(user(`${"a".repeat(50_000)}1${"b".repeat(50_000)}`)).messages;
  const other = withParts(message!, [{ type: "text", text: `${"a".repeat(50_000)}2${"b".repeat(50_000)}` }]);
  expect(fingerprint(other)).not.toBe(fingerprint(message!));
  expect(fingerprint({ ...message!, role: "assistant" })).not.toBe(fingerprint(message!));
});

test("a call is known by its id, name and arguments", () => {
  const made = (name: string, path: string, id: string) =>
    fingerprint(
      conversation(user("go"), assistant("", call(name, { path }, id)), result("x", { id })).messages[1]!,
    );
  expect(
    new Set([made("read", "a", "1"), made("read", "b", "1"), made("open", "a", "1"), made("read", "a", "2")])
      .size,
  ).toBe(4);
  expect(made("read", "a", "1")).toBe(made("read", "a", "1"));
});

test("a kept plan is applied to the same conversation and refused for another", async () => {
  const messages = rawConversation(
    ...Array.from({ length: 12 }, (_, at) => [
      user(`Ask ${at}?`),
      assistant(`Answer ${at}. `.repeat(60)),
    ]).flat(),
  );
  const plan = JSON.parse(
    JSON.stringify(await createCompactor({ target: "50%" }).plan(messages, { target: "20%" })),
  );
  expect(applyPlan(readConversation(messages), plan).messages.length).toBeLessThan(24);
  const edited = messages.with(2, { ...messages[2]!, content: "Ask 1!" });
  expect(() => applyPlan(readConversation(edited), plan)).toThrow(PlanStaleError);
});
