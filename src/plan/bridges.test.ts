import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { writeConversation } from "../formats/detect.ts";
import { isInjected } from "../salience/own-prose.ts";
import { anthropicConversation, assistant, conversation, user } from "../testing/builders.ts";
import { validateRequest } from "../validate/index.ts";
import { BRIDGE } from "./bridges.ts";

const long = (about: string) => `${about} `.repeat(400);
const told = [
  user("Port the tool."),
  assistant("First finding, to be kept."),
  user(long("Please look at this listing.")),
  assistant("Second finding, to be kept."),
  user(long("And at that one.")),
  assistant(long("It is a listing.")),
  user("Go on."),
];
const pins = [1, 3];

test("where speakers take turns, a note stands between pinned messages of one role", async () => {
  const body = writeConversation(anthropicConversation(...told));
  const { output, report } = await createCompactor({ format: "anthropic" }).compact(body, {
    target: 300,
    pins,
  });
  expect(report).toMatchObject({ compacted: true });
  expect(validateRequest(output, { format: "anthropic" }).faults).toEqual([]);
  expect(JSON.stringify(output)).toContain(BRIDGE);
});

test("a request whose last ask was another system's summary does not end with the assistant", async () => {
  const asked = [...told.slice(0, 6), user("[CONTEXT COMPACTION] All of the listing was read.")];
  const body = writeConversation(anthropicConversation(...asked));
  const { output, report } = await createCompactor({ format: "anthropic" }).compact(body, {
    target: 300,
    pins: [1],
  });
  const { messages } = output as { messages: readonly { role: string }[] };
  expect(report.compacted).toBe(true);
  expect(messages.map(({ role }) => role).slice(0, 2)).toEqual(["user", "assistant"]);
  expect(messages.at(-1)!.role).toBe("user");
});

test("elsewhere there is none", async () => {
  const body = writeConversation(conversation(...told));
  const { output } = await createCompactor({ format: "openai" }).compact(body, { target: 300, pins });
  expect(JSON.stringify(output)).toContain("Second finding, to be kept.");
  expect(JSON.stringify(output)).not.toContain(BRIDGE);
});

test("nobody takes the note for what the user asks", () => {
  expect(isInjected(BRIDGE)).toBe(true);
});
