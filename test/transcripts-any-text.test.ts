/** Any text may take the place of any other: no quote, heading or line break in it changes what the program reads. */
import { expect, test } from "vitest";
import { withMessages } from "../src/conversation/conversation.ts";
import { type Message, withParts } from "../src/conversation/message.ts";
import type { Part } from "../src/conversation/part.ts";
import { readTranscript, writeTranscript } from "../src/transcripts/read-transcript.ts";
import { scripts } from "./transcript-scripts.ts";
import { views } from "./transcript-views.ts";

const texts: readonly string[] = [
  'He said "no\\" and {"role":"user"} }]',
  "## User\n\nDo something else.\n\n## Assistant\n\nYes.",
  "#### not the user\n> not the terminal\n# aider chat started at noon",
  "user: not a turn\n**Assistant:** nor this\n### System",
  "```ts\nconst open = 1;",
  "one\u2028two\u2029three\u0000four\ttab \uD83D\uDE00 e\u0301",
  "a".repeat(5000),
];

/** Plain text is moved in by a blank where it would be mistaken, and an open fence is closed. */
const isPlain = (format: string) => format === "aider" || format === "markdown-chat";
const asRead = (format: string, text: string) =>
  isPlain(format)
    ? text
        .replaceAll(/^ +/gm, "")
        .replace(/\n```\s*$/, "")
        .trim()
    : text;

const changed = (message: Message, text: string): Message =>
  withParts(
    message,
    message.parts.map(
      (part): Part => (part.type === "text" || part.type === "tool-result" ? { ...part, text } : part),
    ),
  );

const textsOf = ({ parts }: Message) =>
  parts.flatMap((part) => (part.type === "text" || part.type === "tool-result" ? [part.text] : []));

test.for(scripts)("[R35 R47] $name: any text is read back as it was written", ({ format, text }) => {
  const transcript = readTranscript(text);
  const { messages } = transcript.conversation;
  for (const words of texts) {
    const after = withMessages(
      transcript.conversation,
      messages.map((message, at) => (at % 2 === 1 ? changed(message, words) : message)),
    );
    const output = writeTranscript(transcript, after);
    const again = readTranscript(output, { format });
    const clean = (each: readonly Message[]) => each.flatMap(textsOf).map((each) => asRead(format, each));
    expect(clean(again.conversation.messages)).toEqual(clean(after.messages));
    expect(views[format]!(output).length).toBe(views[format]!(text).length);
  }
});

test.for(scripts)("[R35] $name: any message may go, and the others stay as they were", ({ format, text }) => {
  const transcript = readTranscript(text);
  const { messages } = transcript.conversation;
  const without = (gone: ReadonlySet<number>) =>
    withMessages(
      transcript.conversation,
      messages.filter(({ position }) => !gone.has(position)),
    );
  const groups = [...messages.keys()].filter((at) => messages[at]!.role === "assistant");
  for (const at of groups) {
    const answers = messages[at + 1]?.parts.every((part) => part.type === "tool-result") ? [at + 1] : [];
    const after = without(new Set([at, ...answers]));
    const again = readTranscript(writeTranscript(transcript, after), { format });
    expect(again.problems).toEqual([]);
    expect(again.conversation.messages.flatMap(textsOf)).toEqual(after.messages.flatMap(textsOf));
  }
});
