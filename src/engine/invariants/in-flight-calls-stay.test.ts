import { expect, test } from "vitest";
import { assistant, call, conversation, result, user } from "../../testing/builders.ts";
import { inFlightCallsStay } from "./in-flight-calls-stay.ts";

const broken = inFlightCallsStay.broken!;

test("[R2] a running call that is taken away is found, also when an older call had the same id", () => {
  const { messages } = conversation(
    user("Go."),
    assistant("", call("build", {}, "call_1")),
    result("built", { id: "call_1" }),
    user("Deploy."),
    assistant("", call("deploy", {}, "call_1"), call("notify", {}, "call_2")),
  );
  expect(broken(messages, messages)).toEqual([]);
  expect(broken(messages, messages.slice(0, -1))).toEqual([
    "the running call call_1 was taken away",
    "the running call call_2 was taken away",
  ]);
  expect(broken(messages, messages.slice(-1))).toEqual([]);
});

test("calls that were answered may go, and so may an empty conversation", () => {
  const { messages } = conversation(user("Go."), assistant("", call("build")), result("built"));
  expect(broken(messages, [])).toEqual([]);
  expect(broken([], [])).toEqual([]);
});
