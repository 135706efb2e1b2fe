import { expect, test } from "vitest";
import { assistant, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { type OtherWordsOptions, otherWordsWithin } from "./other-words.ts";
import { END_MARKER } from "./prefixes.ts";

const counter = createTokenCounter();
const within = (messages: readonly WireMessage[], options: Partial<OtherWordsOptions> = {}) =>
  otherWordsWithin(conversation(...messages).messages, { maxTokens: 200, counter, said: "", ...options });

test("[R37] what binds by no word of any table stays too, in any language, in the order it was said", () => {
  expect(
    within([
      user("Julkinen rajapinta pysyy samana."),
      assistant("Good."),
      user("Fix the parser. You must not push. Dates are ISO 8601 throughout."),
      user("B, the nested form"),
    ]),
  ).toEqual(["Julkinen rajapinta pysyy samana.", "Fix the parser.", "Dates are ISO 8601 throughout."]);
});

test("what binds by its wording, what is quoted anyway, and thanks are left out", () => {
  const messages = [
    user("Never push. Thank you so much!"),
    user("ok"),
    user("yes please"),
    user("Build the thing."),
  ];
  expect(within(messages, { said: "Build the thing." })).toEqual([]);
});

test("only people's own words count: no tool, no assistant, no quote, no code, no program", () => {
  expect(
    within([
      assistant("Dates are ISO 8601 throughout."),
      result("Dates are ISO 8601 throughout."),
      user("> Dates are ISO 8601 throughout."),
      user("```\nDates are ISO 8601 throughout.\n```"),
      user("Base directory for this skill: /skills/x\n\nDates are ISO 8601 throughout."),
      user("<system-reminder>\nDates are ISO 8601 throughout.\n</system-reminder>"),
    ]),
  ).toEqual([]);
});

test("never more than there is room for: the short and the new first, questions and long messages last", () => {
  const messages = [
    user(
      `The story of this project is a long one. ${"It went on and on for years in the old town. ".repeat(12)}`,
    ),
    user("which of the two is it then?"),
    user("The old port of the server is the right one for us, as we found."),
    user("Dates are ISO 8601 throughout."),
  ];
  expect(within(messages, { maxTokens: 20 })).toEqual(["Dates are ISO 8601 throughout."]);
  expect(within(messages, { maxTokens: 4 })).toEqual([]);
  expect(within(messages, { maxTokens: 1000 })).toContain("which of the two is it then?");
  for (const maxTokens of [10, 30, 60, 120])
    expect(counter.text(within(messages, { maxTokens }).join("\n- "))).toBeLessThanOrEqual(maxTokens);
});

test("[R38] an earlier hand-off's go on, and so does what was then the latest ask", () => {
  const body =
    "## Latest ask\nFix the parser. Never push.\n## The user also said\n- Dates are ISO 8601 throughout.";
  const handoff = user(`[Pith hand-off] Past reference:\n${body}\n${END_MARKER}`);
  expect(within([handoff])).toEqual(["Dates are ISO 8601 throughout.", "Fix the parser."]);
});

test("[R38] what another hand-off carried as said, not as binding, stays so although it would bind by itself", () => {
  const body = "## The user also said\n- Never before was it so slow.";
  const handoff = user(`[Pith hand-off] Past reference:\n${body}\n${END_MARKER}`);
  expect(within([handoff])).toEqual(["Never before was it so slow."]);
});
