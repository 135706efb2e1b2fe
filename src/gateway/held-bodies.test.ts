import { expect, test } from "vitest";
import { createHeldBodies } from "./held-bodies.ts";

test("bodies are held up to their share, and one of any size alone", () => {
  const held = createHeldBodies(100);
  const [first, second, third] = [held.begin(), held.begin(), held.begin()];
  expect([first.grow(60), second.grow(30), second.grow(10)]).toEqual([true, true, true]);
  expect([third.grow(1), first.grow(1), held.hasRoomFor(1), held.bytes()]).toEqual([
    ...[false, false, false],
    100,
  ]);
  first.letGo();
  first.letGo();
  expect([held.bytes(), held.hasRoomFor(60), held.hasRoomFor(61)]).toEqual([40, true, false]);
  second.letGo();
  expect(held.hasRoomFor(1_000)).toBe(true);
  const huge = held.begin();
  expect([huge.grow(1_000), huge.grow(1_000), third.grow(1)]).toEqual([true, true, false]);
  huge.letGo();
  expect(held.bytes()).toBe(0);
});
