import { expect, test } from "vitest";
import { withParts } from "../../conversation/message.ts";
import { assistant, conversation, user } from "../../testing/builders.ts";
import { userWordsSurvive } from "./user-words-survive.ts";

const broken = userWordsSurvive.broken!;
const { messages } = conversation(
  user("Write the exporter. Never touch prod.yaml."),
  assistant("Yes."),
  user("Rename the flag."),
  assistant("Done."),
);

test("[R37] a binding sentence that is gone is found, others may go", () => {
  expect(broken(messages, messages)).toEqual([]);
  const shorter = conversation(user("Rename the flag."), assistant("Never touch prod.yaml.")).messages;
  expect(broken(messages, shorter)).toEqual([]);
  const altered = conversation(user("Rename the flag. Never touch prod.yml.")).messages;
  expect(broken(messages, altered)).toEqual([`the user's words are gone: "Never touch prod.yaml."`]);
});

test("[R8] the newest ask must be there word for word", () => {
  const gone = conversation(user("Never touch prod.yaml.")).messages;
  expect(broken(messages, gone)).toEqual([`the user's words are gone: "Rename the flag."`]);
});

test("[R8] what a program says in the user's name is not the newest ask, and neither is a hand-off or a blank", () => {
  const nudged = [
    ...messages,
    ...conversation(
      user("<system-reminder>\nThe list is empty. Update it now.\n</system-reminder>"),
      user("  "),
      user("[SUMMARY]: Please do it all again."),
    ).messages,
  ];
  expect(broken(nudged, messages)).toEqual([]);
  expect(broken(nudged, nudged.slice(3))).toContain(`the user's words are gone: "Rename the flag."`);
});

test("the lines of an ask are found in any part of a message", () => {
  const said = conversation(user("Rename the flag.\n\nNever touch prod.yaml,\nnor stage.yaml.")).messages;
  const found = (...texts: readonly string[]) =>
    broken(said, [
      withParts(
        said[0]!,
        texts.map((text) => ({ type: "text", text })),
      ),
    ]);
  expect(found("Rename the flag.", "Never touch prod.yaml,\nnor stage.yaml.")).toEqual([]);
  expect(found("Rename the flag. Never touch prod.yaml,", "nor stage.yaml.")).toEqual([]);
  expect(found("Rename the flag.", "Never touch prod.yaml,")).toHaveLength(1);
});

test("what is longer than its share may be left out in part", () => {
  const long = Array.from({ length: 200 }, (_, at) => `Requirement ${at} is that door ${at * 7} opens.`).join(
    "\n",
  );
  const { messages: asked } = conversation(user(long));
  expect(broken(asked, conversation(user("Requirement 1 is that door 7 opens.")).messages)).toEqual([]);
});

test("[R15] where nobody asked, nothing has to survive", () => {
  const silent = conversation(assistant("Hello."), { role: "user", content: null }).messages;
  expect(broken(silent, [])).toEqual([]);
  expect(broken([], [])).toEqual([]);
});
