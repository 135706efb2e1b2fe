import { expect, test } from "vitest";
import { textOfMessage } from "../../conversation/message.ts";
import { presets } from "../../policy/presets.ts";
import { readConversation, writeConversation } from "../../providers/detect.ts";
import {
  assistant,
  call,
  conversation,
  rawConversation,
  result,
  user,
  type WireMessage,
} from "../../testing/builders.ts";
import { createTokenCounter } from "../../tokens/counter.ts";
import { applyEdits } from "../apply-edits.ts";
import type { StageContext } from "./stage.ts";
import { stripReasoning } from "./strip-reasoning.ts";

const counter = createTokenCounter();
const long = "The parser reads one token at a time and that is what the loop does. ".repeat(8);
const later = [user("a"), assistant("b"), user("c"), assistant("d"), user("e"), assistant("f")];
const quiet = presets.balanced;
const doubtful = { ...presets.balanced, markers: presets.synthorg.markers };

function run(messages: ReturnType<typeof conversation>["messages"], context: Partial<StageContext> = {}) {
  const edits = stripReasoning.propose(messages, {
    policy: presets.balanced,
    counter,
    editable: new Set(messages.map(({ position }) => position)),
    tokensToSave: Number.POSITIVE_INFINITY,
    ...context,
  });
  return { edits, after: applyEdits(messages, edits) };
}

/** What is left of an old assistant message with this text. */
function left(text: string, context: Partial<StageContext> = {}): string {
  const { messages } = conversation(user("go"), assistant(text), ...later);
  return textOfMessage(run(messages, context).after[1]!);
}

const thinking: WireMessage = { ...assistant("Now I know."), reasoning_content: long };

test("[F1] the first phase takes the reasoning of old messages and nothing of recent ones", () => {
  const { messages } = conversation(
    user("go"),
    thinking,
    user("a"),
    assistant("b"),
    user("c"),
    thinking,
    user("d"),
  );
  const { edits, after } = run(messages);
  expect(edits).toHaveLength(1);
  expect(after[1]!.parts).toEqual([{ type: "text", text: "Now I know." }]);
  expect(after[5]).toBe(messages[5]);
});

test("does nothing without a distance, outside what may be edited, or once enough is saved", () => {
  const { messages } = conversation(user("go"), thinking, user("go"), thinking, ...later);
  const { stripReasoning: _, ...never } = presets.balanced;
  expect(run(messages, { policy: never }).edits).toEqual([]);
  expect(run(messages, { editable: new Set([0, 2]) }).edits).toEqual([]);
  expect(run(messages, { tokensToSave: 1 }).edits).toHaveLength(1);
});

test("takes closed think blocks at the start of a line, whatever they hold", () => {
  expect(left(`<think>${long}</think>\n\nDone.`)).toBe("Done.");
  expect(left(`First.\n<thinking>\n${long}\n\`\`\`\ncode\n\`\`\`\n</thinking>\nSecond.`)).toBe(
    "First.\nSecond.",
  );
  expect(left(`<think>${long}</think><think>${long}</think> Done.`)).toBe("Done.");
});

test("leaves an unclosed block, tags in a sentence, and tags in code", () => {
  for (const text of [
    `<think>${long}`,
    `Put \`<think>\` before and \`</think>\` after. ${long}`,
    `Like this:\n\`\`\`\n<think>${long}</think>\n\`\`\`\nDone.`,
  ]) {
    expect(left(text)).toBe(text);
  }
});

test("keeps the phrases of doubt that the reasoning held, where the policy wants that", () => {
  expect(left(`<think>${long} Wait, perhaps the lexer is wrong.</think>Done.`, { policy: doubtful })).toBe(
    '[Uncertainty points preserved: "Wait", "perhaps"]\nDone.',
  );
  expect(left(`<think>${long} Wait, perhaps not.</think>Done.`, { policy: quiet })).toBe("Done.");
});

test("[F65] promotion wins over stripping", () => {
  const text = `<think>${long} Wait, perhaps I should verify.</think>Done.`;
  const policy = { ...quiet, markers: { promoteAt: 3, annotate: true } };
  expect(left(text, { policy })).toBe(text);
  expect(left(text, { policy: { ...policy, markers: { promoteAt: 4, annotate: false } } })).toBe("Done.");
});

test("leaves a message that would have nothing left, or that would not get smaller", () => {
  expect(left(`<think>${long}</think>`)).toBe(`<think>${long}</think>`);
  expect(left("<think>wait, hmm</think>Done.", { policy: doubtful })).toBe("<think>wait, hmm</think>Done.");
});

test("keeps the calls of the message it strips", () => {
  const told = rawConversation(
    user("go"),
    { ...assistant("", call("ls")), reasoning_content: long },
    result("a"),
    ...later,
  );
  const { after } = run(readConversation(told).messages);
  expect(after[1]!.parts).toMatchObject([{ type: "tool-call", name: "ls" }]);
});

const signed = (text: string) => ({ type: "thinking", thinking: text, signature: "c2lnbmF0dXJl" });
const use = (id: string) => ({ type: "tool_use", id, name: "ls", input: {} });
const answer = (id: string) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content: "a" }],
});
const said = (...content: readonly unknown[]) => ({ role: "assistant", content });

test("drops the signed thinking of earlier turns and keeps that of the turn under way", () => {
  const body = {
    model: "claude-sonnet-4",
    messages: [
      { role: "user", content: "one" },
      said(signed(long), use("a")),
      answer("a"),
      said({ type: "text", text: "done" }),
      { role: "user", content: "two" },
      said(signed(long), use("b")),
      answer("b"),
      said(signed(long), use("c")),
      answer("c"),
      said(use("d")),
      answer("d"),
      said(use("e")),
      answer("e"),
    ],
  };
  const read = readConversation(body);
  const { after, edits } = run(read.messages, { policy: quiet });
  expect(edits.map((edit) => edit.kind === "replace" && edit.position)).toEqual([1]);
  const written = writeConversation({ ...read, messages: after }) as typeof body;
  expect(written.messages[1]).toEqual(said(use("a")));
  expect(written.messages[5]).toBe(body.messages[5]);
});

test("writes its note behind signed thinking that stays", () => {
  const { messages } = readConversation({
    model: "claude-sonnet-4",
    messages: [
      { role: "user", content: "one" },
      said(signed("Sure."), { type: "text", text: `<think>${long} Hmm, wait.</think>Looking.` }, use("a")),
      answer("a"),
      ...["b", "c", "d"].flatMap((id) => [said(use(id)), answer(id)]),
    ],
  });
  const kinds = run(messages, { policy: doubtful }).after[1]!.parts.map((part) => part.type);
  expect(kinds).toEqual(["reasoning", "text", "text", "tool-call"]);
});

test.each(["<think>a</think>", "<think>", "<think></think>\n", " ".repeat(50), "```\n<think>\n"])(
  "gets through half a megabyte of %j",
  (piece) => {
    const text = piece.repeat(500_000 / piece.length);
    expect(left(`${text}Done.`, { policy: quiet }).length).toBeLessThanOrEqual(text.length + 5);
  },
);
