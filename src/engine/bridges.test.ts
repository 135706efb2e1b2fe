import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { writeConversation } from "../providers/detect.ts";
import { validateRequest } from "../providers/validate/index.ts";
import { isInjected } from "../salience/own-prose.ts";
import { anthropicConversation, assistant, call, conversation, result, user } from "../testing/builders.ts";
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
  const { body: output, report } = await createCompactor({ target: "50%", format: "anthropic" }).compact(
    body,
    {
      target: 300,
      pins,
    },
  );
  expect(report).toMatchObject({ compacted: true });
  expect(validateRequest(output, { format: "anthropic", alternate: true }).faults).toEqual([]);
  expect(JSON.stringify(output)).toContain(BRIDGE);
});

test("a request whose last ask was another system's summary does not end with the assistant", async () => {
  const asked = [...told.slice(0, 6), user("[CONTEXT COMPACTION] All of the listing was read.")];
  const body = writeConversation(anthropicConversation(...asked));
  const { body: output, report } = await createCompactor({ target: "50%", format: "anthropic" }).compact(
    body,
    {
      target: 300,
      pins: [1],
    },
  );
  const { messages } = output as { messages: readonly { role: string }[] };
  expect(report.compacted).toBe(true);
  expect(messages.map(({ role }) => role).slice(0, 2)).toEqual(["user", "assistant"]);
  expect(messages.at(-1)!.role).toBe("user");
});

test("[R5] so it does elsewhere, and what a tool said is enough between two messages of an assistant", async () => {
  const body = writeConversation(conversation(...told));
  const { messages: output } = await createCompactor({ target: "50%", format: "openai" }).compact(body, {
    target: 300,
    pins,
  });
  const roles = (output as readonly { role: string }[]).map(({ role }) => role);
  expect(JSON.stringify(output)).toContain("Second finding, to be kept.");
  expect(JSON.stringify(output)).toContain(BRIDGE);
  expect(roles.filter((role, at) => role === roles[at - 1])).toEqual([]);
  const worked = [...told.slice(0, 5), assistant("I look.", call("ls", {}, "l")), result("a", { id: "l" })];
  const after = [...worked, assistant("There it is."), user("Go on.")];
  const kept = await createCompactor({ target: "50%", format: "openai" }).compact(
    writeConversation(conversation(...after)),
    {
      target: 300,
      pins: [5, 6, 7],
    },
  );
  expect(JSON.stringify(kept.messages)).not.toContain(BRIDGE);
});

test("[R5] under synthorg+complex promoted messages never speak twice in a row", async () => {
  const messages = Array.from({ length: 24 }, (_, at) => [
    user(`And part ${at}?${at % 7 === 3 ? " Perhaps the lexer." : ""} ${"Go on. ".repeat(20)}`),
    assistant(`${at % 3 === 0 ? "Wait, I was wrong. " : ""}${`Part ${at} is done. `.repeat(20)}`),
  ]).flat();
  const options = { preset: "synthorg+complex", window: 3_400, reserve: 0 } as const;
  const { messages: output, report } = await createCompactor(options).compact(messages);
  const visible = (output as readonly { role: string; content: string }[]).filter(
    ({ role }) => role !== "system",
  );
  expect(report.compacted).toBe(true);
  expect(visible.filter(({ content }) => content.startsWith("Wait, I was wrong.")).length).toBeGreaterThan(1);
  expect(visible.filter(({ role }, at) => role === visible[at - 1]?.role)).toEqual([]);
});

test("nobody takes the note for what the user asks", () => {
  expect(isInjected(BRIDGE)).toBe(true);
});
