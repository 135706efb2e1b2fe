/** Conformance suite for the Format contract: what every wire format must do, whatever its messages look like. */
import { type Conversation, withMessages } from "../conversation/conversation.ts";
import { withParts } from "../conversation/message.ts";
import type { Format } from "../providers/format.ts";

/** The test runner, handed in so that this suite depends on none: `testFormat(format, samples, { test, expect })`. */
export interface TestRunner {
  readonly test: (name: string, run: () => void) => void;
  readonly expect: (actual: unknown) => {
    readonly toBe: (expected: unknown) => void;
    readonly toEqual: (expected: unknown) => void;
  };
}

/**
 * Registers the tests.
 *
 * @param samples bodies as parsed values, each a list of messages or an object with `messages`
 */
export function testFormat(format: Format, samples: readonly unknown[], { test, expect }: TestRunner): void {
  const named = (behaviour: string): string => `${format.name} ${behaviour}`;

  test(named("gives an untouched value back as the same object"), () => {
    for (const sample of samples) expect(format.write(format.read(sample))).toBe(sample);
  });

  test(named("gives an untouched text back as the same text, however it is spaced"), () => {
    for (const text of samples.flatMap(textsOf)) expect(format.write(format.read(text))).toBe(text);
  });

  test(named("keeps the very source of messages beside a removed one"), () => {
    for (const text of samples.flatMap(textsOf)) {
      const read = format.read(text);
      const removed = read.messages.findIndex((message) => message.role !== "system");
      const written = String(format.write(withMessages(read, read.messages.toSpliced(removed, 1))));
      const left = read.messages.filter((_message, index) => index !== removed);
      expect(left.every((message) => written.includes(message.raw?.source ?? ""))).toBe(true);
      expect(contentsOf(format.read(written))).toEqual(contentsOf(withMessages(read, left)));
    }
  });

  test(named("keeps odd but valid JSON of an untouched message when its neighbour changes"), () => {
    for (const odd of ODD_MESSAGES) {
      const text = `\ufeff[\n  ${odd} ,\n  {"role":"user","content":"change me"}\n]\n`;
      const read = format.read(text);
      const changed = withParts(read.messages[1]!, [{ type: "text", text: "changed" }]);
      const written = String(format.write(withMessages(read, [read.messages[0]!, changed])));
      expect(written).toBe(text.replace("change me", "changed"));
      expect(String(format.write(withMessages(read, [read.messages[0]!])))).toBe(`\ufeff[\n  ${odd}\n]\n`);
    }
  });

  test(named("reads what it does not understand and lets it ride along"), () => {
    for (const strange of STRANGE_MESSAGES) {
      const body = [{ role: "user", content: "hi" }, strange];
      const read = format.read(body);
      expect(read.messages.length).toBe(2);
      expect(format.write(read)).toBe(body);
      const written = format.write(withMessages(read, [read.messages[1]!])) as readonly unknown[];
      expect(written[0]).toBe(strange);
      const rewritten = withParts(read.messages[1]!, read.messages[1]!.parts);
      JSON.stringify(format.write(withMessages(read, [rewritten])));
    }
  });

  test(named("writes a message that it created in a way that it can read"), () => {
    for (const role of format.handoffRoles) {
      const created = format.create(role, [{ type: "text", text: "said by Pith" }]);
      const body = { messages: [{ role: "user", content: "hi" }] };
      const read = format.read(body);
      const again = format.read(format.write(withMessages(read, [created, ...read.messages])));
      expect(again.messages[0]!.role).toBe(role);
      expect(again.messages[0]!.parts).toEqual([{ type: "text", text: "said by Pith" }]);
    }
  });
}

/** Spacing, escapes, numbers that JavaScript cannot hold, repeated keys. */
const ODD_MESSAGES: readonly string[] = [
  '{ "role" :"user","content":"caf\\u00e9 \\/ \\ud83d"  }',
  '{"role":"user", "content":"n", "ratio":1.0, "big":12345678901234567890, "small":1E-7}',
  '{"role":"user","content":"first","content":"second","x":{"a":1,"a":2}}',
  '{"role":"user","content":"\\"}]\\\\","\\u0072ole":"user"}',
];

const STRANGE_MESSAGES: readonly unknown[] = [
  { role: "user", content: null },
  { role: "assistant" },
  { role: "narrator", content: "meanwhile" },
  { content: "no role" },
  { role: 7, content: 42 },
  { role: "user", content: { text: "an object" } },
  { role: "assistant", content: [null, 3, "text", [], {}, { type: "hologram", data: "x" }, { type: 5 }] },
  { role: "assistant", content: [{ type: "text" }, { type: "text", text: 4 }, { type: "tool_use" }] },
  { role: "assistant", content: "x", tool_calls: "x" },
  { role: "assistant", content: "x", tool_calls: [null, 5, "y", {}, { id: 3, function: "f" }] },
  { role: "assistant", content: "x", function_call: 5, reasoning: {}, reasoning_details: [null, 4] },
  { role: "tool", content: [null, { type: "text" }], tool_call_id: 5 },
  { role: "user", content: [{ type: "tool_result", content: [null, 5, { type: "x" }] }] },
];

function textsOf(sample: unknown): readonly string[] {
  return [
    JSON.stringify(sample),
    JSON.stringify(sample, null, 2),
    ` ${JSON.stringify(sample, null, "\t")}\r\n`,
  ];
}

function contentsOf(conversation: Conversation): unknown {
  return conversation.messages.map(({ role, parts }) => ({ role, parts }));
}
