import { expect, test } from "vitest";
import { familiesOf, unseenFamilies } from "./families.ts";

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

test("a family is unseen when none of its recordings was trained on", () => {
  const names = Array.from({ length: 40 }, (_, at) => `recording-${at}`);
  const each = new Map(names.map((name) => [name, name]));
  const alone = unseenFamilies("coding-sessions", each);
  expect(unseenFamilies("whowhen", each).size).toBe(40);
  expect(alone.size).toBeGreaterThan(4);
  expect(alone.size).toBeLessThan(36);
  const [unseen] = [...alone];
  const seen = names.find((name) => !alone.has(name))!;
  const families = new Map([
    [unseen!, unseen!],
    [seen, unseen!],
  ]);
  expect(unseenFamilies("coding-sessions", families).size).toBe(0);
});
