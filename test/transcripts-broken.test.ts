/** Broken files: cut off, with lines lost, doubled or garbled, with values of the wrong kind. Never fatal, never changed. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCompactor } from "../src/compactor.ts";
import { InputError } from "../src/errors/input-error.ts";
import { readTranscript, writeTranscript } from "../src/transcripts/read-transcript.ts";
import { scripts } from "./transcript-scripts.ts";

type Harm = (text: string, at: number, other: number) => string;

const place = (text: string, share: number) => Math.floor(text.length * share);

const harms: readonly Harm[] = [
  (text, at) => text.slice(0, place(text, at)),
  (text, at, other) => text.slice(0, place(text, at)) + text.slice(place(text, Math.min(1, at + other / 20))),
  (text, at) =>
    text.replaceAll("\n", (line, offset) =>
      offset > place(text, at) && offset < place(text, at) + 2000 ? "\n\n" : line,
    ),
  (text, at) => `${text.slice(0, place(text, at))}\u0000"}]${text.slice(place(text, at))}`,
  (text, at) => withLine(text, at, (line) => [line, line]),
  (text, at) => withLine(text, at, () => []),
  (text, at) =>
    withLine(text, at, () => ["null", "[]", '"words"', "{}", '{"type":"user"}', '{"message":null}']),
  (text, at, other) => wrongKind(text, at, other),
];

function withLine(text: string, at: number, change: (line: string) => readonly string[]): string {
  const rows = text.split("\n");
  const index = Math.min(rows.length - 1, Math.floor(rows.length * at));
  return rows.toSpliced(index, 1, ...change(rows[index]!)).join("\n");
}

/** One string value becomes null, a number, a list or an object. */
function wrongKind(text: string, at: number, other: number): string {
  const start = text.indexOf(': "', place(text, at));
  const short = text.indexOf(':"', place(text, at));
  const from = start < 0 ? short : start;
  if (from < 0) return text;
  const open = text.indexOf('"', from);
  const end = text.indexOf('"', open + 1);
  const value = ["null", "42", '["a"]', '{"a":{"b":1}}', "true"][Math.floor(other * 5)] ?? "null";
  return text.slice(0, open) + value + text.slice(end + 1);
}

test.for(scripts)("[R30] $name: after a failed compaction the file is as it was", async ({ text }) => {
  const transcript = readTranscript(text);
  for (const options of [{ target: -1 }, { pins: [9999] }, {}]) {
    const { conversation, report } = await createCompactor({ model: "of no known window" }).compact(
      transcript.body,
      options,
    );
    expect(report.error).toBeDefined();
    expect(writeTranscript(transcript, conversation)).toBe(text);
  }
});

test.for(scripts)(
  "[R51] $name: broken in any way it is refused with a reason, or kept as it is",
  async ({ format, text }) => {
    const harm = fc.tuple(
      fc.constantFrom(...harms),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 0.99, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 3 }), async (steps) => {
        const broken = steps.reduce((known, [apply, at, other]) => apply(known, at, other), text);
        let transcript: ReturnType<typeof readTranscript>;
        try {
          transcript = readTranscript(broken, { format });
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          return;
        }
        expect(writeTranscript(transcript, transcript.conversation)).toBe(broken);
        const { conversation, report } = await createCompactor({ target: "50%" }).compact(transcript.body, {
          target: "40%",
        });
        if (report.error === undefined) readTranscript(writeTranscript(transcript, conversation), { format });
      }),
      { numRuns: process.env.PITH_FULL ? 400 : 40, seed: 7 },
    );
  },
);
