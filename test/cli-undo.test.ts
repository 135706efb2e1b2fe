/** `pith undo`: from what a compaction made to what it was made of. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder, type Run, runPith } from "./run-pith.ts";
import { sampleFiles } from "./session-files.ts";

const samples = await sampleFiles();
const example = readFileSync(join(import.meta.dirname, "../examples/coding-session.json"));

interface Place {
  readonly pith: (...parameters: readonly string[]) => Promise<Run>;
  readonly path: (name: string) => string;
}

/** Runs `pith` in a folder with an archive of its own. */
const inFolder = (work: (place: Place) => Promise<void>) =>
  inTemporaryFolder((folder) =>
    work({
      pith: (...parameters) => runPith(parameters, { folder, environment: { PITH_ARCHIVE: "a.sqlite" } }),
      path: (name) => join(folder, name),
    }),
  );

test.concurrent("a request comes back byte for byte, one compaction after the other", () =>
  inFolder(async ({ pith, path }) => {
    writeFileSync(path("r.json"), example);
    await pith("compact", "r.json", "--target", "30%", "-o", "once.json");
    await pith("compact", "once.json", "--target", "50%", "-o", "twice.json");
    expect((await pith("undo", "twice.json", "-o", "back.json")).exitCode).toBe(0);
    expect(readFileSync(path("back.json")).equals(readFileSync(path("once.json")))).toBe(true);
    const first = await pith("undo", "back.json");
    expect(first.stdout === example.toString("utf8")).toBe(true);
    expect(first.stderr).toMatch(/^Compaction pith:\w+ is undone\.\n$/);
  }));

test.concurrent("what was said since stays, in a session file and in a request", () =>
  inFolder(async ({ pith, path }) => {
    const [, session] = samples;
    writeFileSync(path("s.jsonl"), session!.bytes());
    await pith("compact", "s.jsonl", "--target", "30%", "-o", "smaller.jsonl");
    const more = `${JSON.stringify({ type: "user", message: { role: "user", content: "And now?" }, parentUuid: null })}\n`;
    appendFileSync(path("smaller.jsonl"), more + more);
    const { stdout } = await pith("undo", "smaller.jsonl");
    expect(stdout === session!.bytes() + more + more).toBe(true);

    writeFileSync(path("r.json"), example);
    await pith("compact", "r.json", "--target", "30%", "-o", "smaller.json");
    const list = (text: string) => JSON.parse(text) as unknown[];
    const grown = [
      ...list(readFileSync(path("smaller.json"), "utf8")),
      { role: "user", content: "And now?" },
    ];
    writeFileSync(path("smaller.json"), JSON.stringify(grown, null, 1));
    const undone = await pith("undo", "smaller.json", "--json");
    expect(JSON.parse(undone.stdout)).toMatchObject({
      compaction: expect.stringMatching(/^pith:/),
      maskedSecrets: 0,
    });
    expect(JSON.parse(undone.stdout).messages).toEqual([...list(String(example)), grown.at(-1)]);
  }));

const TOKEN = `gh${"p_"}0123456789abcdefghijklmnopqrstuvwxyz`;

test.concurrent("[R46] a session with secrets comes back with these masked, and can still be read", () =>
  inFolder(async ({ pith, path }) => {
    const said = (at: number, role: string, content: string) =>
      `${JSON.stringify({ role, content, timestamp: `2026-01-01T00:00:${String(at).padStart(2, "0")}` })}\n`;
    const secret = `export DB_PASSWORD="hunter2!hunter2!"\ncurl -H "Authorization: Bearer ${TOKEN}"`;
    const lines = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0
        ? said(at, "user", `Look at module ${at}.`)
        : said(at, "assistant", `${secret}\nIt has ${at * 31} lines. `.repeat(6)),
    );
    writeFileSync(path("s.jsonl"), lines.join(""));
    await pith("compact", "s.jsonl", "--target", "20%", "-o", "smaller.jsonl");
    const { stdout, stderr } = await pith("undo", "smaller.jsonl");
    expect(stderr).toMatch(/ is undone; \d+ secrets masked in what comes back\.\n$/);
    const messages = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(messages).toHaveLength(40);
    expect(messages[1].content).toMatch(
      /^export DB_PASSWORD="\[redacted: \w+\]"\ncurl -H "Authorization: Bearer \[redacted/,
    );
    expect(messages.map(({ role }) => role)).toEqual(lines.map((line) => JSON.parse(line).role));
    expect(readFileSync(path("a.sqlite")).includes("hunter2")).toBe(false);
    const json = JSON.parse((await pith("undo", "smaller.jsonl", "--json")).stdout);
    expect(json.transcript).toBe(stdout);
    expect(json.maskedSecrets).toBeGreaterThan(20);
  }));

test.concurrent("where the archive does not have what it was, it is said what to do", () =>
  inFolder(async ({ pith, path }) => {
    const [session] = samples;
    writeFileSync(path("s.jsonl"), session!.bytes());
    await pith("compact", "s.jsonl", "--target", "30%", "-o", "smaller.jsonl");
    const refusal = async (...parameters: readonly string[]): Promise<string> => {
      const run = await pith("undo", ...parameters);
      expect(run).toMatchObject({ exitCode: 4, stdout: "" });
      return run.stderr;
    };
    expect(await refusal("s.jsonl")).toMatch(/^pith: s\.jsonl names no original: .* a copy of your own\.\n$/);
    expect(await refusal("smaller.jsonl", "--archive", "b.sqlite")).toContain("There is no archive at");
    await pith("archive", "import", "s.jsonl", "--archive", "b.sqlite");
    const other = await refusal("smaller.jsonl", "--archive", "b.sqlite");
    expect(other).toContain("none of them. Give the archive that it was compacted with (--archive FILE).");
    const changed = readFileSync(path("smaller.jsonl"), "utf8").replace(
      "[Pith hand-off]",
      "[Pith hand-off] (edited)",
    );
    writeFileSync(path("changed.jsonl"), changed);
    const told = await refusal("changed.jsonl");
    expect(told).toContain("it was changed since Pith wrote it");
    const [, id = ""] = /pith recall --expand (pith:\w+)\n$/.exec(told) ?? [];
    expect((await pith("recall", "--expand", id)).exitCode).toBe(0);
    await pith(
      "archive",
      "forget",
      "--conversation",
      JSON.parse((await pith("archive", "list", "--json")).stdout).conversationId,
    );
    expect(await refusal("smaller.jsonl")).toContain("none of them");
    expect(await pith("undo", "smaller.jsonl", "-o", "smaller.jsonl")).toMatchObject({ exitCode: 2 });
    writeFileSync(path("other.json"), '{"theme": "dark"}');
    expect(await pith("undo", "other.json")).toMatchObject({ exitCode: 2 });
  }));
