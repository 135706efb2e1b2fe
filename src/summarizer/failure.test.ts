import { expect, test } from "vitest";
import { classOfException, classOfStatus, failed, messageOf } from "./failure.ts";

const calm = new AbortController().signal;

test.each([
  [400, "", "other"],
  [400, "Your credit balance is too low", "quota"],
  [403, "billing hard limit", "quota"],
  [404, "", "other"],
  [408, "", "timeout"],
  [429, "You exceeded your current quota", "quota"],
  [502, "", "overload"],
  [504, "", "timeout"],
])("the status %d with the words %j is of class %s", (status, body, failure) => {
  expect(classOfStatus(status, body)).toBe(failure);
});

test.each([
  [Object.assign(new Error("x"), { name: "TimeoutError" }), "timeout"],
  [Object.assign(new Error("x"), { name: "AbortError" }), "aborted"],
  [Object.assign(new Error("x"), { status: 401 }), "auth"],
  [new SyntaxError("Unexpected token"), "malformed"],
  [new Error("x", { cause: Object.assign(new Error("y"), { code: "ECONNRESET" }) }), "network"],
  [Object.assign(new Error("x"), { code: "UND_ERR_SOCKET" }), "network"],
  ["a word", "other"],
  [null, "other"],
])("the exception %s is of class %s", (thrown, failure) => {
  expect(classOfException(thrown, calm)).toBe(failure);
});

test("a message has the reason below it, no secrets, and an end", () => {
  expect(messageOf(new Error("fetch failed", { cause: { code: "ENOTFOUND" } }))).toBe(
    "fetch failed (ENOTFOUND)",
  );
  expect(messageOf("a word")).toBe("a word");
  const error = failed("s", "other", `my-key ${"long ".repeat(500)}`, {
    key: "my-key",
    cause: new Error("my-key"),
  });
  expect(error.message.length).toBeLessThan(400);
  expect(`${error.message} ${error.cause}`).not.toContain("my-key");
});
