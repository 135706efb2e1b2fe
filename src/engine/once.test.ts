import { expect, test } from "vitest";

import type { Message } from "../conversation/message.ts";
import { formatNamed } from "../providers/detect.ts";
import { assistant, call, conversation, result, user } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { compactMessages } from "./engine.ts";

const log = Array.from({ length: 600 }, (_, i) => `12:${i % 60} INFO job ${i} ran for ${i * 7}ms`).join("\n");
const notes = Array.from({ length: 40 }, (_, i) => `Part ${i} of the plan is about shelf ${i % 7}.`).join(
  "\n\n",
);

function compacted(messages: readonly Message[], targetTokens: number): readonly Message[] {
  return compactMessages({
    messages,
    targetTokens,
    counter: createTokenCounter(),
    format: formatNamed("openai-chat"),
    fixed: new Set(),
    live: new Set(),
    running: messages.length,
    ours: new Set(),
    mustHandOff: true,
    noteTokens: 0,
    prefix: "pith",
    role: "auto",
    ids: undefined,
  }).messages;
}

/** The same messages, as if nobody had seen them. */
function unseen(messages: readonly Message[]): readonly Message[] {
  return structuredClone(messages);
}

const { messages } = conversation(
  user("See whether the tests pass."),
  assistant("", call("bash", { command: "npm test" })),
  result(`${log}\n3 passed, 1 failed`),
  assistant(notes),
  user("Go on."),
  assistant("", call("bash", { command: "cat log.txt" })),
  result(log),
);

test("a compaction says the same whatever was asked of its messages before: at other targets, with other calls, unanswered", () => {
  const [ask, , failed, ...rest] = messages as [Message, Message, Message, ...Message[]];
  const { messages: printed } = conversation(
    user("See whether the tests pass."),
    assistant("", call("bash", { command: "cat notes.txt" })),
  );
  const pairId = (failed.parts[0] as { pairId: string }).pairId;
  const [part] = printed[1]!.parts;
  const other: Message = { ...printed[1]!, parts: [{ ...(part as object), pairId } as typeof part & object] };
  const branches = [messages, [ask, other, failed, ...rest], [ask, messages[1]!, failed]];
  for (const target of [20_000, 700, 3000])
    for (const branch of branches)
      expect(compacted(branch, target)).toEqual(compacted(unseen(branch), target));
});
