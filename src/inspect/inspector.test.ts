import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Archive } from "../archive/archive.ts";
import { memoryArchive } from "../archive/memory.ts";
import { sqliteArchive } from "../archive/sqlite.ts";
import { createCompactor } from "../compactor.ts";
import { scriptedSummarizer } from "../testing/scripted-summarizer.ts";
import { importSession } from "./import-session.ts";
import { createInspector, type Inspector } from "./inspector.ts";
import type { CompactionView, ConversationView } from "./views.ts";

const sample = readFileSync(join(import.meta.dirname, "../../examples/coding-session.json"), "utf8");
const wire = JSON.parse(sample) as readonly Record<string, unknown>[];
const name = "coding session";
const page = { from: 0, count: 2_000, raw: false };

async function opened(archive: Archive = memoryArchive(), readOnly = false): Promise<Inspector> {
  let now = 2_000;
  const given = await importSession(archive, {
    conversation: name,
    body: sample,
    format: "auto",
    pins: [],
    problems: [],
    at: 1_000,
  });
  return createInspector({ archive, title: "t", version: "0", readOnly, given, clock: () => now++ });
}

const archives: readonly (readonly [string, () => Archive])[] = [
  ["memory", () => memoryArchive()],
  ["sqlite", () => sqliteArchive({ file: join(mkdtempSync(join(tmpdir(), "pith-")), "archive.sqlite") })],
];

test("a conversation's timeline adds up, message by message and kind by kind", async () => {
  const inspector = await opened();
  const view = await inspector.conversation(name);
  expect(view.messages).toBe(wire.length);
  const messages = await inspector.messages(name, { from: 0, count: 500 });
  const spent = Object.values(view.kinds).filter((list) => list.length > 0);
  for (const { position, tokens } of messages)
    expect(spent.reduce((sum, list) => sum + list[position]!, 0)).toBe(tokens);
  expect(view.tokens).toBe(messages.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(view.kinds.calls.some((tokens) => tokens > 0)).toBe(true);
  expect(view.kinds.handOff).toEqual([]);
  const [row] = await inspector.conversations();
  expect(row).toMatchObject({
    id: name,
    messages: wire.length,
    tokens: view.tokens,
    compactions: 0,
    errors: 0,
  });
});

describe.each(archives)("with the %s archive", (_name, open) => {
  test("a preview is what apply makes, and undo brings back what was there, as often as one likes", async () => {
    const inspector = await opened(open());
    const before = await inspector.conversation(name);
    const shape = (view: CompactionView) => ({
      rows: view.rows.map(({ change, stage, reason, saved }) => ({ change, stage, reason, saved })),
      handOff: view.handOff,
      stages: view.stages,
      ledger: view.ledger,
      mustKeeps: view.mustKeeps,
      tokensAfter: view.tokensAfter,
    });
    const planned = await inspector.preview({ conversation: name, target: "30%" });
    expect((await inspector.conversation(name)).compactions).toEqual([]);
    const first = await inspector.apply({ conversation: name, target: "30%" });
    const made = await inspector.compaction(first.compaction);
    expect(shape(made)).toEqual(shape(planned));
    expect(made).toMatchObject({ undone: false, newest: true, undoes: [first.compaction] });
    const second = await inspector.apply({ conversation: name, target: "60%" });
    expect((await inspector.compaction(first.compaction)).undoes).toEqual([
      second.compaction,
      first.compaction,
    ]);

    const undone = await inspector.undo(first.compaction);
    expect(undone).toEqual({
      compactions: [second.compaction, first.compaction],
      messages: wire.length,
      tokens: before.tokens,
    });
    const again = await inspector.apply({ conversation: name, target: "40%" });
    const view = await inspector.conversation(name);
    expect(view.compactions.map(({ id, undone }) => [id, undone])).toEqual([
      [first.compaction, true],
      [second.compaction, true],
      [again.compaction, false],
    ]);
    expect((await inspector.undo(again.compaction)).tokens).toBe(before.tokens);
    await expect(inspector.undo(again.compaction)).rejects.toThrow(/nothing to put back/);
  });
});

test("a plan that was previewed before somebody else changed the conversation is not applied", async () => {
  const archive = memoryArchive();
  const inspector = await opened(archive);
  const wish = { conversation: name, target: "40%" };
  const { tokensBefore } = await inspector.preview(wish);
  await inspector.apply({ ...wish, target: "60%", expects: tokensBefore });
  await expect(inspector.apply({ ...wish, expects: tokensBefore })).rejects.toMatchObject({
    code: "PLAN_STALE",
  });
  expect((await inspector.conversation(name)).compactions).toHaveLength(1);
});

test("every row of a compaction says what became of it and opens the original", async () => {
  const inspector = await opened();
  const { compaction } = await inspector.apply({ conversation: name, target: "30%" });
  const view = await inspector.compaction(compaction);
  expect(view.rows.flatMap(({ before }) => before?.position ?? [])).toEqual(wire.map((_, at) => at));
  const saved = view.rows.reduce((sum, row) => sum + row.saved, 0);
  // Where a hand-off joins a message, the wire makes one text of the two.
  expect(Math.abs(saved - (view.tokensBefore - view.tokensAfter))).toBeLessThanOrEqual(1);
  for (const { change, stage, reason, before, originalId } of view.rows) {
    if (change === "kept") continue;
    expect(stage && reason).toBeTruthy();
    if (change === "added") continue;
    const { lines, pieces } = await inspector.item(originalId!, page);
    if (before!.kind === "calls")
      expect(new Set(pieces.flatMap(({ tool }) => tool ?? []))).toEqual(new Set(before!.tools));
    else expect(lines.join("\n")).toContain(before!.text.split("\n")[0]!);
  }
});

test("a line of the hand-off lights up messages that hold it", async () => {
  const inspector = await opened();
  const view = await inspector.preview({ conversation: name, target: "30%" });
  const isMark = /^\s*\[… [\d,]+ (?:lines?|parts?) …\]$|^\(.*\)$|^… = |^\[End of/;
  const lines = view.handOff!.lines.filter(
    ({ section, heading, text }) =>
      // The archive's line tells of all messages at once.
      section && section !== "Archive" && !heading && text.trim() && !isMark.test(text),
  );
  const share = (some: typeof lines) => some.filter(({ sources }) => sources.length > 0).length / some.length;
  const said = lines.flatMap(({ text, sources }) => {
    const opening = /^(?:(?:\[\d+\] )?(?:User|Agent|Answer): |[>=]\d* )/.exec(text)?.[0];
    return opening === undefined ? [] : [{ text: text.slice(opening.length), sources }];
  });
  expect(said.length).toBeGreaterThan(5);
  expect(said.every(({ sources }) => sources.length > 0)).toBe(true);
  expect(share(lines)).toBeGreaterThan(0.85);
  for (const { text, sources } of said) {
    const { lines: whole } = await inspector.item(view.rows[sources[0]!]!.before!.id, page);
    for (const words of text.split(/ ?… ?/)) expect(whole.join("\n")).toContain(words);
  }
});

test("the pieces of a draft can be opened, though no archive has them", async () => {
  const inspector = await opened();
  const view = await inspector.preview({ conversation: name, target: "30%" });
  const row = view.rows[view.handOff!.row]!;
  const { lines } = await inspector.item(row.after!.id, page);
  expect(lines.join("\n")).toContain(view.handOff!.lines[0]!.text);
});

test("a message that is pinned stays whole, and the hand-off can be written by hand", async () => {
  const inspector = await opened();
  const plain = await inspector.preview({ conversation: name, target: "40%" });
  const gone = plain.rows.find(({ change, before }) => change === "removed" && before!.role === "user")!;
  const pins = [gone.before!.position];
  const pinned = await inspector.preview({ conversation: name, target: "40%", pins });
  const row = pinned.rows.find(({ before }) => before?.position === pins[0])!;
  expect(row).toMatchObject({ change: "kept", pinned: true });

  const handOff = pinned.handOff!.text.replace(/\n(?=\[End of hand-off\])/, "\nTold by hand.\n");
  const wish = { conversation: name, target: "40%", pins, handOff };
  expect((await inspector.preview(wish)).handOff!.text).toBe(handOff);
  const { compaction } = await inspector.apply(wish);
  const made = await inspector.compaction(compaction);
  expect(made.handOff!.text).toBe(handOff);
  expect(made.rows.find(({ before }) => before?.position === pins[0])!.change).toBe("kept");
  await expect(inspector.preview({ ...wish, handOff: "no frame" })).rejects.toThrow(/first and last line/);
});

test("what was asked of a summary and what the audit did to it is there to be read", async () => {
  const archive = memoryArchive();
  const summarizer = scriptedSummarizer([
    "The file src/made-up/never.ts was deleted. Work went on. It went well. All good.",
  ]);
  const compactor = createCompactor({ archive, summarizer, window: 200_000 });
  const { report } = await compactor.compact(sample, {
    conversationId: name,
    target: "30%",
    summarize: true,
  });
  expect(report.error).toBeUndefined();
  const inspector = createInspector({ archive, title: "t", version: "0", readOnly: true });
  const view = await inspector.compaction(report.compaction!);
  expect(view.audit).toMatchObject({
    putBack: report.summary!.putBack,
    invented: report.summary!.invented,
    struck: 1,
  });
  expect(view.audit!.putBackLines).toHaveLength(report.summary!.putBack);
  expect(view).toMatchObject({ reason: report.reason, window: 200_000, mustKeeps: report.mustKeeps });
  expect((await inspector.conversation(name)).window).toBe(200_000);
});

test("a compaction of an earlier version, which has no notes, is shown without them", async () => {
  const whole = memoryArchive();
  const { report } = await createCompactor({ target: "50%", archive: whole }).compact(sample, {
    conversationId: name,
    target: "30%",
  });
  const without = async (id: string) => {
    const item = await whole.get(id);
    if (item?.kind !== "plan") return item;
    const { notes: _, ...plan } = JSON.parse(item.content);
    return { ...item, content: JSON.stringify(plan) };
  };
  const archive: Archive = {
    ...whole,
    get: without,
    getMany: (ids) => Promise.all(ids.map(without)),
  };
  const inspector = createInspector({ archive, title: "t", version: "0", readOnly: true });
  const view = await inspector.compaction(report.compaction!);
  expect(view.reason).toBeUndefined();
  expect(view.rows.filter(({ before }) => before)).toHaveLength(wire.length);
  const timeline: ConversationView = await inspector.conversation(name);
  expect(timeline.compactions).toHaveLength(1);
});

test("secrets of a file are masked in everything that is shown of it", async () => {
  const secret = `ghp_${"Ab3".repeat(12)}`;
  const archive = memoryArchive();
  const body = [
    { role: "user", content: `Use ${secret} to push.` },
    ...Array.from({ length: 30 }, (_, at) => [
      { role: "assistant", content: `Pushed ${at} with ${secret}. ${"word ".repeat(80)}` },
      { role: "user", content: `Again ${at}` },
    ]).flat(),
  ];
  const given = await importSession(archive, {
    conversation: "s",
    body: { model: "gpt-4o", messages: body, metadata: { token: secret } },
    format: "auto",
    pins: [],
    problems: [],
    at: 0,
  });
  const inspector = createInspector({ archive, title: "t", version: "0", readOnly: false, given });
  const view = await inspector.preview({ conversation: "s", target: "40%" });
  const drafts = await Promise.all(
    view.rows.map((row) => inspector.item((row.after ?? row.before)!.id, page)),
  );
  const shown = JSON.stringify([view, drafts, await inspector.messages("s", { from: 0, count: 100 })]);
  expect(shown).toContain("[redacted");
  expect(shown).not.toContain(secret);
});

test.each(archives)("what was forgotten is shown no more, not even from memory (%s)", async (_name, open) => {
  const archive = open();
  const given = { conversation: name, body: sample, format: "auto", pins: [], problems: [], at: 1_000 };
  await importSession(archive, given);
  const inspector = createInspector({ archive, title: "t", version: "0", readOnly: false });
  const shown = () => inspector.messages(name, { from: 0, count: 500 });
  const { rows } = await inspector.preview({ conversation: name, target: "20%" });
  const drafts = rows.flatMap(({ after }) => after?.id ?? []);
  const opened = () => Promise.allSettled(drafts.map((id) => inspector.item(id, page)));
  expect((await opened()).map(({ status }) => status)).toContain("fulfilled");
  await inspector.apply({ conversation: name, target: "30%" });
  const forgotten = (await shown()).findLast(({ text }) => text.length > 40)!;
  await archive.forget!({ ids: [forgotten.id] });
  expect(JSON.stringify(await shown())).not.toContain(JSON.stringify(forgotten.text));
  expect((await opened()).map(({ status }) => status)).not.toContain("fulfilled");
  await archive.forget!({ conversation: name });
  await expect(shown()).rejects.toMatchObject({ code: "NOT_FOUND" });
});
