/** One made-up session in every transcript format: known, kept, compacted, compacted again. */
import { expect, test } from "vitest";
import { createCompactor } from "../src/compactor.ts";
import { type Message, proseOf, toolCallsOf, toolResultsOf } from "../src/conversation/message.ts";
import { convertConversation } from "../src/providers/convert.ts";
import { readConversation, writeConversation } from "../src/providers/detect.ts";
import { transcriptFormats } from "../src/transcripts/formats.ts";
import { portableBody } from "../src/transcripts/portable-body.ts";
import { detectTranscript, readTranscript, writeTranscript } from "../src/transcripts/read-transcript.ts";
import { compactTranscript } from "./compact-transcript.ts";
import { scripts } from "./transcript-scripts.ts";
import { viewFaults, views } from "./transcript-views.ts";
import { wireFaults } from "./wire-faults.ts";

test("[R35] every format has a made-up session and an independent reading", () => {
  const names = transcriptFormats.map(({ name }) => name).sort();
  expect([...new Set(scripts.map(({ format }) => format))].sort()).toEqual(names);
  expect(Object.keys(views).sort()).toEqual(names);
});

test.for(scripts)("[R35] $name: known by its text, and the same when nothing changed", ({ format, text }) => {
  for (const other of [text, text.trimEnd(), text.replaceAll("\n", "\r\n"), `\uFEFF${text}`]) {
    const transcript = readTranscript(other);
    expect(transcript.format).toBe(format);
    expect(transcript.problems).toEqual([]);
    expect(writeTranscript(transcript, transcript.conversation)).toBe(other);
  }
});

const turnsInOrder = Array.from({ length: 10 }, (_, at) => [`asks ${at}`, `answers ${at}`]).flat();

function spokenTurn(prose: string): string {
  const [, asks, answers] = /^(?:<now\/>\s*)?Question (\d)|Part (\d) loads/m.exec(prose) ?? [];
  return asks === undefined ? (answers === undefined ? "" : `answers ${answers}`) : `asks ${asks}`;
}

test.for(scripts)(
  "[R35] $name: what was asked, called and answered is read, each with its lines",
  ({ name, text }) => {
    const { conversation, lines } = readTranscript(text);
    const prose = conversation.messages.map(proseOf).join("\n");
    if (!name.includes("actions in the text")) {
      expect(
        conversation.messages.filter((each) => proseOf(each).includes("Always answer in English")).length,
      ).toBe(10);
    }
    const order = conversation.messages.map((each) =>
      toolCallsOf(each).length > 0 ? "call" : spokenTurn(proseOf(each)),
    );
    expect(order.filter((each) => each !== "" && each !== "call")).toEqual(
      name.includes("actions in the text") ? [] : turnsInOrder,
    );
    // Between a question and its answer stands the call.
    if (order.includes("call") && order.includes("asks 3")) {
      expect(order.slice(order.indexOf("asks 3"), order.indexOf("answers 3"))).toContain("call");
    }
    expect(prose).not.toContain("taken back");
    expect(prose).not.toContain("sub-agent");
    const calls = conversation.messages.flatMap(toolCallsOf);
    const results = conversation.messages.flatMap(toolResultsOf);
    const noTools = name === "aider" || name === "plain Markdown";
    expect(calls.length).toBe(noTools ? 0 : 13);
    expect(results.map(({ pairId }) => pairId).sort()).toEqual(calls.map(({ pairId }) => pairId).sort());
    for (const result of results) expect(result.text).toContain("const value");
    expect(lines.length).toBe(conversation.messages.length);
    for (const numbers of lines) expect(numbers.length).toBeGreaterThan(0);
  },
);

test.for(scripts)(
  "[R1] $name: compacted to 30 percent, its program reads the hand-off and whole pairs",
  async ({ text }) => {
    const { faults, output } = await compactTranscript(text);
    expect(faults).toEqual([]);
    expect(output.length).toBeLessThan(text.length * 0.8);
  },
);

test.for(scripts)(
  "[R35] $name: the written file is read as the conversation that was written",
  async ({ format, text }) => {
    for (const target of ["30%", "60%", "85%"] as const) {
      const transcript = readTranscript(text);
      const { conversation } = await createCompactor({ target: "50%" }).compact(transcript.body, { target });
      const again = readTranscript(writeTranscript(transcript, conversation), { format });
      expect(said(again.conversation.messages)).toEqual(said(conversation.messages));
    }
  },
);

/** All words of people and models, and all answers; sorted, since a program may show its summary first. */
function said(messages: readonly Message[]): readonly string[] {
  return (
    messages
      .flatMap(({ role, parts }) =>
        parts.flatMap((part) => {
          if (part.type === "text")
            return part.text
              .split("\n\n[End of hand-off")
              .map((words) => `${role === "system" ? role : ""} ${words.trim()}`);
          return part.type === "tool-result" ? [part.text] : [];
        }),
      )
      .flatMap((words) => words.split("\n"))
      .map((line) => line.trim())
      // In Markdown a fence that a hand-off leaves open is closed, or no speaker's name would be one below it.
      .filter((line) => line !== "" && line !== "```")
      .sort()
  );
}

test.for(scripts)(
  "[R1 R21] $name: compacted again, there is one hand-off, and the pairs are whole",
  async ({ format, text }) => {
    const first = await compactTranscript(text, { target: "50%" });
    const second = await compactTranscript(first.output, { format, target: "60%" });
    expect(second.faults).toEqual([]);
    expect(viewFaults(views[format]!(text), views[format]!(second.output), second.handoffs)).toEqual([]);
  },
);

test.for(scripts)(
  "[F50] $name: messages that stay before the hand-off stay in view",
  async ({ format, text }) => {
    const { faults, output } = await compactTranscript(text, { target: "50%", preset: "hermes" });
    expect(faults.filter((fault) => !fault.includes("hand-offs"))).toEqual([]);
    const view = views[format]!(output);
    const at = (words: string) => view.findIndex((each) => each.text.includes(words));
    const handoff = at("[CONTEXT COMPACTION]");
    expect(handoff).toBeGreaterThanOrEqual(0);
    const asks = view.filter((each) => /^(<now\/>\n\n)?Question 0:|^Fix the loader/.test(each.text.trim()));
    expect(asks.length).toBe(1);
    if (!SUMMARY_FIRST.has(format)) expect(handoff).toBeGreaterThan(view.indexOf(asks[0]!));
    const lastAsk = view.findIndex((each) => /^(<now\/>\n\n)?Question 9:/.test(each.text.trim()));
    expect(handoff).toBeLessThan(lastAsk < 0 ? view.length - 1 : lastAsk);
    const last = (each: typeof view) => [each.at(-1)!.role, each.at(-1)!.text.trim().split("\n")[0]];
    expect(last(view)).toEqual(last(views[format]!(text)));
  },
);

test.for(scripts)("[R1 R5] $name: handed on, it is a valid request of both wire formats", ({ text }) => {
  const body = portableBody(readTranscript(text).body);
  expect(wireFaults("anthropic-messages", body)).toEqual([]);
  const openai = convertConversation(readConversation(body, { format: "anthropic" }), "openai");
  expect(wireFaults("openai-chat", writeConversation(openai))).toEqual([]);
});

test.for(scripts)("[R4] $name: compacted to its floor, the file is still whole", async ({ text }) => {
  const { faults } = await compactTranscript(text, { target: 1 });
  expect(faults).toEqual([]);
});

/** These show a summary before what they kept; in aider's chat the terminal, not the user, has the first word. */
const SUMMARY_FIRST: ReadonlySet<string> = new Set(["pi", "opencode", "openinference", "aider"]);

/** How each program marks what it compacted, where it does. */
const MARKS: Readonly<Record<string, readonly RegExp[]>> = {
  "claude-code": [/"subtype":"compact_boundary"/, /"isCompactSummary":true/],
  "codex-rollout": [
    /"type":"compacted","payload":\{"message":"\[Pith hand-off\]/,
    /"replacement_history":\[\{/,
  ],
  pi: [/"type":"compaction".*"summary":"\[Pith hand-off\].*"firstKeptEntry(Id|Index)":/],
  openhands: [
    /"condensation"|"Condensation"/,
    /"forgotten_event_ids":\[\],"summary":"\[Pith hand-off\].*"summary_offset":\d/,
  ],
  opencode: [/"type": "compaction"/, /"summary": true/],
};

test.for(scripts.filter(({ format }) => format in MARKS))(
  "[R35] $name: the hand-off is marked as the program marks its own compactions",
  async ({ format, text }) => {
    const { output } = await compactTranscript(text);
    for (const mark of MARKS[format]!) {
      expect(text).not.toMatch(mark);
      expect(output).toMatch(mark);
    }
  },
);

test("[R51] a text that is no transcript is of no format", () => {
  for (const text of ["", "Hello.", "{}", "[]", '{"a":1}\n{"b":2}\n', "# Title\n\nSome words.\n"]) {
    expect(detectTranscript(text)).toBeUndefined();
    expect(() => readTranscript(text)).toThrow(/No transcript format fits/);
  }
  expect(() => readTranscript("", { format: "fax" })).toThrow(/There is no format "fax"/);
});

const lists = scripts.filter(({ text }) => text.trimStart().startsWith("["));

test.for(lists)(
  "[R51] $name: an element that is no message is named by its line and kept",
  ({ format, text }) => {
    const broken = text.replace(/^\s*\[/, "[\n42,");
    const transcript = readTranscript(broken, { format });
    expect(transcript.problems.map(({ line }) => line)).toContain(2);
    expect(writeTranscript(transcript, transcript.conversation)).toBe(broken);
  },
);
