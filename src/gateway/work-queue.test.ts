import { expect, test } from "vitest";
import { createWorkQueue } from "./work-queue.ts";

const work = (name: string, isDue: boolean, fits: boolean) => ({ name, bytes: 1, isDue, fits });

test("what would not fit is compacted before what would, each in the order it came", () => {
  const queue = createWorkQueue<ReturnType<typeof work>>();
  for (const each of [
    work("fits 1", true, true),
    work("over 1", true, false),
    work("unseen", false, false),
    work("over 2", true, false),
    work("fits 2", true, true),
  ])
    queue.add(each);
  const taken = Array.from({ length: 5 }, () => queue.takeDue()?.name);
  expect(taken).toEqual(["over 1", "over 2", "fits 1", "fits 2", undefined]);
  expect([queue.takeUnseen()?.name, queue.takeUnseen(), queue.length()]).toEqual(["unseen", undefined, 0]);
});

test("only what is known to fit is shed, the newest of it first", () => {
  const queue = createWorkQueue<ReturnType<typeof work>>();
  const [old, over, unseen, young] = [
    work("old", true, true),
    work("over", true, false),
    work("unseen", false, false),
    work("young", false, true),
  ];
  for (const each of [old, over, unseen, young]) queue.add(each);
  expect(queue.sheddable()).toBe(young);
  expect([queue.remove(young), queue.remove(young)]).toEqual([true, false]);
  expect(queue.sheddable()).toBe(old);
  queue.remove(old);
  expect(queue.sheddable()).toBeUndefined();
});
