import { expect, test } from "vitest";
import { IntList } from "./int-list.ts";

test("a list grows as it is filled and starts anew when it is cleared", () => {
  const list = new IntList();
  for (let at = 0; at < 1000; at++) list.push(at * 3);
  expect(list.length).toBe(1000);
  expect(list.items[0]).toBe(0);
  expect(list.items[999]).toBe(2997);
  list.clear();
  expect(list.length).toBe(0);
  list.push(-5);
  expect(list.items[0]).toBe(-5);
});

test("reserved room keeps what is in the list", () => {
  const list = new IntList();
  list.push(7);
  list.reserve(10_000);
  expect(list.items.length).toBeGreaterThan(10_000);
  expect(list.items[0]).toBe(7);
});
