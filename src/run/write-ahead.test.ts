import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Archive } from "../archive/archive.ts";
import { memoryArchive } from "../archive/memory.ts";
import { spanPieces } from "../archive/span-pieces.ts";
import { sqliteArchive } from "../archive/sqlite.ts";
import { createCompactor } from "../compactor.ts";
import { ArchiveError } from "../errors/archive-error.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import {
  assistant,
  call,
  rawConversation,
  result,
  system,
  user,
  type WireMessage,
} from "../testing/builders.ts";

const MARKER = /pith:[0-9a-z]{8,}/g;

const fileText = (at: number) =>
  Array.from({ length: 80 }, (_, line) => `export const value${at}x${line} = ${at * 1000 + line};`).join(
    "\n",
  );
const turn = (at: number): readonly WireMessage[] => [
  user(`Look at module ${at}.`),
  assistant(`Reading module ${at}.`, call("read_file", { path: `src/module-${at}.ts` }, `call-${at}`)),
  result(fileText(at), { id: `call-${at}` }),
  assistant(`Module ${at} exports eighty values.`),
];
const session = (turns: number): readonly WireMessage[] =>
  rawConversation(system("You are an agent."), ...Array.from({ length: turns }, (_, at) => turn(at)).flat());

const archives: readonly (readonly [string, () => Archive])[] = [
  ["memory", () => memoryArchive()],
  ["sqlite", () => sqliteArchive({ file: join(mkdtempSync(join(tmpdir(), "pith-")), "archive.sqlite") })],
];

/** All that an id leads to, spans and requests put together. */
async function expanded(archive: Archive, id: string): Promise<string> {
  const item = await archive.get(id);
  expect(item, `${id} must be in the archive`).toBeDefined();
  if (item!.kind !== "span" && item!.kind !== "request") return item!.content;
  const pieces = await Promise.all(
    spanPieces(item!.content).map(({ id: piece }) => expanded(archive, piece)),
  );
  return pieces.join("");
}

describe.each(archives)("with the %s archive", (_name, open) => {
  test.each(["20%", "35%", "60%", "85%"] as const)(
    "[F79] at %s every id in the output leads to what it stands for, and nothing that left is missing",
    async (target) => {
      const archive = open();
      const messages = session(30);
      const { messages: output, report } = await createCompactor({ target: "50%", archive }).compact(
        messages,
        { target },
      );
      expect(report.error).toBeUndefined();
      const ids = [...new Set(JSON.stringify(output).match(MARKER))];
      expect(ids.length).toBeGreaterThan(0);
      const named = (await Promise.all(ids.map((id) => expanded(archive, id)))).join("\n");
      const visible = `${JSON.stringify(output)}${named}`.replaceAll("\\n", "\n");
      for (const line of messages.flatMap(({ content }) => String(content ?? "").split("\n")))
        expect(visible).toContain(line);
      expect(report.archive).toBe(archive.name);
      expect(await archive.verify!()).toMatchObject({ faults: [] });
    },
  );

  test.each([
    ["text", (messages: readonly WireMessage[]) => JSON.stringify({ model: "m", messages }, null, 1)],
    ["a value", (messages: readonly WireMessage[]) => ({ model: "m", messages, temperature: 0 })],
  ] as const)("both requests of a compaction of %s are rebuilt byte for byte", async (_kind, bodyOf) => {
    const archive = open();
    const body = bodyOf(session(20));
    const { body: output, report } = await createCompactor({ target: "50%", archive }).compact(body, {
      target: "30%",
    });
    const record = (await archive.compaction!(report.compaction!))!;
    const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
    expect(await expanded(archive, record.before)).toBe(textOf(body));
    expect(await expanded(archive, record.after)).toBe(textOf(output));
    expect(record.markers).toEqual([...new Set(textOf(output).match(MARKER))]);
  });

  test("messages keep their places through compactions, and what Pith wrote is none of them", async () => {
    const archive = open();
    const compactor = createCompactor({ target: "50%", archive });
    const all = session(30);
    let messages: readonly WireMessage[] = all.slice(0, 61);
    let state: CompactionState | undefined;
    for (let round = 0; round < 3; round++) {
      const done = await compactor.compact(messages, {
        target: "40%",
        conversationId: "c",
        ...(state && { state }),
      });
      expect(done.report.compacted).toBe(true);
      state = done.state;
      messages = [
        ...(done.messages as readonly WireMessage[]),
        ...all.slice(61 + round * 20, 81 + round * 20),
      ];
    }
    const archived = await archive.messages!("c");
    expect(archived.map(({ position }) => position)).toEqual(archived.map((_, at) => at));
    expect(archived).toHaveLength(101);
    const contents = await Promise.all(
      archived.map(async ({ id }) => JSON.parse((await archive.get(id))!.content)),
    );
    expect(contents).toEqual(all.slice(0, 101));
    expect(archived[2]).toMatchObject({ role: "assistant", tools: ["read_file"] });
    expect(archived[3]).toMatchObject({ role: "tool", tools: ["read_file"] });
  });

  test("the archive keeps the state of a named conversation, strikes included", async () => {
    const archive = open();
    const compactor = createCompactor({ archive, window: 8_000, reserve: 500, clock: () => 1_000 });
    const first = await compactor.compact(session(12), { conversationId: "kept" });
    expect(first.report.compacted).toBe(true);
    const next = await compactor.compact(first.messages, { conversationId: "kept" });
    expect(next.state.compactions).toBe(1);
    expect(next.state.lastCompaction).toBe(first.report.compaction);
    expect(next.state).toMatchObject({ conversationId: "kept" });
    const other = await compactor.compact(session(1), { conversationId: "another" });
    expect(other.state.compactions).toBe(0);
  });

  test("an id that only stood in the conversation is a quote: it is not taken for one of ours", async () => {
    const archive = open();
    const quoting = [...session(20), user("What is pith:zzzzzzzzzzzz?")];
    const { messages: output, report } = await createCompactor({ target: "50%", archive }).compact(quoting, {
      target: "30%",
    });
    expect(report.compacted).toBe(true);
    expect(JSON.stringify(output)).toContain("pith:zzzzzzzzzzzz");
    expect((await archive.verify!()).faults).toEqual([]);
  });
});

test("a conversation whose name reads like a secret is known by it in the state that is kept", async () => {
  const archive = memoryArchive();
  const name = "sk-ant-api03-hvYBmkfpU5085kBv7U6E84fL51N3aYWf99Q73Upz";
  await createCompactor({ target: "30%", archive }).compact(session(20), { conversationId: name });
  const kept = await archive.checkpoint!(name);
  expect(JSON.parse(kept!.state)).toMatchObject({ conversationId: name, compactions: 1 });
});

test("secrets are masked in the archive, listed, and still there for the agent", async () => {
  const archive = memoryArchive();
  const key = "sk-ant-api03-hvYBmkfpU5085kBv7U6E84fL51N3aYWf99Q73Upz";
  const messages = [...session(20), user(`Use the key ${key} for this.`)];
  const { messages: output, report } = await createCompactor({ target: "50%", archive }).compact(messages, {
    target: "30%",
  });
  expect(JSON.stringify(output)).toContain(key);
  expect(report.maskedSecrets).toBeGreaterThan(0);
  const record = (await archive.compaction!(report.compaction!))!;
  const stored = (await expanded(archive, record.before)) + (await expanded(archive, record.after));
  expect(stored).not.toContain(key);
  expect(stored).toContain("Use the key [redacted: ");
});

test.each([
  ["put", "rejects", new ArchiveError("broken", "The disk is full.")],
  ["put", "throws something else", new Error("boom")],
  ["checkpoint", "cannot be read", new ArchiveError("broken", "The database is locked.")],
] as const)(
  "when the archive's %s %s, the original stays and the report says why",
  async (power, _how, error) => {
    const archive: Archive = {
      ...memoryArchive(),
      name: "broken",
      [power]: async () => {
        throw error;
      },
    };
    const messages = session(20);
    const { messages: output, report } = await createCompactor({ target: "50%", archive }).compact(messages, {
      target: "30%",
      conversationId: "c",
    });
    expect(output).toBe(messages);
    expect(report.compacted).toBe(false);
    expect(report.error).toMatchObject({ code: "ARCHIVE_FAILED" });
    expect(report.error!.message).toContain(error.message.replace(/\.$/, ""));
  },
);

test("[R18] an archive that fails while the branch is looked up leaves a strike, as one that cannot write does", async () => {
  const archive = memoryArchive();
  const options = { window: 12_000, reserve: 0 };
  const first = await createCompactor({ ...options, archive }).compact(session(20), { conversationId: "c" });
  expect(first.report.compacted).toBe(true);
  const down = async () => {
    throw new ArchiveError("broken", "The server is gone.");
  };
  const broken: Archive = { ...archive, compaction: down, compactions: down };
  const messages = [...first.messages, ...session(20).slice(1)];
  const { report, state } = await createCompactor({ ...options, archive: broken }).compact(messages, {
    conversationId: "c",
    state: first.state,
  });
  expect(report.error).toMatchObject({ code: "ARCHIVE_FAILED" });
  expect(report.tokensBefore).toBeGreaterThan(1_000);
  expect(state.strikes).toBe(1);
});

test("what arrives after a rewind is written with what its own branch left", async () => {
  const compactor = createCompactor({ window: 200_000, archive: memoryArchive() });
  const first = await compactor.compact(session(20), { conversationId: "c", target: "30%" });
  expect(JSON.stringify(first.state.ledger)).toContain("module-15.ts");
  const huge = Array.from(
    { length: 4_000 },
    (_, line) => `row ${line}: value ${line * 7} of table ${line % 9}`,
  ).join("\n");
  const rewound = [
    ...session(3),
    user("Print the table."),
    assistant("", call("run", { command: "print" }, "huge")),
    result(huge, { id: "huge" }),
  ];
  const { report, state } = await compactor.compact(rewound, { conversationId: "c" });
  expect(report.compacted).toBe(true);
  expect(JSON.stringify(state.ledger ?? "")).not.toContain("module-15.ts");
});

test("without an archive no text names an id, and the report says so", async () => {
  for (const target of ["20%", "60%", "85%"] as const) {
    const { messages: output, report } = await createCompactor({ target: "50%" }).compact(session(30), {
      target,
    });
    expect(JSON.stringify(output)).not.toMatch(MARKER);
    expect(report.archive).toBe("none");
  }
});
