import { expect, test } from "vitest";
import { familiesOf } from "./families.ts";

const said = (...texts: readonly string[]) =>
  texts.map((text) => ({ role: "assistant", content: text.padEnd(200, ".") }));

test("a recording that shares three long messages with an earlier one is of its family", () => {
  const families = familiesOf([
    { id: "first", messages: said("a", "b", "c") },
    { id: "fork", messages: said("a", "b", "c", "d") },
    { id: "other", messages: said("a", "b", "e") },
    { id: "fork of the fork", messages: said("b", "c", "d", "e") },
  ]);
  expect([...families.values()]).toEqual(["first", "first", "other", "first"]);
});
