import { expect, test } from "vitest";
import type { Archive } from "../archive/archive.ts";
import { memoryArchive } from "../archive/memory.ts";
import { createCompactor } from "../compactor.ts";
import { UndoError } from "../errors/undo-error.ts";
import { anthropicMessages } from "../providers/anthropic-messages/format.ts";
import { convertConversation } from "../providers/convert.ts";
import { readConversation, writeConversation } from "../providers/detect.ts";
import {
  anthropicConversation,
  assistant,
  conversation,
  system,
  user,
  type WireMessage,
} from "../testing/builders.ts";
import { readingSession, readingTurn } from "../testing/reading-session.ts";
import type { Result } from "./result.ts";
import { undoNewest } from "./undo.ts";

const session = (turns: number) => readingSession(turns, system("You are an agent."));
const later = [user("And what now?"), assistant("Nothing.")];

const setUp = () => {
  const archive = memoryArchive();
  return { archive, compactor: createCompactor({ target: "50%", archive }) };
};
const extended = (done: Result, more: readonly WireMessage[]) => [
  ...(done.messages as readonly WireMessage[]),
  ...more,
];

test("undone by its result, a compaction gives back the very input", async () => {
  const { compactor } = setUp();
  const messages = session(20);
  const done = await compactor.compact(messages, { target: "30%" });
  const { messages: output, state } = await compactor.undo(done, done.messages);
  expect(output).toBe(messages);
  expect(state.compactions).toBe(0);
});

test.each(["result", "id"] as const)("undone by its %s after later turns, those stay", async (by) => {
  const { compactor } = setUp();
  const messages = session(20);
  const done = await compactor.compact(messages, { target: "30%" });
  const undone = await compactor.undo(by === "id" ? done.report.compaction! : done, extended(done, later));
  expect(undone.messages).toEqual([...messages, ...later]);
  expect(undone.compactions).toEqual([done.report.compaction]);
});

test("later turns begin where the result ends as it is read back, whatever the rewrite counts", async () => {
  const { compactor } = setUp();
  const messages = session(20);
  const done = await compactor.compact(messages, { target: "30%" });
  const written = { ...done, rewrite: [...done.rewrite, { from: -1 }] };
  const undone = await compactor.undo(written, extended(done, later));
  expect(undone.messages).toEqual([...messages, ...later]);
});

test("a body that is text comes back as the characters it was", async () => {
  const { compactor } = setUp();
  const text = JSON.stringify({ model: "m", messages: session(20) }, null, 2);
  const done = await compactor.compact(text, { target: "30%" });
  const undone = await compactor.undo(done.report.compaction!, done.body);
  expect(JSON.parse(undone.body as string)).toEqual(JSON.parse(text));
});

/** The same JSON in other characters. */
const serialisations: readonly (readonly [string, (value: unknown) => unknown])[] = [
  ["without spaces", (value) => JSON.stringify(value)],
  ["with spaces", (value) => JSON.stringify(value, null, 2)],
  ["escaped", (value) => JSON.stringify(value).replaceAll("–", "\\u2013")],
  ["as a value", (value) => value],
];
const spaced = JSON.stringify(
  { model: "m", messages: [...session(20), user("Range 1–2, please.")] },
  null,
  1,
);

test.each(serialisations)(
  "what was serialised again, %s, is undone, and what comes back is the very text",
  async (_, write) => {
    const { compactor } = setUp();
    const done = await compactor.compact(spaced, { target: "30%" });
    const parsed = JSON.parse(done.body) as { readonly messages: readonly WireMessage[] };
    const more = { ...parsed, messages: [...parsed.messages, ...later] };
    expect((await compactor.undo(done, write(parsed))).body).toBe(spaced);
    const { messages } = JSON.parse(spaced) as { readonly messages: readonly WireMessage[] };
    for (const compaction of [done, done.report.compaction!]) {
      const { body } = await compactor.undo(compaction, write(more));
      const value = typeof body === "string" ? JSON.parse(body) : body;
      expect(value).toEqual({ model: "m", messages: [...messages, ...later] });
      if (typeof body !== "string") continue;
      const sources = readConversation(spaced).messages.map(({ raw }) => raw!.source!);
      expect(sources.filter((source) => !body.includes(source))).toEqual([]);
    }
  },
);

test("a message of the result that says something else is not taken for it, whoever serialised it", async () => {
  const { compactor } = setUp();
  const done = await compactor.compact(spaced, { target: "30%" });
  const other = JSON.stringify(JSON.parse(done.body.replace("Range 1–2", "Range 1–3")));
  for (const compaction of [done, done.report.compaction!])
    await expect(compactor.undo(compaction, other)).rejects.toThrow(/does not begin with the result/);
});

test("a system prompt that stands beside the messages comes back too", async () => {
  const { archive } = setUp();
  const compactor = createCompactor({ target: "50%", archive, preset: "hermes" });
  const body = anthropicMessages.write(anthropicConversation(...session(20)));
  const done = await compactor.compact(body, { target: "30%" });
  expect(JSON.stringify(done.body)).not.toBe(JSON.stringify(body));
  expect((await compactor.undo(done.report.compaction!, done.body)).body).toEqual(body);
});

test.each(["a value", "text"] as const)(
  "so do instructions and the items of an answer, in %s",
  async (kind) => {
    const { compactor } = setUp();
    const input = writeConversation(convertConversation(conversation(...session(20).slice(1)), "responses"));
    const value = { instructions: "Be brief.", ...(input as object) };
    const body = kind === "text" ? JSON.stringify(value, null, 1) : value;
    const done = await compactor.compact(body, { target: "30%" });
    const { body: output } = await compactor.undo(done.report.compaction!, done.body);
    expect(kind === "text" ? JSON.parse(String(output)) : output).toEqual(value);
  },
);

test("an earlier compaction is undone with those that were made on top of it", async () => {
  const { compactor } = setUp();
  const messages = session(20);
  const first = await compactor.compact(messages, { target: "50%" });
  const grown = extended(first, readingTurn(20));
  const second = await compactor.compact(grown, { target: "50%", state: first.state });
  const both = await compactor.undo(first.report.compaction!, extended(second, later));
  expect(both.messages).toEqual([...messages, ...readingTurn(20), ...later]);
  expect(both.compactions).toEqual([second.report.compaction, first.report.compaction]);
  expect(both.state.compactions).toBe(0);
  const one = await compactor.undo(second.report.compaction!, extended(second, later));
  expect(one.messages).toEqual([...grown, ...later]);
  expect(one.state).toEqual(first.state);
});

test("what cannot be undone is refused with the reason", async () => {
  const { archive, compactor } = setUp();
  const done = await compactor.compact(session(20), { target: "30%" });
  const id = done.report.compaction!;
  await expect(compactor.undo(id, session(3))).rejects.toThrow(UndoError);
  await expect(compactor.undo(done, session(3))).rejects.toThrow(/does not begin with the result/);
  await expect(compactor.undo("pith:000000000000", done.messages)).rejects.toThrow(/has no compaction/);
  await expect(createCompactor({ target: "50%" }).undo(id, done.messages)).rejects.toThrow(
    /Without an archive/,
  );
  await archive.forget!({ ids: [(await archive.compaction!(id))!.messagesBefore[5]!.id] });
  await expect(compactor.undo(id, done.messages)).rejects.toThrow(/no longer has message/);
});

test("what was taken back before and made again is taken back past it, and the state is that of the line it stands in", async () => {
  const archive = memoryArchive();
  let now = 0;
  const compactor = createCompactor({ target: "50%", archive, clock: () => ++now });
  const messages = session(20);
  const first = await compactor.compact(messages, { target: "60%", conversationId: "c" });
  const second = await compactor.compact(first.messages, {
    target: "60%",
    conversationId: "c",
    state: first.state,
  });
  const back = await compactor.undo(second.report.compaction!, second.messages);
  expect(back.state.lastCompaction).toBe(first.report.compaction);
  const again = await compactor.compact(back.messages, {
    target: "50%",
    conversationId: "c",
    state: back.state,
  });
  const undone = await compactor.undo(first.report.compaction!, again.messages);
  expect(undone.compactions).toEqual([again.report.compaction, first.report.compaction]);
  expect(undone.messages).toEqual(messages);

  const third = await compactor.compact(messages, {
    target: "40%",
    conversationId: "c",
    state: undone.state,
  });
  const whole = await compactor.undo(third.report.compaction!, third.messages);
  expect(whole.state.lastCompaction).toBeUndefined();
});

test("of a compaction that the conversation does not begin with, one message is read", async () => {
  const stored = memoryArchive();
  const reads: number[] = [];
  const archive: Archive = {
    ...stored,
    getMany: (ids) => {
      reads.push(ids.length);
      return stored.getMany!(ids);
    },
  };
  const compactor = createCompactor({ target: "50%", archive });
  const messages = session(20);
  const first = await compactor.compact(messages, { target: "50%", conversationId: "c" });
  const grown = extended(first, readingTurn(20));
  const second = { target: "40%", conversationId: "c", state: first.state } as const;
  expect((await compactor.compact(grown, second)).report.compacted).toBe(true);
  reads.length = 0;
  const undone = await compactor.undo(first.report.compaction!, grown);
  expect(undone.messages).toEqual([...messages, ...readingTurn(20)]);
  expect(reads).toEqual([1, messages.length]);
});

test("the newest is found by what it left, in whichever conversation; its text to the letter gives the very text that was", async () => {
  const { archive, compactor } = setUp();
  const text = JSON.stringify({ model: "m", messages: session(20) }, null, 2);
  await compactor.compact(session(12), { target: "30%", conversationId: "acme/other" });
  const first = await compactor.compact(text, { target: "60%", conversationId: "acme/this" });
  const second = await compactor.compact(first.body, { target: "30%" });
  const undone = await undoNewest(archive, second.body, "auto");
  expect(undone).toMatchObject({ body: first.body, compactions: [second.report.compaction] });
  expect((await undoNewest(archive, first.body, "auto"))!.body).toBe(text);
  const grown = { ...JSON.parse(first.body), messages: [...JSON.parse(first.body).messages, ...later] };
  const { body } = (await undoNewest(archive, grown, "auto"))!;
  expect(body).toEqual({ model: "m", messages: [...session(20), ...later] });
  expect(await undoNewest(archive, text, "auto")).toBeUndefined();
});
