import { expect, test } from "vitest";
import { textOfMessage } from "../conversation/message.ts";
import { readConversation } from "../providers/detect.ts";
import { conversation, system, user } from "../testing/builders.ts";
import { noteEdits } from "./system-note.ts";

const note =
  "[Note: Some earlier conversation turns have been compacted into a handoff summary to preserve context space. Build on that summary rather than re-doing work.]";

function noted(content: unknown, role = "system"): string | undefined {
  const [edit] = noteEdits(conversation({ role, content }).messages[0]);
  return edit?.kind === "replace" ? textOfMessage(edit.message) : undefined;
}

test("[F44] appends the note after a blank line, to a system message only, whatever its content", () => {
  expect(noted("Be brief.")).toBe(`Be brief.\n\n${note}`);
  expect(noted(null)).toBe(`\n\n${note}`);
  expect(noted("")).toBe(`\n\n${note}`);
  expect(noted("Be brief.", "user")).toBeUndefined();
  expect(noteEdits(undefined)).toEqual([]);
  const parts = [
    { type: "text", text: "One." },
    { type: "text", text: "Two." },
  ];
  expect(noted(parts)).toBe(`One.\nTwo.\n\n${note}`);
});

test("[F44] never twice", () => {
  expect(noted(`Be brief.\n\n${note}`)).toBeUndefined();
});

test("the prompt beside the message list gets it too", () => {
  const { messages } = readConversation({ system: "Be brief.", messages: [{ role: "user", content: "hi" }] });
  expect(noteEdits(messages[0])).toHaveLength(1);
  expect(noteEdits(conversation(user("a"), system("b")).messages[0])).toEqual([]);
});
