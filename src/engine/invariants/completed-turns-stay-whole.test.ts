import { expect, test } from "vitest";
import { assistant, call, conversation, result, system, user } from "../../testing/builders.ts";
import { completedTurnsStayWhole } from "./completed-turns-stay-whole.ts";
import { allowsCut } from "./index.ts";

const cutsOf = (messages: Parameters<typeof allowsCut>[0]) =>
  messages.flatMap((_, index) => (completedTurnsStayWhole.allowsCut!(messages, index) ? [index] : []));

test("[R12] a finished turn is cut at its edges only, the turn under way anywhere", () => {
  const { messages } = conversation(
    system("Be brief."),
    user("One."),
    assistant("Yes."),
    user("Two."),
    assistant("Yes."),
    user("Three."),
    assistant("", call("read")),
    result("text"),
  );
  expect(cutsOf(messages)).toEqual([1, 3, 5, 6, 7]);
  // With all rules together not between the call and its result either.
  expect(messages.flatMap((_, index) => (allowsCut(messages, index) ? [index] : []))).toEqual([1, 3, 5, 6]);
});

test("where there is no turn there is nothing to keep whole", () => {
  expect(cutsOf(conversation(system("Be brief.")).messages)).toEqual([0]);
});
