import { expect, test } from "vitest";
import { createHeldBodies } from "./held-bodies.ts";

test("bodies are held up to their share, and one of any size alone", () => {
  const held = createHeldBodies(100);
  const [first, second] = [held.hold(60), held.hold(40)];
  expect([held.hold(1), held.bytes()]).toEqual([undefined, 100]);
  first?.();
  first?.();
  expect(held.bytes()).toBe(40);
  second?.();
  const huge = held.hold(1_000);
  expect([huge !== undefined, held.hold(1)]).toEqual([true, undefined]);
  huge?.();
  expect(held.bytes()).toBe(0);
});
