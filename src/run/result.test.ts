import { expect, expectTypeOf, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import type { WireMessage } from "../testing/builders.ts";
import { readingSession } from "../testing/reading-session.ts";
import type { Widened } from "./result.ts";

const compactor = createCompactor({ target: "50%" });
const messages = readingSession(20);
const target = "30%";

test("a list in gives messages, of its type", async () => {
  const result = await compactor.compact(messages, { target });
  expectTypeOf(result.messages).toEqualTypeOf<readonly WireMessage[]>();
  expect(result.messages.length).toBeLessThan(messages.length);
  expect(result).not.toHaveProperty("body");
  const preview = await compactor.preview(messages, { target });
  expect(preview.messages).toEqual(result.messages);
  const applied = await compactor.apply(messages, preview.plan);
  expect(applied.messages).toEqual(result.messages);
  const undone = await compactor.undo(result, result.messages);
  expectTypeOf(undone.messages).toEqualTypeOf<readonly WireMessage[]>();
  expect(undone.messages).toBe(messages);
});

test("a request body or JSON text in gives body, of its type", async () => {
  const request = { model: "gpt-4o", messages };
  const result = await compactor.compact(request, { target });
  expectTypeOf(result.body).toEqualTypeOf<typeof request>();
  expect(result.body.messages.length).toBeLessThan(messages.length);
  expect(result).not.toHaveProperty("messages");
  const text = await compactor.compact(JSON.stringify(request), { target });
  expectTypeOf(text.body).toEqualTypeOf<string>();
  expect(JSON.parse(text.body)).toEqual(result.body);
});

test("what comes back when nothing can be read is in the same place", async () => {
  expect((await compactor.compact("{not json", { target })).body).toBe("{not json");
  expect((await compactor.compact([42], { target })).messages).toEqual([42]);
});

test("what compaction does not keep is not claimed by the type: how many messages, which comes where, what they say", async () => {
  const tuple = [
    { role: "user", content: "Fix the build." },
    { role: "assistant", content: "Done." },
  ] as const;
  interface Said<Role> {
    readonly role: Role;
    readonly content: string;
  }
  type Kept = readonly (Said<"user"> | Said<"assistant">)[];
  const { messages: list, original } = await compactor.compact(tuple);
  expectTypeOf(list).toEqualTypeOf<Kept>();
  expectTypeOf(original.body).toEqualTypeOf<typeof tuple>();
  const pair: [string, number] = ["a", 1];
  expectTypeOf<Widened<typeof pair>>().toEqualTypeOf<(string | number)[]>();
  const { body } = await compactor.compact({ model: "gpt-4o", messages: tuple } as const);
  expectTypeOf(body.messages).toEqualTypeOf<Kept>();
  expectTypeOf(body.model).toEqualTypeOf<"gpt-4o">();
  const text = await compactor.compact('[{"role":"user","content":"Fix the build."}]' as const);
  expectTypeOf(text.body).toEqualTypeOf<string>();
  expect([list, body.messages, text.body.length > 0]).toEqual([tuple, tuple, true]);
});

test("what may be either says so", async () => {
  const result = await compactor.compact<unknown>(messages, { target });
  expectTypeOf(result.messages).toEqualTypeOf<unknown>();
  expectTypeOf(result.body).toEqualTypeOf<unknown>();
});

test("a wrapped call is given what to send, and the compaction it comes from", async () => {
  const send = compactor.wrap(async (given: readonly WireMessage[], result) => given === result.messages);
  expect((await send(messages, { target })).answer).toBe(true);
});
