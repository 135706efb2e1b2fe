/** Every raw file of the data folder: read and written it is the same, compacted it is one that its program can read. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readTranscript, writeTranscript } from "../src/transcripts/read-transcript.ts";
import { compactTranscript } from "./compact-transcript.ts";
import { recordingsFolder, sayThatDataIsAbsent } from "./recordings.ts";

/** The format of each file, by its folder; the Codex folder has two kinds. */
function formatOf(file: string): string {
  const [folder = ""] = file.split("/");
  if (folder === "codex") return file.includes("rollout") ? "codex-rollout" : "codex-tui-log";
  return folder;
}

const folder = join(recordingsFolder, "native");
const files = existsSync(folder) ? nativeFiles() : [];
if (files.length === 0) sayThatDataIsAbsent("native files");

function nativeFiles(): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "index.json")
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function bytesOf(file: string): Buffer {
  const bytes = readFileSync(join(folder, file));
  return file.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

test.skipIf(files.length === 0)("[R35] there are native files of ten programs and more", () => {
  expect(new Set(files.map(formatOf)).size).toBeGreaterThanOrEqual(10);
});

test.for(files)("[R35] %s is known, and read and written it is the same bytes", (file) => {
  const bytes = bytesOf(file);
  const transcript = readTranscript(bytes.toString("utf8"));
  expect(transcript.format).toBe(formatOf(file));
  expect(transcript.conversation.messages.length).toBeGreaterThan(4);
  expect(Buffer.from(writeTranscript(transcript, transcript.conversation)).equals(bytes)).toBe(true);
});

test.for(files)(
  "[R1 R35] %s compacted to 30 percent is read by an independent reading, calls with their results",
  async (file) => {
    const { faults, output, transcript } = await compactTranscript(bytesOf(file).toString("utf8"));
    expect(faults).toEqual([]);
    expect(output.length).toBeLessThan(transcript.text.length);
  },
);

const lineFiles = files.filter((file) => /\.jsonl(\.gz)?$/.test(file));

test.for(lineFiles)("[R51] %s with malformed lines: named by number, passed over, kept", async (file) => {
  const text = bytesOf(file).toString("utf8");
  const clean = readTranscript(text);
  const rows = text.split("\n");
  const broken = rows
    .toSpliced(1, 0, '{"type":"user","message":{"ro')
    .toSpliced(rows.length - 1, 0, "not JSON at all");
  const bad = readTranscript(broken.join("\n"));
  const numbers = bad.problems.map(({ line }) => line);
  expect(numbers).toContain(2);
  expect(numbers).toContain(rows.length);
  expect(bad.conversation.messages.length).toBe(clean.conversation.messages.length);
  expect(writeTranscript(bad, bad.conversation)).toBe(broken.join("\n"));
  const { output, faults } = await compactTranscript(broken.join("\n"));
  expect(faults).toEqual([]);
  expect(output.split("\n")).toEqual(
    expect.arrayContaining(["not JSON at all", '{"type":"user","message":{"ro']),
  );
});

test.for(lineFiles)("[R35] %s with other line ends, and without the last one, is the same bytes", (file) => {
  const text = bytesOf(file).toString("utf8");
  for (const other of [text.replaceAll("\n", "\r\n"), text.trimEnd(), `\uFEFF${text}`, `\n\n${text}\n\n`]) {
    const transcript = readTranscript(other);
    expect(transcript.format).toBe(formatOf(file));
    expect(writeTranscript(transcript, transcript.conversation)).toBe(other);
  }
});
