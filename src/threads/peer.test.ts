import { MessageChannel } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { createPeer } from "./peer.ts";

interface Sums {
  readonly add: (numbers: readonly number[], tell: (partial: number) => void) => number;
  readonly fail: (reason: string) => void;
  readonly wait: (nothing: undefined, tell: never, signal: AbortSignal) => Promise<string>;
  readonly note: (text: string) => void;
}

function pair() {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const noted: string[] = [];
  const signals: AbortSignal[] = [];
  const sums: Sums = {
    add: (numbers, tell) =>
      numbers.reduce((sum, number) => {
        tell(sum + number);
        return sum + number;
      }, 0),
    fail: (reason) => {
      throw new Error(reason);
    },
    wait: (_, __, signal) => {
      signals.push(signal);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve("given up")));
    },
    note: (text) => void noted.push(text),
  };
  return { asker: createPeer<Sums>(port1, {}), answerer: createPeer(port2, sums), noted, signals };
}

test("answers come to their own questions, and what is told on the way before them", async () => {
  const { asker } = pair();
  const heard: number[] = [];
  const [six, three] = await Promise.all([
    asker.ask("add", [1, 2, 3], { hear: (partial) => heard.push(partial) }),
    asker.ask("add", [3]),
  ]);
  expect([six, three]).toEqual([6, 3]);
  expect(heard).toEqual([1, 3, 6]);
});

test("what fails there is rejected here, an answer that cannot be sent too", async () => {
  const { asker } = pair();
  await expect(asker.ask("fail", "no such file")).rejects.toThrow("no such file");
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  createPeer(port2, { make: () => () => {} });
  const other = createPeer<{ make: (nothing: undefined) => unknown }>(port1, {});
  await expect(other.ask("make", undefined)).rejects.toThrow("could not be cloned");
});

test("a question that is given up is heard of there, and still answered", async () => {
  const { asker } = pair();
  const cancel = new AbortController();
  const answer = asker.ask("wait", undefined, { signal: cancel.signal });
  cancel.abort();
  expect(await answer).toBe("given up");
});

test("what is told needs no answer and comes in order with what is asked", async () => {
  const { asker, noted } = pair();
  asker.tell("note", "first");
  asker.tell("note", "second");
  await asker.ask("add", []);
  expect(noted).toEqual(["first", "second"]);
});

test("once the other side is gone, its questions are cancelled and those to it fail, later ones too", async () => {
  const { asker, answerer, signals } = pair();
  const asked = asker.ask("wait", undefined);
  await asker.ask("add", []);
  answerer.end("The thread ended.");
  expect(signals[0]!.aborted).toBe(true);
  asker.end("out of memory");
  await expect(asked).rejects.toThrow("out of memory");
  await expect(asker.ask("add", [1])).rejects.toThrow("out of memory");
});
