import { expect, test } from "vitest";
import { stretchesOf } from "./stretches.ts";

const said = (content: string) => ({ role: "assistant", content });

test("a recorded summary begins another conversation, without the data set's own flag", () => {
  const summary = { role: "user", content: "So far: a, b." };
  const messages = [said("a"), said("b"), { ...summary, summary: true }, said("c")];
  expect(stretchesOf({ id: "one", messages })).toEqual([
    { id: "one", messages: [said("a"), said("b")] },
    { id: "one#1", messages: [summary, said("c")] },
  ]);
});

test("a stretch in which the assistant says nothing has no request", () => {
  const messages = [said("a"), { role: "user", content: "So far: a.", summary: true }];
  expect(stretchesOf({ id: "one", messages })).toHaveLength(1);
});
