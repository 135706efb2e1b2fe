/** Every raw file of the data folder: read and written it is the same, compacted it is one that its program can read. */
import { expect, test } from "vitest";
import { readTranscript, writeTranscript } from "../src/transcripts/read-transcript.ts";
import { compactTranscript } from "./compact-transcript.ts";
import { sayThatDataIsAbsent } from "./recordings.ts";
import { nativeFiles as files } from "./session-files.ts";

if (files.length === 0) sayThatDataIsAbsent("native files");

test.skipIf(files.length === 0)("[R35] there are native files of ten programs and more", () => {
  expect(new Set(files.map(({ format }) => format)).size).toBeGreaterThanOrEqual(10);
});

test.for(files)("[R35] $name is known, and read and written it is the same bytes", (file) => {
  const bytes = file.bytes();
  const transcript = readTranscript(bytes.toString("utf8"));
  expect(transcript.format).toBe(file.format);
  expect(transcript.conversation.messages.length).toBeGreaterThan(4);
  expect(Buffer.from(writeTranscript(transcript, transcript.conversation)).equals(bytes)).toBe(true);
});

test.for(files)(
  "[R1 R35] $name compacted to 30 percent is read by an independent reading, calls with their results",
  async ({ bytes }) => {
    const { faults, output, transcript } = await compactTranscript(bytes().toString("utf8"));
    expect(faults).toEqual([]);
    expect(output.length).toBeLessThan(transcript.text.length);
  },
);

const lineFiles = files.filter(({ name }) => name.endsWith(".jsonl"));

test.for(lineFiles)(
  "[R51] $name with malformed lines: named by number, passed over, kept",
  async ({ bytes }) => {
    const text = bytes().toString("utf8");
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
  },
);

test.for(lineFiles)(
  "[R35] $name with other line ends, and without the last one, is the same bytes",
  (file) => {
    const text = file.bytes().toString("utf8");
    for (const other of [text.replaceAll("\n", "\r\n"), text.trimEnd(), `\uFEFF${text}`, `\n\n${text}\n\n`]) {
      const transcript = readTranscript(other);
      expect(transcript.format).toBe(file.format);
      expect(writeTranscript(transcript, transcript.conversation)).toBe(other);
    }
  },
);
