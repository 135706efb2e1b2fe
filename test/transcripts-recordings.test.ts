/** Recorded sessions of the programs whose files we read, put together again as their files. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTranscript, writeTranscript } from "../src/transcripts/read-transcript.ts";
import { compactTranscript } from "./compact-transcript.ts";
import { recordingsFolder, recordsOf, sayThatDataIsAbsent } from "./recordings.ts";

interface Source {
  readonly file: string;
  readonly format: string;
  readonly textOf: (messages: readonly Record<string, unknown>[]) => string;
}

const asLines: Source["textOf"] = (messages) => messages.map((each) => `${JSON.stringify(each)}\n`).join("");

const sources: readonly Source[] = [
  { file: "claude-code-log", format: "claude-code", textOf: asLines },
  { file: "claude-code-oh-my-posh", format: "claude-code", textOf: asLines },
  { file: "codex-rollout", format: "codex-rollout", textOf: asLines },
  { file: "codex-tui-log", format: "codex-tui-log", textOf: asLines },
  { file: "pi-sessions", format: "pi", textOf: asLines },
  { file: "copilot-cli", format: "copilot-cli", textOf: asLines },
  { file: "openhands-events", format: "openhands", textOf: (events) => JSON.stringify(events, null, 2) },
  {
    file: "swe-agent",
    format: "swe-agent",
    textOf: (history) => JSON.stringify({ trajectory: [], history, info: {} }, null, 2),
  },
  {
    file: "cline-session",
    format: "cline",
    textOf: (messages) => JSON.stringify({ version: 1, sessionId: "s", agent: "lead", messages }, null, "\t"),
  },
  {
    file: "aider-swe-bench",
    format: "aider",
    textOf: (parts) => parts.map(({ content }) => content).join(""),
  },
];

const pathOf = (file: string): string => join(recordingsFolder, `${file}.jsonl.gz`);
const here = sources.filter(({ file }) => existsSync(pathOf(file)));
for (const { file } of sources.filter((source) => !here.includes(source)))
  sayThatDataIsAbsent(`recorded transcripts of ${file}`);

test.for(here)(
  "[R1 R35] $file: every recording is known, written back unchanged, and valid when compacted",
  async ({ file, format, textOf }) => {
    const faults: string[] = [];
    let seen = 0;
    for await (const { id, messages } of recordsOf(pathOf(file))) {
      seen++;
      const text = textOf(messages);
      const transcript = readTranscript(text);
      if (transcript.format !== format) faults.push(`${id} is taken for ${transcript.format}`);
      if (writeTranscript(transcript, transcript.conversation) !== text) faults.push(`${id} is not the same`);
      // A few recorded branches are a message or two: there is nothing to hand off in them.
      if (transcript.conversation.messages.length < 8) continue;
      const compacted = await compactTranscript(text);
      faults.push(...compacted.faults.map((fault) => `${id}: ${fault}`));
    }
    expect(faults).toEqual([]);
    expect(seen).toBeGreaterThan(0);
  },
);
