/** The part of the Archive conformance suite that is about conversations: their messages, compactions and states. */
import type { ArchivedMessage, CompactionRecord } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";
import { writeTo } from "../archive/ready-write.ts";
import { unlisted } from "../archive/unlisted.ts";
import { type CheckArchive, refused } from "./archive-check.ts";
import { compactionWrite, messageItem, ODD_CONTENTS, textWrite } from "./archive-writes.ts";
import type { TestRunner } from "./test-format.ts";

/** Registers the tests through the `check` of the suite. */
export function testArchiveConversations(check: CheckArchive, expect: TestRunner["expect"]): void {
  check("lists messages by position, all or a range", ["messages"], async (archive) => {
    const write = textWrite("a", ["zero", "one", "two", "three"]);
    await writeTo(archive, { ...write, messages: write.messages!.toReversed() });
    await writeTo(archive, textWrite("b", ["elsewhere"]));
    expect(await archive.messages("a")).toEqual(write.messages);
    expect(await archive.messages("a", { from: 1, to: 2 })).toEqual(write.messages!.slice(1, 3));
    expect(await archive.messages("a", { from: 3 })).toEqual(write.messages!.slice(3));
    expect(await archive.messages("nobody")).toEqual([]);
  });

  check("gives roles, tools, times and text of a message back", ["messages"], async (archive) => {
    const item = messageItem("odd");
    const messages: readonly ArchivedMessage[] = ODD_CONTENTS.map((text, position) => ({
      position,
      id: item.id,
      role: "tool",
      tools: ["read", `odd "tool" \0 ${position}`],
      text,
      at: 1_800_000_000_000 + position,
    }));
    await writeTo(archive, { conversation: "a", at: 1, items: [item], messages });
    expect(await archive.messages("a")).toEqual(messages);
  });

  check("keeps both branches of a conversation", ["messages"], async (archive) => {
    await writeTo(archive, textWrite("a", ["start", "left"]));
    await writeTo(archive, textWrite("a", ["start", "right"]));
    const messages = await archive.messages("a");
    expect(messages.map(({ position }) => position)).toEqual([0, 1, 1]);
    expect(messages.map(({ text }) => text).toSorted()).toEqual(["left", "right", "start"]);
  });

  check("tells conversations apart, however their names look", ["conversations"], async (archive) => {
    const names = ["a", "A", "a%", "../a", "'; --", "漢字", "a\nb", "x".repeat(500)];
    for (const [index, conversation] of names.entries()) {
      await writeTo(archive, { ...textWrite(conversation, [`said in ${index}`]), at: 10 + index });
    }
    await writeTo(archive, { ...compactionWrite("a", 1), at: 50 });
    const infos = new Map((await archive.conversations()).map((info) => [info.id, info]));
    expect([...infos.keys()].toSorted()).toEqual(names.toSorted());
    expect(infos.get("漢字")).toEqual({ id: "漢字", messages: 1, compactions: 0, firstAt: 15, lastAt: 15 });
    const { compactions, firstAt, lastAt } = infos.get("a")!;
    expect({ compactions, firstAt, lastAt }).toEqual({ compactions: 1, firstAt: 10, lastAt: 50 });
  });

  check("lists nothing that is unlisted, and keeps it", ["conversations"], async (archive) => {
    await writeTo(archive, textWrite("a", ["said"]));
    const state = archiveItem("state", "{}");
    await writeTo(archive, { conversation: unlisted("a"), at: 1, items: [state] });
    expect((await archive.conversations()).map(({ id }) => id)).toEqual(["a"]);
    expect(await archive.get(state.id)).toEqual(state);
  });

  check("keeps compactions, oldest first", ["compactions", "compaction"], async (archive) => {
    const [first, second] = [compactionWrite("a", 1), compactionWrite("a", 2)];
    await writeTo(archive, second);
    await writeTo(archive, first);
    expect(await archive.compactions("a")).toEqual([first.compaction, second.compaction]);
    expect(await archive.compaction(second.compaction!.id)).toEqual(second.compaction);
    expect(await archive.compaction("pith:nothing00")).toBe(undefined);
    expect(await archive.compactions("b")).toEqual([]);
    const other: CompactionRecord = { ...second.compaction!, tokensAfter: 7 };
    await refused(expect, () => writeTo(archive, { ...second, compaction: other }));
    expect(await archive.compaction(other.id)).toEqual(second.compaction);
  });

  check("gives the newest state of a conversation", ["checkpoint"], async (archive) => {
    expect(await archive.checkpoint("a")).toBe(undefined);
    const states = ['{"count":1}', '{"count":2}', '{"count":3}'];
    for (const [index, state] of [states[1]!, states[2]!, states[0]!].entries()) {
      await writeTo(archive, {
        conversation: "a",
        at: [20, 30, 10][index]!,
        items: [archiveItem("state", state)],
      });
    }
    await writeTo(archive, { conversation: "b", at: 99, items: [archiveItem("state", states[0]!)] });
    expect(await archive.checkpoint("a")).toEqual({ conversation: "a", at: 30, state: states[2]! });
    expect(await archive.checkpoint("b")).toEqual({ conversation: "b", at: 99, state: states[0]! });
  });

  check("gives the newest states of several conversations at once", ["checkpoints"], async (archive) => {
    expect(await archive.checkpoints([])).toEqual([]);
    for (const [conversation, at, state] of [
      ["a", 1, "{}"],
      ["a", 2, '{"count":2}'],
      ["b", 1, '{"count":3}'],
      ["c", 1, "[]"],
    ] as const)
      await writeTo(archive, { conversation, at, items: [archiveItem("state", state)] });
    const found = await archive.checkpoints(["nobody", "b", "a", "b"]);
    expect(found.toSorted((left, right) => left.conversation.localeCompare(right.conversation))).toEqual([
      { conversation: "a", at: 2, state: '{"count":2}' },
      { conversation: "b", at: 1, state: '{"count":3}' },
    ]);
  });
}
