/** Session files in an archive: `pith archive import`, and what is recalled of them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sayThatDataIsAbsent } from "./recordings.ts";
import { inTemporaryFolder, type Run, runPith } from "./run-pith.ts";
import { nativeFiles, sampleFiles } from "./session-files.ts";

if (nativeFiles.length === 0) sayThatDataIsAbsent("native files imported");

const files = [...nativeFiles, ...(await sampleFiles())];

const rowsOf = ({ stdout }: Run): readonly Record<string, unknown>[] =>
  stdout
    .trimEnd()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Runs `pith` in a folder with an archive of its own. */
const inFolder = (
  work: (pith: (...parameters: readonly string[]) => Promise<Run>, folder: string) => Promise<void>,
) =>
  inTemporaryFolder((folder) =>
    work(
      (...parameters) => runPith(parameters, { folder, environment: { PITH_ARCHIVE: "a.sqlite" } }),
      folder,
    ),
  );

test.concurrent("[R35] every session file in a folder is imported, again without change nothing is, and a question is answered", () =>
  inFolder(async (pith, folder) => {
    for (const { name, bytes } of files) {
      const path = join(folder, "sessions", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes());
    }
    writeFileSync(
      join(folder, "sessions/notes.md"),
      "User: what is this?\nAssistant: It only looks like a chat.\n",
    );
    writeFileSync(join(folder, "sessions/settings.json"), '{"theme": "dark"}');
    writeFileSync(join(folder, "sessions/picture.png"), Buffer.from([0x89, 0x50, 0, 0]));
    const first = await pith("archive", "import", "sessions");
    expect(first.exitCode).toBe(0);
    const rows = rowsOf(first);
    expect(rows).toHaveLength(files.length);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(files.length);
    expect(rows.filter(({ messages, new: added }) => Number(messages) < 5 || messages !== added)).toEqual([]);
    expect(first.stderr).toContain("3 files left out");

    const before = [await pith("archive", "list", "--json"), await pith("archive", "stat", "--json")];
    const again = await pith("archive", "import", "sessions");
    expect(again.exitCode).toBe(0);
    expect(rowsOf(again)).toEqual(rows.map((row) => ({ ...row, new: 0 })));
    const after = [await pith("archive", "list", "--json"), await pith("archive", "stat", "--json")];
    expect(after.map(({ stdout }) => stdout)).toEqual(before.map(({ stdout }) => stdout));
    expect((await pith("verify")).exitCode).toBe(0);

    const found = await pith(
      "recall",
      "in which folder does technical reference go, and in which one work items?",
    );
    expect(found.stdout).toMatch(/of 03eb5929-52b3-4b13-ada3-b93ae35806b8, \w+, 2026-02-16T/);
    expect(found.stdout).toMatch(/dev-docs.*technical reference/);
    if (nativeFiles.length === 0) return;
    // Of what pi compacted away itself.
    const asked = [
      "recall",
      "who asked for a deep analysis, and for a plan on how to untangle this big mess?",
      "--limit",
      "3",
    ];
    const old = await pith(...asked, "--conversation", "ffae836b-9420-4060-ac13-7745215f90ff");
    expect(old.stdout).toContain("i feel like this is one big mess");
  }));

const asked = "2026-03-01T10:00:00.000Z";
const answered = "2026-03-01T10:05:00.000Z";
const day = "2026-03-02T09:00:00.000Z";

/** A line of Claude Code. */
const line = (
  uuid: string,
  parentUuid: string | null,
  content: string,
  timestamp: string,
  more: object = {},
) => ({
  parentUuid,
  isSidechain: false,
  sessionId: "5e55",
  type: "user",
  message: { role: "user", content },
  uuid,
  timestamp,
  ...more,
});
const reply = (uuid: string, parentUuid: string, content: string, timestamp: string) =>
  line(uuid, parentUuid, content, timestamp, {
    type: "assistant",
    message: { id: uuid, role: "assistant", content },
  });
const title = { type: "custom-title", customTitle: "Ports of  staging", sessionId: "5e55" };
const begun = [
  { type: "summary", summary: "Of another session", leafUuid: "elsewhere" },
  line("1", null, "Which port is staging on?", asked),
  reply("2", "1", "Staging listens on 48213.", answered),
];
const compacted = [
  line("b", null, "", day, { type: "system", subtype: "compact_boundary", logicalParentUuid: "2" }),
  line("s", "b", "This session is being continued: ports were told.", day, { isCompactSummary: true }),
  line("3", "s", "And production?", day),
  reply("4", "3", "Production listens on 443.", day),
];
const textOf = (...lines: readonly object[]) => lines.map((each) => `${JSON.stringify(each)}\n`).join("");

test.concurrent("[R35] a session has its own name, title and times, and what its program compacted away", () =>
  inFolder(async (pith, folder) => {
    const file = join(folder, "s.jsonl");
    writeFileSync(file, textOf(...begun, title));
    const row = { id: "5e55", title: "Ports of staging", file };
    expect(rowsOf(await pith("archive", "import", "s.jsonl"))).toEqual([{ ...row, messages: 2, new: 2 }]);
    const listed = { conversationId: "5e55", title: row.title, compactions: 0, first: asked };
    expect(rowsOf(await pith("archive", "list", "--json"))).toEqual([
      { ...listed, messages: 2, last: answered },
    ]);

    writeFileSync(file, textOf(...begun, title, ...compacted));
    expect(rowsOf(await pith("archive", "import", "s.jsonl"))).toEqual([{ ...row, messages: 4, new: 2 }]);
    expect(rowsOf(await pith("archive", "list", "--json"))).toEqual([{ ...listed, messages: 4, last: day }]);
    expect((await pith("archive", "list")).stdout).toMatch(
      /title +conversation\n.* Ports of staging +5e55\n/,
    );
    const { results } = JSON.parse((await pith("recall", "the port of staging", "--json")).stdout);
    expect(results).toContainEqual(
      expect.objectContaining({ conversationId: "5e55", message: 1, at: answered }),
    );
    expect((await pith("recall", "is being continued")).stdout).toBe("");

    // What was renamed has its new name; what was rewound is taken back.
    const rewound = [
      line("3", "s", "And the test server?", day),
      reply("4", "3", "It listens on 7000.", day),
    ];
    const renamed = { ...title, customTitle: "Ports" };
    writeFileSync(file, textOf(...begun, title, ...compacted.slice(0, 2), ...rewound, renamed));
    expect(rowsOf(await pith("archive", "import", "s.jsonl"))).toMatchObject([{ title: "Ports", new: 2 }]);
    expect(rowsOf(await pith("archive", "list", "--json"))).toMatchObject([{ title: "Ports", messages: 6 }]);
    const asking = ["recall", "which port does production have?", "--conversation", "5e55"];
    expect((await pith(...asking)).stdout).not.toContain("443");
    expect((await pith(...asking, "--other-branches")).stdout).toContain("443");
  }));

test.concurrent("[R35] a session that Pith compacted takes nothing back of the one that it was", () =>
  inFolder(async (pith, folder) => {
    const [sample] = files.slice(-1);
    writeFileSync(join(folder, "s.jsonl"), sample!.bytes());
    const [{ id, messages }] = rowsOf(await pith("archive", "import", "s.jsonl")) as [
      Record<string, unknown>,
    ];
    await pith("compact", "s.jsonl", "--preset", "hermes", "--target", "30%", "-o", "smaller.jsonl");
    const [smaller] = rowsOf(await pith("archive", "import", "smaller.jsonl"));
    expect(smaller).toMatchObject({ id });
    expect(Number(smaller!.messages)).toBeLessThan(Number(messages));
    const all = ["recall", "what was done?", "--conversation", String(id), "--limit", "1000", "--json"];
    const { results } = JSON.parse((await pith(...all, "--other-branches")).stdout);
    expect(results.length).toBeGreaterThan(10);
    expect(results.filter(({ otherBranch }: { readonly otherBranch?: boolean }) => otherBranch)).toEqual([]);
    const rows = rowsOf(await pith("archive", "import", "s.jsonl", "smaller.jsonl"));
    expect(rows).toMatchObject([
      { id, messages, new: 0 },
      { id, new: 0 },
    ]);
  }));

test.concurrent("files that are named are all taken, or told with the reason; those that can be are imported", () =>
  inFolder(async (pith, folder) => {
    writeFileSync(join(folder, "s.jsonl"), textOf(...begun));
    writeFileSync(join(folder, "settings.json"), '{"theme": "dark"}');
    const request = [
      { role: "user", content: "Hello." },
      { role: "assistant", content: "Hello!" },
    ];
    writeFileSync(join(folder, "request.json"), JSON.stringify({ model: "m", messages: request }));
    const run = await pith("archive", "import", "settings.json", "s.jsonl", "request.json");
    expect(run.exitCode).toBe(2);
    expect(rowsOf(run).map(({ id, messages }) => [id, messages])).toEqual([
      ["5e55", 2],
      [join(folder, "request.json"), 2],
    ]);
    expect(run.stderr).toContain("pith: settings.json: ");
    const alone = await pith("archive", "import", "settings.json");
    expect(alone).toMatchObject({ exitCode: 2, stdout: "" });
    const missing = await pith("archive", "import", "s.jsonl", "nowhere");
    expect(missing).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("nowhere: there is no such file"),
    });
    const named = await pith("archive", "import", "s.jsonl", "request.json", "--conversation", "mine");
    expect(named).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("Import one file alone"),
    });
    const one = await pith("archive", "import", "s.jsonl", "--conversation", "mine");
    expect(rowsOf(one)).toMatchObject([{ id: "mine", messages: 2, new: 2 }]);
    const help = (await pith("archive", "import", "--help")).stdout;
    expect(help).toContain("pith archive import ~/.claude/projects");
  }));
