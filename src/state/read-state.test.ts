import { expect, test } from "vitest";
import { OptionsError } from "../errors/options-error.ts";
import { emptyLedger } from "../ledger/ledger.ts";
import { updateLedger } from "../ledger/update-ledger.ts";
import { assistant, call, conversation, result, user } from "../testing/builders.ts";
import { type CompactionState, initialState } from "./compaction-state.ts";
import { readState } from "./read-state.ts";

const { messages } = conversation(
  user("Never touch prod.yaml. The port: 54321."),
  assistant("I'll use a Map because it is faster.", call("Edit", { file_path: "a.ts" }, "e")),
  result("The file a.ts has been updated.", { id: "e" }),
  assistant("", call("Bash", { command: "npm test" }, "t")),
  result("Exit code 1\nTypeError: x is not a function", { id: "t" }),
  assistant("Wait, that is not right.\n- [x] read\n- [ ] write", call("Read", { file_path: "b.ts" }, "r")),
);

const full: CompactionState = {
  version: 1,
  compactions: 3,
  strikes: 1,
  recentResults: [{ at: 1, tokensBefore: 10, tokensAfter: 5 }],
  lastAttemptAt: 1,
  pendingVerdict: { thresholdTokens: 8 },
  blockedUntil: 2,
  blockedReason: "x",
  blockEndsAtTokens: 9,
  rearmTokens: 6,
  anchor: { promptTokens: 5, messages: 2 },
  actedOnUsage: 7,
  model: "m",
  systemNoted: true,
  conversationId: "c-1",
  lastCompaction: "pith:0g1q2v3j4x5z",
  ledger: updateLedger(emptyLedger, messages),
};

test("nothing means the initial state", () => {
  expect(readState(undefined)).toBe(initialState);
  expect(readState(null)).toBe(initialState);
});

test("[F60] a state comes back from JSON as it went in", () => {
  const empty = Object.entries(full.ledger!).filter(([, list]) => Array.isArray(list) && list.length === 0);
  expect(empty.map(([name]) => name)).toEqual(["forgotten"]);
  expect(readState(JSON.parse(JSON.stringify(full)))).toEqual(full);
  expect(readState(JSON.parse(JSON.stringify(initialState)))).toEqual(initialState);
});

test("a state of an earlier release, which called the conversation's id otherwise, is read", () => {
  const { conversationId, ...rest } = full;
  expect(readState({ ...rest, conversation: conversationId })).toEqual(full);
});

test("fields of a null and unknown fields are left out", () => {
  expect(readState({ ...initialState, model: null, colour: "red" })).toEqual(initialState);
});

const wrong: readonly [field: string, value: unknown][] = [
  ["state", "text"],
  ["state", []],
  ["state.version", {}],
  ["state.version", { ...full, version: 2 }],
  ["state.compactions", { ...full, compactions: "3" }],
  ["state.strikes", { ...full, strikes: -1 }],
  ["state.recentResults", { ...full, recentResults: {} }],
  ["state.recentResults[0]", { ...full, recentResults: [null] }],
  ["state.recentResults[0].at", { ...full, recentResults: [{}] }],
  ["state.pendingVerdict", { ...full, pendingVerdict: true }],
  ["state.pendingVerdict.thresholdTokens", { ...full, pendingVerdict: {} }],
  ["state.blockedUntil", { ...full, blockedUntil: Number.POSITIVE_INFINITY }],
  ["state.blockedReason", { ...full, blockedReason: 1 }],
  ["state.rearmTokens", { ...full, rearmTokens: Number.NaN }],
  ["state.anchor.messages", { ...full, anchor: { promptTokens: 1 } }],
  ["state.systemNoted", { ...full, systemNoted: "yes" }],
  ["state.ledger", { ...full, ledger: [] }],
  ["state.ledger.version", { ...full, ledger: { ...emptyLedger, version: 2 } }],
  ["state.ledger.files", { ...full, ledger: { ...emptyLedger, files: {} } }],
  ["state.ledger.files[0].path", { ...full, ledger: { ...emptyLedger, files: [{}] } }],
  ["state.ledger.todos[0].status", { ...full, ledger: { ...emptyLedger, todos: [{ text: "x" }] } }],
  ["state.ledger.dropped.files", { ...full, ledger: { ...emptyLedger, dropped: {} } }],
  ["state.ledger.forgotten[0]", { ...full, ledger: { ...emptyLedger, forgotten: ["x"] } }],
  ["state.ledger.latest.edit.label", { ...full, ledger: { ...emptyLedger, latest: { edit: {} } } }],
];

test.each(wrong)("a wrong %s is refused by that name", (field, value) => {
  expect(() => readState(value)).toThrow(OptionsError);
  expect(() => readState(value)).toThrow(expect.objectContaining({ option: field }));
});

test("a state of a newer release says so", () => {
  expect(() => readState({ ...full, version: 2 })).toThrow(/a newer one wrote this state/);
});

test("a ledger of more facts than are kept is cut to the newest", () => {
  const decisions = Array.from({ length: 150 }, (_, at) => ({
    text: `Decision ${at}.`,
    role: "assistant",
    at,
  }));
  const { ledger } = readState({ ...full, ledger: { ...emptyLedger, decisions } });
  expect(ledger?.decisions.length).toBe(100);
  expect(ledger?.decisions.at(-1)?.text).toBe("Decision 149.");
});
