import { expect, test } from "vitest";
import { IntList } from "./int-list.ts";

test("a list grows as it is filled and starts anew when it is cleared", () => {
  const list = new IntList();
  for (let at = 0; at < 1000; at++) expect(list.push(at * 3)).toBe(at + 1);
  expect(list.items[0]).toBe(0);
  expect(list.items[999]).toBe(2997);
  list.clear();
  expect(list.length).toBe(0);
  expect(list.push(-5)).toBe(1);
  expect(list.items[0]).toBe(-5);
});
