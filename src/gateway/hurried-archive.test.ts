import { stat } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Archive } from "../archive/archive.ts";
import { memoryArchive } from "../archive/memory.ts";
import { hurriedArchive } from "./hurried-archive.ts";

const hurry = { timeoutMs: 20, writeTimeoutMs: 20, pauseMs: 5_000, clock: () => 0 };
type Get = Archive["get"];

function archiveThat(get: Get): { readonly archive: Archive; readonly asked: () => number } {
  let count = 0;
  const counted: Get = (...given) => {
    count++;
    return get(...given);
  };
  return { archive: { ...memoryArchive(), get: counted }, asked: () => count };
}

/** This thread does nothing else meanwhile; others go on. */
function beBusy(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test("an answer that arrived while the thread was busy is in time", async () => {
  const whole = memoryArchive();
  const { archive } = archiveThat(async (...given) => {
    // Another thread does this, as another process does for a database.
    await stat(import.meta.filename);
    return whole.get(...given);
  });
  const hurried = hurriedArchive(archive, hurry);
  const answer = hurried.get("a");
  beBusy(200);
  expect(await answer).toEqual(await whole.get("a"));
  expect(hurried.isDown()).toBe(false);
});

test("an archive is left alone once it took too long twice in a row, not twice at once", async () => {
  let answers = false;
  const whole = memoryArchive();
  const { archive, asked } = archiveThat((...given) =>
    answers ? whole.get(...given) : new Promise(() => {}),
  );
  const hurried = hurriedArchive(archive, hurry);
  const late = async (count: number): Promise<void> => {
    const asking = Array.from({ length: count }, () => hurried.get("a"));
    for (const { status } of await Promise.allSettled(asking)) expect(status).toBe("rejected");
  };
  await late(3);
  expect([asked(), hurried.isDown()]).toEqual([3, false]);
  answers = true;
  await hurried.get("a");
  answers = false;
  await late(1);
  expect([asked(), hurried.isDown()]).toEqual([5, false]);
  await late(1);
  expect([asked(), hurried.isDown()]).toEqual([6, true]);
  await expect(hurried.get("a")).rejects.toThrow("failed a moment ago");
  expect(asked()).toBe(6);
});

test("an archive that fails is left alone at once, and is asked again after the pause", async () => {
  let now = 0;
  let fails = true;
  const whole = memoryArchive();
  const { archive, asked } = archiveThat((...given) =>
    fails ? Promise.reject(new Error("refused")) : whole.get(...given),
  );
  const hurried = hurriedArchive(archive, { ...hurry, clock: () => now });
  await expect(hurried.get("a")).rejects.toThrow("refused");
  expect(hurried.isDown()).toBe(true);
  await expect(hurried.get("a")).rejects.toThrow("failed a moment ago");
  now = 5_000;
  fails = false;
  await hurried.get("a");
  expect([asked(), hurried.isDown()]).toEqual([2, false]);
});
