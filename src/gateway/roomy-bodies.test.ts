import { expect, test } from "vitest";
import type { Job } from "./job.ts";
import { createPreparer } from "./prepare.ts";
import { createRoomyBodies } from "./roomy-bodies.ts";

const bodyOf = (messages: readonly unknown[], rest: object = {}): string =>
  JSON.stringify({ messages, model: "gpt-4o", ...rest });
const said = (content: string) => ({ role: "user", content });
const first = [said("Read the modules. Ünïcode."), said("Module 1. ".repeat(200))];

function added(text: string, tokens: number) {
  const bodies = createRoomyBodies();
  const body = Buffer.from(text);
  bodies.add("t", body, { after: body.lastIndexOf("]"), tokens });
  return (next: string, scope = "t"): boolean => bodies.has(scope, Buffer.from(next));
}

test("a body that grew by less than there was room for is known, and no other one", () => {
  const has = added(bodyOf(first), 100);
  expect(has(bodyOf(first))).toBe(true);
  expect(has(bodyOf([...first, said("Go on.")]))).toBe(true);
  expect(has(bodyOf([...first, said("Go on. ".repeat(20))]))).toBe(false);
  expect(has(bodyOf([...first, said("Go on.")]), "another tenant")).toBe(false);
  expect(has(bodyOf([said("Read the modules."), first[1], said("Go on.")]))).toBe(false);
  expect(has(bodyOf(first.slice(0, 1)))).toBe(false);
  // What stands behind the messages may change what is due.
  expect(has(bodyOf([...first, said("Go on.")], { max_tokens: 9_000 }))).toBe(false);
  expect(has(bodyOf([...first, said("Go on.")]).replace("gpt-4o", "gpt-4"))).toBe(false);
  expect(has(bodyOf([...first, said('"name":"compress_context"')]))).toBe(false);
});

test("a body that the provider had no room for is known no more, nor what it began with", () => {
  const bodies = createRoomyBodies();
  const [short, long] = [bodyOf(first), bodyOf([...first, said("Go on.")])];
  for (const text of [short, long])
    bodies.add("t", Buffer.from(text), { after: Buffer.from(text).lastIndexOf("]"), tokens: 100 });
  expect(bodies.has("t", Buffer.from(long))).toBe(true);
  bodies.remove("t", Buffer.from(bodyOf([...first, said("Go on."), said("And on.")])));
  expect(bodies.has("t", Buffer.from(long))).toBe(false);
});

const job = (messages: readonly unknown[]): Job => ({
  text: bodyOf(messages),
  format: "openai-chat",
  tenant: "t",
});
const options = { preset: "balanced", window: 8_000, archiveTimeoutMs: 5_000, archiveWriteTimeoutMs: 5_000 };

test.each(["a", "é", "漢", "😀", "\u0000", '"', "�", "ௌ"])(
  "whatever is added within the room, nothing is due: %j",
  async (letter) => {
    const preparer = createPreparer(options);
    const { room } = await preparer.prepare(job(first));
    const bytes = (count: number): number =>
      Buffer.byteLength(bodyOf([...first, said(letter.repeat(count))])) - Buffer.byteLength(bodyOf(first));
    const count = Math.floor((room!.tokens - bytes(0) - 1) / (bytes(1) - bytes(0)));
    expect(bytes(count)).toBeLessThan(room!.tokens);
    const grown = await preparer.prepare(job([...first, said(letter.repeat(count))]));
    expect(grown.outcome).toBe("untouched");
    expect(grown.tokensBefore).toBeUndefined();
  },
);

test("there is no room to tell of where others compact as well, once something was compacted, or under a preset that counts messages", async () => {
  expect((await createPreparer({ ...options, isShared: true }).prepare(job(first))).room).toBeUndefined();
  expect(
    (await createPreparer({ ...options, preset: "synthorg-agent" }).prepare(job(first))).room,
  ).toBeUndefined();
  const preparer = createPreparer(options);
  const long = [
    first[0],
    ...Array.from({ length: 60 }, (_, at) => said(`Module ${at} parses text. `.repeat(40))),
  ];
  expect((await preparer.prepare(job(long))).outcome).toBe("compacted");
  const next = await preparer.prepare(job([...long, said("Go on.")]));
  expect([next.outcome, next.room]).toEqual(["replayed", undefined]);
});
