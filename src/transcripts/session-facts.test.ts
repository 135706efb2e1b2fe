import { expect, test } from "vitest";
import { readTranscript } from "./read-transcript.ts";

const at = "2026-03-01T10:00:00.000Z";
const ms = Date.parse(at);
const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

const message = { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] };
const sessions: Readonly<Record<string, string>> = {
  "codex-rollout": lines(
    { timestamp: at, type: "session_meta", payload: { id: "s" } },
    { timestamp: at, type: "response_item", payload: message },
    { timestamp: at, type: "event_msg", payload: { type: "thread_name_updated", thread_name: "Ports" } },
  ),
  pi: lines(
    { type: "session", id: "s", timestamp: at, cwd: "/w" },
    { type: "message", timestamp: at, message: { role: "user", content: "hi" } },
    { type: "session_info", timestamp: at, name: "Ports" },
  ),
  "copilot-cli": lines(
    { type: "session.start", timestamp: at, data: { sessionId: "s" } },
    { type: "user.message", timestamp: at, data: { content: "hi" } },
    { type: "session.title_changed", timestamp: at, data: { title: "Ports" } },
  ),
  "gemini-cli": JSON.stringify({
    sessionId: "s",
    projectHash: "h",
    summary: "Ports",
    messages: [{ id: "1", timestamp: at, type: "user", content: "hi" }],
  }),
  opencode: JSON.stringify({
    info: { id: "s", title: "Ports" },
    messages: [
      { info: { id: "m", role: "user", time: { created: ms } }, parts: [{ type: "text", text: "hi" }] },
    ],
  }),
};

test.each(Object.entries(sessions))(
  "[R35] %s: id, title and times of a session are its own",
  (format, text) => {
    const transcript = readTranscript(text);
    expect(transcript.format).toBe(format);
    expect(transcript.session).toEqual({ id: "s", title: "Ports" });
    expect(transcript.times).toEqual([ms]);
  },
);

test("[R35] a time is that of the message, of the one before it, or of the start of the chat", () => {
  const thread = [1, 2].map((second) => ({
    object: "thread.message",
    thread_id: "t",
    role: "user",
    created_at: ms / 1000 + second,
    content: [{ type: "text", text: { value: "hi" } }],
  }));
  expect(readTranscript(JSON.stringify(thread))).toMatchObject({
    session: { id: "t" },
    times: [ms + 1000, ms + 2000],
  });
  const chat = (time: string) => `# aider chat started at ${time}\n\n#### hi  \n\nHello.\n\n`;
  const local = (time: string) => Date.parse(time);
  const [first, second] = ["2026-03-01 10:00:00", "2026-03-02 09:00:00"] as const;
  expect(readTranscript(chat(first) + chat(second)).times).toEqual([first, first, second, second].map(local));
  const turns = [undefined, ms, undefined, ms + 5].map((ts) => ({ role: "user", content: "hi", ts }));
  const cline = { sessionId: "s", system_prompt: "Be brief.", messages: turns };
  expect(readTranscript(JSON.stringify(cline))).toMatchObject({
    format: "cline",
    times: [ms, ms, ms, ms, ms + 5],
  });
  const bare = [{ role: "user", content: [{ type: "text", text: "hi" }], ts: "soon" }];
  expect(readTranscript(JSON.stringify(bare), { format: "cline" })).toMatchObject({
    session: {},
    times: [undefined],
  });
});
