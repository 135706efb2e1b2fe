/** What the programs themselves took out of view: their compactions, rewound branches and messages taken back. */
import { expect, test } from "vitest";
import { isUserMessage, type Message, proseOf } from "../src/conversation/message.ts";
import { promptTokensOf } from "../src/tokens/anchor.ts";
import { readTranscript, writeTranscript } from "../src/transcripts/read-transcript.ts";
import { compactTranscript } from "./compact-transcript.ts";
import { scripts } from "./transcript-scripts.ts";

const lines = (...values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** What is read of a text, as "role: words"; and nothing is lost in writing it back. */
function read(text: string): readonly string[] {
  const transcript = readTranscript(text);
  expect(writeTranscript(transcript, transcript.conversation)).toBe(text);
  return transcript.conversation.messages.map((message: Message) => `${message.role}: ${proseOf(message)}`);
}

/** The same of the whole conversation. */
function readWhole(text: string): readonly string[] {
  const { conversation } = readTranscript(text, { whole: true });
  return conversation.messages.map((message: Message) => `${message.role}: ${proseOf(message)}`);
}

test.for(
  scripts.filter(({ format }) =>
    ["claude-code", "codex-rollout", "pi", "openhands", "opencode"].includes(format),
  ),
)(
  "[R35] $name: what Pith compacted is no longer in the file, so its hand-off is read with the whole",
  async ({ text }) => {
    const { output, handoffs } = await compactTranscript(text);
    expect(handoffs).toBe(1);
    const whole = readWhole(output);
    expect(whole.filter((said) => said.includes("[Pith hand-off]"))).toHaveLength(1);
    expect(whole.toSorted()).toEqual(read(output).toSorted());
  },
);

const claude = (uuid: string, parentUuid: string | null, content: string, more: object = {}) => ({
  parentUuid,
  isSidechain: false,
  type: "user",
  message: { role: "user", content },
  uuid,
  timestamp: "t",
  ...more,
});

test("[R35] Claude Code: what stands before the last compaction is not read", () => {
  const boundary = {
    parentUuid: null,
    type: "system",
    subtype: "compact_boundary",
    content: "Conversation compacted",
    uuid: "b",
  };
  const text = lines(
    claude("1", null, "old"),
    boundary,
    claude("2", "b", "summary", { isCompactSummary: true }),
    claude("3", "2", "new"),
  );
  expect(read(text)).toEqual(["user: summary", "user: new"]);
  // The file does not say what the summary stands for.
  expect(readWhole(text)).toEqual(["user: summary", "user: new"]);
  const told = text.replace('"uuid":"b"', '"uuid":"b","logicalParentUuid":"1"');
  expect(read(told)).toEqual(["user: summary", "user: new"]);
  expect(readWhole(told)).toEqual(["user: old", "user: new"]);
});

test("[R35] Claude Code: messages that a compaction preserved are read after its summary", () => {
  const boundary = {
    parentUuid: null,
    type: "system",
    subtype: "compact_boundary",
    uuid: "b",
    compactMetadata: { preservedMessages: { anchorUuid: "s", uuids: ["2"] } },
  };
  const text = lines(
    claude("1", null, "old"),
    claude("2", "1", "kept"),
    boundary,
    claude("s", "b", "summary", { isCompactSummary: true }),
    claude("3", "s", "new"),
  );
  expect(read(text)).toEqual(["user: summary", "user: kept", "user: new"]);
});

test("[R35] Claude Code: a rewound branch, a sub-agent and an error of the API are not read", () => {
  const text = lines(
    claude("1", null, "asked"),
    claude("2", "1", "taken back"),
    claude("s", null, "sub-agent", { isSidechain: true }),
    claude("e", "1", "API Error", {
      type: "assistant",
      isApiErrorMessage: true,
      message: { role: "assistant", content: "API Error" },
    }),
    claude("3", "1", "asked again"),
  );
  expect(read(text)).toEqual(["user: asked", "user: asked again"]);
});

test("[R35] Claude Code: a file of a sub-agent alone is its conversation", () => {
  const side = { isSidechain: true, agentId: "a" };
  expect(read(lines(claude("1", null, "do this", side), claude("2", "1", "and that", side)))).toEqual([
    "user: do this",
    "user: and that",
  ]);
});

const codex = (role: string, words: string) => ({
  timestamp: "t",
  type: "response_item",
  payload: {
    type: "message",
    role,
    content: [{ type: role === "user" ? "input_text" : "output_text", text: words }],
  },
});

test("[R35] Codex: a compaction replaces the history, with a replacement or without one", () => {
  const compacted = (payload: object) => ({ timestamp: "t", type: "compacted", payload });
  const replacement = [codex("user", "kept").payload, codex("user", "summary").payload];
  expect(
    read(
      lines(
        codex("user", "old"),
        compacted({ message: "", replacement_history: replacement }),
        codex("user", "new"),
      ),
    ),
  ).toEqual(["user: kept", "user: summary", "user: new"]);
  expect(
    read(
      lines(
        codex("user", "asked"),
        codex("assistant", "old"),
        compacted({ message: "summary" }),
        codex("user", "new"),
      ),
    ),
  ).toEqual(["user: asked", "user: summary", "user: new"]);
});

test("[R35] Codex: the whole conversation is what was said, without replacements", () => {
  const compacted = { timestamp: "t", type: "compacted", payload: { message: "summary" } };
  const text = lines(codex("user", "asked"), codex("assistant", "old"), compacted, codex("user", "new"));
  expect(readWhole(text)).toEqual(["user: asked", "assistant: old", "user: new"]);
});

test("[R35] Codex: turns that were rolled back are not read", () => {
  const back = { timestamp: "t", type: "event_msg", payload: { type: "thread_rolled_back", num_turns: 1 } };
  const text = lines(
    codex("user", "first"),
    codex("assistant", "yes"),
    codex("user", "wrong"),
    codex("assistant", "no"),
    back,
    codex("user", "right"),
  );
  expect(read(text)).toEqual(["user: first", "assistant: yes", "user: right"]);
});

const header = { type: "session", id: "s", timestamp: "t", cwd: "/w" };
const entry = (words: string, more: object = {}) => ({
  type: "message",
  timestamp: "t",
  message: { role: "user", content: words },
  ...more,
});

test("[R35] pi: a compaction's summary is read first, then what it kept, in both kinds of session", () => {
  const list = lines(
    header,
    entry("old"),
    entry("kept"),
    { type: "compaction", summary: "summary", firstKeptEntryIndex: 2, tokensBefore: 9 },
    entry("new"),
  );
  const tree = lines(
    { ...header, version: 3 },
    entry("old", { id: "1", parentId: null }),
    entry("kept", { id: "2", parentId: "1" }),
    entry("left", { id: "x", parentId: "2" }),
    {
      type: "compaction",
      id: "3",
      parentId: "2",
      summary: "summary",
      firstKeptEntryId: "2",
      tokensBefore: 9,
    },
    entry("new", { id: "4", parentId: "3" }),
  );
  for (const text of [list, tree]) {
    expect(read(text)).toEqual(["user: summary", "user: kept", "user: new"]);
    expect(readWhole(text)).toEqual(["user: old", "user: kept", "user: new"]);
  }
});

test("[R35] OpenHands: forgotten events are not read, and the summary stands at its offset", () => {
  const message = (id: number, content: string) => ({
    id,
    source: "user",
    action: "message",
    args: { content },
  });
  const condensation = {
    id: 3,
    source: "agent",
    action: "condensation",
    args: { forgotten_events_start_id: 1, forgotten_events_end_id: 2, summary: "summary", summary_offset: 1 },
  };
  const text = lines(
    message(0, "task"),
    message(1, "old"),
    message(2, "older"),
    condensation,
    message(4, "new"),
  );
  expect(read(text)).toEqual(["user: task", "user: summary", "user: new"]);
  expect(readWhole(text)).toEqual(["user: task", "user: old", "user: older", "user: new"]);
});

test("[R35] opencode: what stands before the last finished compaction is not read", () => {
  const message = (id: string, role: string, part: object, more: object = {}) => ({
    info: { id, role, ...more },
    parts: [part],
  });
  const text = JSON.stringify({
    info: {},
    messages: [
      message("m1", "user", { type: "text", text: "old" }),
      message("m2", "user", { type: "compaction", auto: true }),
      message(
        "m3",
        "assistant",
        { type: "text", text: "summary" },
        { parentID: "m2", summary: true, finish: "stop" },
      ),
      message("m4", "user", { type: "text", text: "new" }),
    ],
  });
  expect(read(text)).toEqual(["user: summary", "user: new"]);
  expect(readWhole(text)).toEqual(["user: old", "user: new"]);
});

test("[R35] Gemini CLI: a message is read as it was last written, and not when it was taken back", () => {
  const said = (id: string, content: string) => ({ id, timestamp: "t", type: "user", content });
  const text = lines(
    { sessionId: "s", projectHash: "h" },
    said("1", "draft"),
    said("2", "taken back"),
    said("1", "final"),
    { $rewindTo: "2" },
    said("3", "next"),
  );
  expect(read(text)).toEqual(["user: final", "user: next"]);
  const set = lines({ sessionId: "s", projectHash: "h" }, said("1", "old"), {
    $set: { messages: [said("9", "put in place")] },
  });
  expect(read(set)).toEqual(["user: put in place"]);
});

test("[R38] gptme: a pinned message is named, and a message for the screen is not read", () => {
  const text = lines(
    { role: "user", content: "always", timestamp: "2026-01-01T00:00:00", pinned: true },
    { role: "system", content: "compacting…", timestamp: "2026-01-01T00:00:00", ui_only: true },
    { role: "assistant", content: "yes", timestamp: "2026-01-01T00:00:00" },
  );
  expect(read(text)).toEqual(["user: always", "assistant: yes"]);
  expect(readTranscript(text).pins).toEqual([0]);
});

test("[R41] Claude Code: what the program says in the user's name is not the user's word", () => {
  const text = lines(
    claude("1", null, "Caveat: local commands follow.", { isMeta: true }),
    claude("2", "1", "<local-command-stdout>ok</local-command-stdout>"),
    claude("3", "2", "asked"),
  );
  const { conversation } = readTranscript(text);
  expect(conversation.messages.map((message) => isUserMessage(message))).toEqual([false, false, true]);
});

test("[R41] Codex: the project's instructions before the first question belong to the prompt, later ones do not", () => {
  const text = lines(
    codex("user", "# AGENTS.md instructions for /w\n\nNever push."),
    codex("user", "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"),
    codex("user", "asked"),
    codex("user", "<environment_context>\n  <cwd>/x</cwd>\n</environment_context>"),
  );
  const { conversation } = readTranscript(text);
  expect(conversation.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
});

test("[R22 R25] the provider's figures for the last request are at hand, unless a compaction made them stale", () => {
  const answer = {
    type: "assistant",
    message: {
      role: "assistant",
      content: "yes",
      usage: { input_tokens: 3, cache_read_input_tokens: 40, output_tokens: 5 },
    },
  };
  const figures = (text: string) => promptTokensOf(readTranscript(text).usage);
  expect(figures(lines(claude("1", null, "asked"), claude("2", "1", "", answer)))).toBe(43);
  const count = {
    timestamp: "t",
    type: "event_msg",
    payload: {
      type: "token_count",
      info: { last_token_usage: { input_tokens: 70, cached_input_tokens: 60 } },
    },
  };
  expect(figures(lines(codex("user", "asked"), codex("assistant", "yes"), count))).toBe(70);
  const compacted = { timestamp: "t", type: "compacted", payload: { message: "summary" } };
  expect(figures(lines(codex("user", "asked"), codex("assistant", "yes"), count, compacted))).toBeUndefined();
  const reply = {
    message: {
      role: "assistant",
      content: [],
      usage: { input: 1, cacheRead: 20, cacheWrite: 300, output: 9 },
    },
  };
  expect(figures(lines(header, entry("asked"), entry("", reply)))).toBe(321);
});
