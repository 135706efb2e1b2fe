import { expect, test } from "vitest";
import { END_MARKER, SUMMARY_PREFIX } from "../../conversation/handoffs/prefixes.ts";
import { textOfMessage } from "../../conversation/message.ts";
import { presets } from "../../policy/presets.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../../testing/builders.ts";
import { createTokenCounter } from "../../tokens/counter.ts";
import { applyEdits } from "../apply-edits.ts";
import { extractSentences } from "./extract-sentences.ts";
import type { StageContext } from "./stage.ts";

const counter = createTokenCounter();
const sentences = Array.from(
  { length: 100 },
  (_, at) => `Sentence ${at} tells what the parser did with its token.`,
);
const long = sentences.join(" ");

function run(told: readonly WireMessage[], context: Partial<StageContext> = {}) {
  const { messages } = conversation(...told);
  const edits = extractSentences.propose(messages, {
    policy: presets.gptme,
    counter,
    editable: new Set(messages.map(({ position }) => position)),
    tokensToSave: Number.POSITIVE_INFINITY,
    ...context,
  });
  const positions = edits.map((edit) => (edit.kind === "replace" ? edit.position : -1));
  return { positions, after: applyEdits(messages, edits), messages };
}

const rest = [user("a"), assistant("b"), user("c")];

test("[F13] only long assistant messages without calls, at least three from the end, are extracted", () => {
  const told = [user(long), assistant(long), assistant("Short."), assistant(long, call("ls")), result(long)];
  expect(run([...told, ...rest]).positions).toEqual([1]);
  expect(run([assistant(long), ...rest]).positions).toEqual([0]);
  expect(run([assistant(long), ...rest.slice(1)]).positions).toEqual([]);
});

test("[F13] a thousand tokens is not yet long", () => {
  const { messages } = conversation(assistant(long));
  const tokens = counter.message(messages[0]!);
  const policy = (minTokens: number) => ({
    ...presets.gptme,
    extract: { ...presets.gptme.extract!, minTokens },
  });
  expect(run([assistant(long), ...rest], { policy: policy(tokens) }).positions).toEqual([]);
  expect(run([assistant(long), ...rest], { policy: policy(tokens - 1) }).positions).toEqual([0]);
});

test("[F2 F3] sentences stay verbatim and in order, code byte for byte", () => {
  const code = "```js\nconst a = 1. b = 2!\n```";
  const { after } = run([assistant(`${long}\n\n${code}\n\n${long}`), ...rest]);
  const text = textOfMessage(after[0]!);
  const kept = text.split(code).map((prose) => prose.trim().split(/(?<=\.) /));
  expect(kept).toHaveLength(2);
  expect(kept.flat()).toHaveLength(140);
  for (const part of kept) expect(part).toEqual(sentences.filter((sentence) => part.includes(sentence)));
});

test("does nothing without a rule, outside what may be edited, once enough is saved, or for nothing", () => {
  const told = [assistant(long), assistant(long), ...rest];
  expect(run(told, { policy: presets.balanced }).positions).toEqual([]);
  expect(run(told, { editable: new Set([1]) }).positions).toEqual([1]);
  expect(run(told, { tokensToSave: 1 }).positions).toEqual([0]);
  expect(run([assistant("word ".repeat(2000)), ...rest]).positions).toEqual([]);
});

test("a hand-off is never thinned out, whoever's it is", () => {
  const handoff = `${SUMMARY_PREFIX}\n## Story so far\n[1] User: Go.\nAnswer: ${long}\n## State: rules and wishes of the user, later ones win\n- Never rename files.\n${END_MARKER}`;
  for (const text of [handoff, `[SUMMARY]: ${long}`]) {
    const { after, messages } = run([user("a"), assistant(text), ...rest]);
    expect(after[1]).toBe(messages[1]);
  }
});

test("null content is not extracted from", () => {
  expect(run([{ role: "assistant", content: null }, ...rest]).positions).toEqual([]);
});
