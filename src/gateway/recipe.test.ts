import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { withMessages } from "../conversation/conversation.ts";
import { makesCalls, withParts } from "../conversation/message.ts";
import { rewriteOf } from "../conversation/rewrite.ts";
import { readJsonSource } from "../json/source.ts";
import { readConversation, writeConversation } from "../providers/detect.ts";
import { initialState } from "../state/compaction-state.ts";
import { cook, plainRecipe, recipeAfter } from "./recipe.ts";

const log = (at: number): string =>
  Array.from({ length: 150 }, (_, line) => `step ${at} line ${line}: port ${line * 7}`).join("\n");
const answer = (at: number): readonly object[] => [
  { type: "reasoning", id: `r${at}`, summary: [] },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "Go on." }] },
  {
    type: "function_call",
    call_id: `c${at}`,
    name: "write_file",
    arguments: JSON.stringify({ text: log(at) }),
  },
  { type: "function_call_output", call_id: `c${at}`, output: "ok" },
  { role: "user", content: at % 3 === 0 ? "Go on." : `Next is file ${at}.` },
];
const format = "openai-responses";
const input = Array.from({ length: 12 }, (_, at) => answer(at)).flat();
const text = JSON.stringify({ model: "gpt-4o", instructions: "Be careful.", input }, null, 2);
const compactor = createCompactor({ format, target: "50%" });
const source = readJsonSource(text);

test("a recipe gives what the compaction gave, messages that say the same in their own places", async () => {
  const result = await compactor.compact(text, { target: "50%" });
  const recipe = recipeAfter(plainRecipe, result, input.length);
  expect(JSON.parse(cook(source, recipe, format))).toEqual(JSON.parse(String(result.body)));
  const kept = recipe.entries.filter((entry) => typeof entry === "number");
  expect(kept).toEqual(Array.from(kept, (_, at) => input.length - kept.length + at));
});

test("of an answer that was changed, the items that came through are the client's own", () => {
  const read = readConversation(text, { format });
  const messages = read.messages.map((message) =>
    makesCalls(message)
      ? withParts(
          message,
          message.parts.map((part) => (part.type === "tool-call" ? { ...part, arguments: "{}" } : part)),
        )
      : message,
  );
  const conversation = withMessages(read, messages);
  const rewrite = rewriteOf(messages);
  const original = { body: text, state: initialState };
  const result = { original, body: String(writeConversation(conversation)), conversation, rewrite };
  const { entries } = recipeAfter(plainRecipe, result, input.length);
  expect(entries).toHaveLength(input.length);
  for (const [at, entry] of entries.entries()) expect(typeof entry).toBe(at % 5 === 2 ? "string" : "number");
});

test("a compaction of a compaction is told in terms of what the client sends", async () => {
  const first = await compactor.compact(text, { target: "60%" });
  const second = await compactor.compact(String(first.body), { target: "40%", state: first.state });
  expect([first.report.compacted, second.report.compacted]).toEqual([true, true]);
  const recipe = [first, second].reduce(
    (earlier, result) => recipeAfter(earlier, result, input.length),
    plainRecipe,
  );
  const cooked = cook(source, recipe, format);
  expect(JSON.parse(cooked)).toEqual(JSON.parse(String(second.body)));
});
