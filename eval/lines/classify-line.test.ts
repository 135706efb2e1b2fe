import { expect, test } from "vitest";
import { classifyLine } from "./classify-line.ts";
import { sourceText } from "./source-text.ts";

const call = {
  id: "1",
  function: {
    name: "Edit",
    arguments: '{"file_path":"src/a.ts","copy_to":"/home/me/a.ts","replace_all":false}',
  },
};
const source = sourceText([
  { role: "user", content: "- Fix the parser. Keep it small.\nThen stop, please" },
  { role: "assistant", content: "", tool_calls: [call] },
  {
    role: "tool",
    tool_call_id: "1",
    content:
      '{"id": 48213, "status": "open and waiting for the parser to be fixed", "flights": [{"from": "ATL", "no": 7}], "tags": ["a1", "b2"]}',
  },
]);

test.each([
  ["line", "progress", "Then stop, please"],
  ["line", "progress", "user: Then stop, please"],
  ["line", "progress", "home/me/a.ts: Then stop, please"],
  ["ledger", "files", "… = /home/me"],
  ["sentence", "constraints", "Keep it small."],
  ["key/value", "progress", '"status": "open and waiting for the parser to be fixed"'],
  ["key/value", "progress", "Edit file_path: src/a.ts, replace_all: false"],
  ["key/value", "progress", "Edit: id: 48213, status: open and waiting for the parser to be fixed"],
  ["key/value", "progress", "flights: from: ATL, no: 7"],
  ["key/value", "progress", "tags: a1, b2"],
  ["ledger", "files", "src/a.ts: edited 3×"],
  ["ledger", "files", "src/a.ts: edited — parser small, status"],
  ["ledger", "files", "src/a.ts — parser"],
  ["line", "progress", "src/a.ts: Then stop, please"],
  ["ledger", "files", "… = src"],
  ["ledger", "files", "… 41 more files read"],
  ["note", "uncertainty", '[Archived 4 messages. Uncertainty points preserved: "maybe"]'],
])("a %s is known as one, in %s", (kind, section, line) => {
  expect(classifyLine(section, line, source)).toBe(kind);
});

test.each([
  ["progress", "waiting for the parser to be"],
  ["progress", "Then stop"],
  ["progress", "tester: Then stop, please"],
  ["progress", "Edit file_path: src/a.ts, replace_all: true"],
  ["progress", "flights: from: ATL, no: 8"],
  ["progress", "tags: a1, c3"],
  ["files", "src/never-seen.ts: edited 3×"],
  ["files", "… = /home/you"],
  ["progress", "me/a.ts: Then stop, please"],
  ["files", "src/a.ts: edited — neverSeen"],
  ["progress", "src/a.ts: edited 3×"],
])("in %s, %j is neither a quote nor a ledger line", (section, line) => {
  expect(classifyLine(section, line, source)).toBe("neither");
});
