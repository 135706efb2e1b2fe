/** Conformance suite for the Archive contract: what every archive must do, wherever it keeps its rows. */
import type { Archive, ArchivedMessage, ArchiveWrite, CompactionRecord } from "../archive/archive.ts";
import { archiveItem, itemId } from "../archive/item-id.ts";
import { unlisted } from "../archive/unlisted.ts";
import { ArchiveError } from "../errors/archive-error.ts";
import { compactionWrite, messageItem, saidAs, textWrite } from "./archive-writes.ts";
import { testArchiveMarkers } from "./test-archive-markers.ts";
import { testArchiveSearch } from "./test-archive-search.ts";
import type { TestRunner } from "./test-format.ts";

/** An optional power that an archive may lack. */
export type ArchivePower = Exclude<keyof Archive, "name" | "put" | "get">;

/** How a suite makes a new, empty archive, and the powers that it lacks, each with the reason. */
export interface ArchiveUnderTest {
  readonly create: () => Archive | Promise<Archive>;
  readonly gaps?: Partial<Record<ArchivePower, string>>;
}

/** Registers the tests: `testArchive("memory", { create: () => memoryArchive() }, { test, expect })`. */
export function testArchive(name: string, { create, gaps = {} }: ArchiveUnderTest, runner: TestRunner): void {
  const { expect } = runner;
  /** A test of some powers on an archive of its own; a declared gap says why it does not run. */
  const check = (behaviour: string, needs: readonly ArchivePower[], run: ArchiveCheck): void => {
    const gap = needs.map((power) => gaps[power]).find(Boolean);
    if (gap) return;
    runner.test(`${name} archive: ${behaviour}`, async () => {
      const archive = (await create()) as Required<Archive>;
      try {
        await run(archive);
      } finally {
        await archive.close?.();
      }
    });
  };

  check("says where it is", [], async (archive) => {
    expect(typeof archive.name).toBe("string");
    expect(archive.name.length > 0).toBe(true);
  });

  check("gives every piece back as it was stored, whatever characters it has", [], async (archive) => {
    const contents = [...ODD_CONTENTS, "x".repeat(1_000_000), "漢字".repeat(100_000)];
    const items = contents.map((content) => archiveItem("text", content));
    await archive.put({ conversation: "a", at: 1, items });
    for (const item of items) expect(await archive.get(item.id)).toEqual(item);
  });

  check(
    "knows which pieces a conversation holds, those of others and odd ids not",
    ["held"],
    async (archive) => {
      const [mine, theirs] = [compactionWrite("a", 1), compactionWrite("b", 1)];
      const alone = archiveItem("text", "stored before any message names it");
      const shared = archiveItem("text", "said in both");
      await archive.put({ ...mine, items: [...mine.items, alone, shared] });
      await archive.put({ ...theirs, items: [...theirs.items, shared] });
      const own = [...mine.items, alone, shared].map(({ id }) => id);
      const other = theirs.items.map(({ id }) => id);
      const held = await archive.held("a", [...own, ...other, "pith:000000000000", "", "\0", "'; --"]);
      expect([...held].toSorted()).toEqual(own.toSorted());
      expect((await archive.held("nobody", own)).size).toBe(0);
    },
  );

  check("knows the kind of a piece and what was masked in it", [], async (archive) => {
    const masked = archiveItem("message", "key [redacted: github]", ["github", "aws"]);
    const same = archiveItem("hand-off", "key [redacted: github]");
    await archive.put({ conversation: "a", at: 1, items: [masked, same] });
    expect(await archive.get(masked.id)).toEqual(masked);
    expect(await archive.get(same.id)).toEqual(same);
  });

  check("has nothing for an id that it never had, however odd", [], async (archive) => {
    for (const id of ["pith:000000000000", "", "pith:'; DROP TABLE items; --", "../../etc/passwd", "\0"]) {
      expect(await archive.get(id)).toBe(undefined);
    }
  });

  check("gives several pieces in the order asked", ["getMany"], async (archive) => {
    const [one, two] = [archiveItem("text", "one"), archiveItem("text", "two")];
    await archive.put({ conversation: "a", at: 1, items: [one, two] });
    expect(await archive.getMany([two.id, "pith:nothing00", one.id, two.id])).toEqual([
      two,
      undefined,
      one,
      two,
    ]);
    expect(await archive.getMany([])).toEqual([]);
    const many = Array.from({ length: 3_000 }, (_, index) => archiveItem("text", `piece ${index}`));
    await archive.put({ conversation: "a", at: 2, items: many });
    expect(await archive.getMany(many.map(({ id }) => id))).toEqual(many);
  });

  check("changes nothing when the same is written twice", ["messages", "compactions"], async (archive) => {
    const write = compactionWrite("a", 1);
    await archive.put(write);
    await archive.put(write);
    expect(await archive.messages("a")).toEqual(write.messages);
    expect(await archive.compactions("a")).toEqual([write.compaction]);
  });

  check("refuses another content under a known id, and then writes nothing", [], async (archive) => {
    const first = archiveItem("text", "first");
    const other = archiveItem("text", "unrelated");
    await archive.put({ conversation: "a", at: 1, items: [first] });
    const clash = { ...first, content: "something else" };
    await refused(() => archive.put({ conversation: "a", at: 2, items: [other, clash] }));
    expect(await archive.get(other.id)).toBe(undefined);
    expect(await archive.get(first.id)).toEqual(first);
  });

  check("refuses two contents under one id in one write", [], async (archive) => {
    const first = archiveItem("text", "first");
    await refused(() =>
      archive.put({ conversation: "a", at: 1, items: [first, { ...first, content: "second" }] }),
    );
    expect(await archive.get(first.id)).toBe(undefined);
  });

  check("refuses a message whose piece it does not have, and then writes nothing", [], async (archive) => {
    const piece = archiveItem("text", "piece");
    const message = saidAs(messageItem("never stored"), { position: 0, text: "never stored" });
    await refused(() => archive.put({ conversation: "a", at: 1, items: [piece], messages: [message] }));
    expect(await archive.get(piece.id)).toBe(undefined);
  });

  check("refuses values that it could not give back", [], async (archive) => {
    const good = textWrite("a", ["hello"]);
    const bad: readonly ArchiveWrite[] = [
      { ...good, at: Number.NaN },
      { ...good, conversation: "nul \0 inside" },
      { ...good, conversation: "half \ud800 a pair" },
      { ...good, items: [{ ...good.items[0]!, id: "no marker" }] },
      { ...good, messages: [{ ...good.messages![0]!, position: 0.5 }] },
      { ...good, messages: [{ ...good.messages![0]!, position: -1 }] },
    ];
    for (const write of bad) await refused(() => archive.put(write));
    expect(await archive.get(good.items[0]!.id)).toBe(undefined);
  });

  check("lists messages by position, all or a range", ["messages"], async (archive) => {
    const write = textWrite("a", ["zero", "one", "two", "three"]);
    await archive.put({ ...write, messages: write.messages!.toReversed() });
    await archive.put(textWrite("b", ["elsewhere"]));
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
    await archive.put({ conversation: "a", at: 1, items: [item], messages });
    expect(await archive.messages("a")).toEqual(messages);
  });

  check("keeps both branches of a conversation", ["messages"], async (archive) => {
    await archive.put(textWrite("a", ["start", "left"]));
    await archive.put(textWrite("a", ["start", "right"]));
    const messages = await archive.messages("a");
    expect(messages.map(({ position }) => position)).toEqual([0, 1, 1]);
    expect(messages.map(({ text }) => text).toSorted()).toEqual(["left", "right", "start"]);
  });

  check("tells conversations apart, however their names look", ["conversations"], async (archive) => {
    const names = ["a", "A", "a%", "../a", "'; --", "漢字", "a\nb", "x".repeat(500)];
    for (const [index, conversation] of names.entries()) {
      await archive.put({ ...textWrite(conversation, [`said in ${index}`]), at: 10 + index });
    }
    await archive.put({ ...compactionWrite("a", 1), at: 50 });
    const infos = new Map((await archive.conversations()).map((info) => [info.id, info]));
    expect([...infos.keys()].toSorted()).toEqual(names.toSorted());
    expect(infos.get("漢字")).toEqual({ id: "漢字", messages: 1, compactions: 0, firstAt: 15, lastAt: 15 });
    const { compactions, firstAt, lastAt } = infos.get("a")!;
    expect({ compactions, firstAt, lastAt }).toEqual({ compactions: 1, firstAt: 10, lastAt: 50 });
  });

  check("lists nothing that is unlisted, and keeps it", ["conversations"], async (archive) => {
    await archive.put(textWrite("a", ["said"]));
    const state = archiveItem("state", "{}");
    await archive.put({ conversation: unlisted("a"), at: 1, items: [state] });
    expect((await archive.conversations()).map(({ id }) => id)).toEqual(["a"]);
    expect(await archive.get(state.id)).toEqual(state);
  });

  check("keeps compactions, oldest first", ["compactions", "compaction"], async (archive) => {
    const [first, second] = [compactionWrite("a", 1), compactionWrite("a", 2)];
    await archive.put(second);
    await archive.put(first);
    expect(await archive.compactions("a")).toEqual([first.compaction, second.compaction]);
    expect(await archive.compaction(second.compaction!.id)).toEqual(second.compaction);
    expect(await archive.compaction("pith:nothing00")).toBe(undefined);
    expect(await archive.compactions("b")).toEqual([]);
    const other: CompactionRecord = { ...second.compaction!, tokensAfter: 7 };
    await refused(() => archive.put({ ...second, compaction: other }));
    expect(await archive.compaction(other.id)).toEqual(second.compaction);
  });

  check("gives the newest state of a conversation", ["checkpoint"], async (archive) => {
    expect(await archive.checkpoint("a")).toBe(undefined);
    const states = ['{"count":1}', '{"count":2}', '{"count":3}'];
    for (const [index, state] of [states[1]!, states[2]!, states[0]!].entries()) {
      await archive.put({
        conversation: "a",
        at: [20, 30, 10][index]!,
        items: [archiveItem("state", state)],
      });
    }
    await archive.put({ conversation: "b", at: 99, items: [archiveItem("state", states[0]!)] });
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
      await archive.put({ conversation, at, items: [archiveItem("state", state)] });
    const found = await archive.checkpoints(["nobody", "b", "a", "b"]);
    expect(found.toSorted((left, right) => left.conversation.localeCompare(right.conversation))).toEqual([
      { conversation: "a", at: 2, state: '{"count":2}' },
      { conversation: "b", at: 1, state: '{"count":3}' },
    ]);
  });

  check("forgets a conversation and keeps what another one shares", ["forget", "verify"], async (archive) => {
    const shared = archiveItem("text", "both have this");
    const own = compactionWrite("a", 1);
    const other = textWrite("b", ["stays"]);
    await archive.put({ ...own, items: [...own.items, shared] });
    await archive.put({ ...other, items: [...other.items, shared] });
    const removed = await archive.forget({ conversation: "a" });
    expect(removed).toEqual({ conversations: 1, items: own.items.length });
    expect(await archive.get(shared.id)).toEqual(shared);
    for (const { id } of own.items) {
      const item = await archive.get(id);
      expect(item?.content).toBe("");
      expect(typeof item?.forgotten).toBe("number");
    }
    expect((await archive.conversations?.())?.map(({ id }) => id) ?? ["b"]).toEqual(["b"]);
    expect((await archive.messages?.("a")) ?? []).toEqual([]);
    expect((await archive.compactions?.("a")) ?? []).toEqual([]);
    expect(await archive.compaction?.(own.compaction!.id)).toBe(undefined);
    expect(await archive.checkpoint?.("a")).toBe(undefined);
    const { faults, forgotten } = await archive.verify();
    expect(faults).toEqual([]);
    expect(forgotten).toBe(own.items.length);
    expect(await archive.forget({ conversation: "a" })).toEqual({ conversations: 0, items: 0 });
  });

  check("forgets single pieces with the messages that hold them", ["forget", "verify"], async (archive) => {
    const write = compactionWrite("a", 1);
    await archive.put(write);
    const [gone, stays] = [write.messages![1]!, write.messages![0]!];
    expect(await archive.forget({ ids: [gone.id, "pith:nothing00", "", "\0", "'; --"] })).toEqual({
      conversations: 0,
      items: 1,
    });
    expect((await archive.get(gone.id))?.content).toBe("");
    expect((await archive.get(stays.id))?.forgotten).toBe(undefined);
    expect((await archive.messages?.("a"))?.some(({ id }) => id === gone.id) ?? false).toBe(false);
    expect((await archive.verify()).faults).toEqual([]);
  });

  check("forgets a long piece with the message that it was cut from", ["forget"], async (archive) => {
    const long = "a very long answer of a tool ".repeat(20);
    const piece = archiveItem("text", long);
    const item = messageItem(`before ${long} after`);
    const messages = [saidAs(item, { position: 0, text: `before ${long} after` })];
    await archive.put({ conversation: "a", at: 1, items: [piece, item], messages });
    expect((await archive.forget({ ids: [piece.id] })).items).toBe(2);
    expect((await archive.get(item.id))?.content).toBe("");
    await archive.put({ conversation: "b", at: 2, items: [piece, item], messages });
    expect((await archive.forget({ ids: [item.id] })).items).toBe(2);
    expect((await archive.get(piece.id))?.content).toBe("");
    const longer = archiveItem("text", `${long} and more`);
    await archive.put({ conversation: "c", at: 3, items: [piece, longer] });
    expect((await archive.forget({ ids: [piece.id] })).items).toBe(2);
    expect((await archive.get(longer.id))?.content).toBe("");
  });

  check("takes a forgotten piece back when it is written anew", ["forget", "verify"], async (archive) => {
    const write = textWrite("a", ["said again"]);
    await archive.put(write);
    await archive.forget({ conversation: "a" });
    await archive.put(write);
    expect(await archive.get(write.items[0]!.id)).toEqual(write.items[0]);
    expect((await archive.verify()).forgotten).toBe(0);
  });

  check(
    "leaves a message forgotten when it is written again without its piece",
    ["forget", "verify", "messages"],
    async (archive) => {
      const write = textWrite("a", ["forgotten", "kept"]);
      await archive.put(write);
      await archive.forget({ ids: [write.items[0]!.id] });
      await archive.put({ ...write, items: [] });
      expect((await archive.messages("a")).map(({ text }) => text)).toEqual(["kept"]);
      expect((await archive.get(write.items[0]!.id))?.content).toBe("");
      expect((await archive.verify()).faults).toEqual([]);
    },
  );

  check("removes conversations by age, whole", ["retain", "conversations"], async (archive) => {
    for (const [index, name] of ["old", "middle", "new"].entries()) {
      await archive.put({ ...textWrite(name, [`said in ${name}`]), at: 100 * (index + 1) });
    }
    expect(await archive.retain({ before: 200 })).toEqual({ conversations: 1, items: 1 });
    expect((await archive.conversations()).map(({ id }) => id).toSorted()).toEqual(["middle", "new"]);
    expect(await archive.retain({})).toEqual({ conversations: 0, items: 0 });
  });

  check(
    "removes the longest untouched until the size is met",
    ["retain", "conversations"],
    async (archive) => {
      for (const [index, name] of ["one", "two", "three"].entries()) {
        const text = noise(name, name === "three" ? 40_000 : 1_000);
        await archive.put({ ...textWrite(name, [text]), at: 300 - 100 * index });
      }
      await archive.put({ ...textWrite("two", ["two is touched again"], 1), at: 400 });
      expect((await archive.retain({ maxBytes: 100_000_000 })).conversations).toBe(0);
      expect((await archive.retain({ maxBytes: 20_000 })).conversations).toBe(1);
      const left = (await archive.conversations()).map(({ id }) => id);
      expect(left.includes("three")).toBe(false);
      expect(left.includes("two")).toBe(true);
      await archive.retain({ maxBytes: 0 });
      expect(await archive.conversations()).toEqual([]);
    },
  );

  check("never removes what a live marker names", ["retain", "verify"], async (archive) => {
    const source = textWrite("old", ["recalled elsewhere later on"]);
    await archive.put({ ...source, at: 1 });
    const write = compactionWrite("new", 1_000);
    const marker = source.items[0]!;
    const compaction = { ...write.compaction!, markers: [...write.compaction!.markers, marker.id] };
    await archive.put({ ...write, compaction });
    expect(await archive.retain({ before: 500 })).toEqual({ conversations: 1, items: 0 });
    expect(await archive.get(marker.id)).toEqual(marker);
    expect((await archive.verify()).faults).toEqual([]);
  });

  check("finds itself whole", ["verify"], async (archive) => {
    expect(await archive.verify()).toEqual({ items: 0, markers: 0, requests: 0, forgotten: 0, faults: [] });
    const write = compactionWrite("a", 1);
    await archive.put(write);
    const { items, markers, requests, forgotten, faults } = await archive.verify();
    expect(faults).toEqual([]);
    expect({ items, markers, requests, forgotten }).toEqual({
      items: write.items.length,
      markers: write.compaction!.markers.length,
      requests: 2,
      forgotten: 0,
    });
  });

  check("names every id that leads nowhere", ["verify"], async (archive) => {
    const write = compactionWrite("a", 1);
    const span = archiveItem("span", "pith:missing00001");
    const compaction = { ...write.compaction!, markers: [span.id, "pith:missing00002"] };
    await archive.put({ ...write, items: [...write.items, span], compaction });
    const { faults } = await archive.verify();
    expect(faults.map(({ id }) => id).toSorted()).toEqual(["pith:missing00001", "pith:missing00002"]);
    expect(faults.every(({ problem }) => problem.length > 0)).toBe(true);
  });

  check("names a content that is another one than its id stands for", ["verify"], async (archive) => {
    const [one, other] = [archiveItem("text", "one"), archiveItem("text", "other")];
    await archive.put({ conversation: "a", at: 1, items: [{ ...one, content: other.content }] });
    expect((await archive.verify()).faults.map(({ id }) => id)).toEqual([one.id]);
  });

  check("refuses work after it was closed", ["close"], async (archive) => {
    await archive.close();
    await archive.close();
    await refused(() => archive.get("pith:000000000000"));
    await refused(() => archive.put(textWrite("a", ["late"])));
  });

  testArchiveMarkers(check, expect);
  testArchiveSearch(check, expect);

  async function refused(work: () => Promise<unknown>): Promise<void> {
    const error = await work().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error instanceof ArchiveError).toBe(true);
    expect((error as ArchiveError).code).toBe("ARCHIVE_FAILED");
    expect((error as ArchiveError).message.length > 20).toBe(true);
  }
}

/** A test on a new archive, which has at least the powers that were named. */
export type ArchiveCheck = (archive: Required<Archive>) => Promise<void>;

/** Text that hardly shrinks. */
function noise(seed: string, length: number): string {
  let text = "";
  for (let round = 0; text.length < length; round++)
    text += `${itemId("text", `${seed} ${round}`).slice(5)} `;
  return text.slice(0, length);
}

const ODD_CONTENTS: readonly string[] = [
  "",
  " ",
  "plain",
  "two\r\nlines\n",
  "\ufeffwith a mark",
  "nul \0 inside",
  "half \ud83d of a pair",
  "🙂 whole pair",
  "quotes ' \" ` \\ % _ * ( ) -- ;",
  "\u0000",
];
