import fc from "fast-check";
import { expect, test } from "vitest";
import { createTokenCounter } from "../tokens/counter.ts";
import { emptyLedger, type Ledger } from "./ledger.ts";
import { readLedgerLines } from "./read-ledger-lines.ts";
import { type LedgerSections, ledgerLines } from "./render-ledger.ts";

const counter = createTokenCounter();
const all = (ledger: Ledger, maxTokens = 100_000) => ledgerLines(ledger, { counter, maxTokens });

const ledger: Ledger = {
  ...emptyLedger,
  messages: 10,
  files: [
    { path: "src/a.ts", reads: 2, edits: 3, created: true, last: "edited", at: 8 },
    { path: "b.ts", reads: 1, edits: 0, created: false, last: "read", at: 2 },
    { path: "C:\\c: d.ts", reads: 0, edits: 0, created: false, last: "deleted", at: 9 },
    { path: "d.ts", reads: 0, edits: 1, created: true, last: "created", at: 10 },
  ],
  commands: [
    {
      command: "npm test",
      runs: 3,
      outcome: "failed",
      exitCode: 1,
      line: "FAIL src/x.test.ts > adds",
      at: 7,
    },
    { command: "make", runs: 1, outcome: "ok", line: "", at: 8 },
    { command: "npm run dev", runs: 1, outcome: "unknown", line: "", at: 9 },
  ],
  errors: [
    { text: "TypeError: x is not a function (y)", source: "node -e 'f(1)'", open: true, at: 7 },
    { text: "Error: gone", source: "npm test", open: false, resolvedBy: "Edit src/a.ts", at: 8 },
    { text: "Error: gone too", source: "make", open: false, at: 8 },
  ],
  decisions: [{ text: "I'll use a Map because lookups dominate.", role: "assistant", at: 3 }],
  values: [{ key: "order id", value: "W2378156", at: 4 }],
  todos: [
    { text: "write it", status: "done" },
    { id: "7", text: "test it", status: "active" },
    { text: "ship it", status: "open" },
  ],
  doubts: [{ text: "But wait, this is off.", role: "assistant", at: 5 }],
};

const expected: LedgerSections = {
  todos: ["[x] write it", "[>] #7 test it", "[ ] ship it"],
  decisions: ["I'll use a Map because lookups dominate."],
  files: ["b.ts: read", "src/a.ts: created", "C:\\c: d.ts: deleted", "d.ts: created"],
  commands: [
    "npm test → failed (exit 1), 3 runs: FAIL src/x.test.ts > adds",
    "make → ok",
    "npm run dev → ran",
  ],
  errors: [
    "open: TypeError: x is not a function (y) (node -e 'f(1)')",
    "resolved by Edit src/a.ts: Error: gone (npm test)",
    "resolved: Error: gone too (make)",
  ],
  values: ["order id: W2378156"],
  doubts: ["But wait, this is off."],
};

test("[R36 R40] tells every fact in its fixed form, oldest first", () => {
  expect(all(ledger)).toEqual(expected);
});

test("what the lines say is read back, and told again in the same lines", () => {
  const back = readLedgerLines(expected);
  expect(all(back)).toEqual(expected);
  const withoutPlace = <Fact extends { at: number }>(facts: readonly Fact[]) =>
    facts.toSorted((a, b) => a.at - b.at).map((fact) => ({ ...fact, at: 0 }));
  // Of a file the lines say what has become of it, and no more.
  expect(back.files.map(({ path, created, last }) => ({ path, created, last }))).toEqual([
    { path: "b.ts", created: false, last: "read" },
    { path: "src/a.ts", created: true, last: "created" },
    { path: "C:\\c: d.ts", created: false, last: "deleted" },
    { path: "d.ts", created: true, last: "created" },
  ]);
  expect(back.commands).toEqual(withoutPlace(ledger.commands));
  expect(back.errors).toEqual(withoutPlace(ledger.errors));
  expect(back.todos).toEqual(ledger.todos);
  expect(back.values).toEqual(withoutPlace(ledger.values));
});

test("within a budget what must be kept comes first, and the rest is counted", () => {
  const files = Array.from({ length: 50 }, (_, index) => ({
    path: `src/f${index}.ts`,
    reads: index % 5 === 0 ? 0 : 1,
    edits: index % 5 === 0 ? 1 : 0,
    created: false,
    last: index % 5 === 0 ? ("edited" as const) : ("read" as const),
    at: index,
  }));
  const big = { ...ledger, messages: 50, files, dropped: { ...ledger.dropped, files: 7 } };
  const sections = all(big, 300);
  const told = Object.values(sections).flat();
  expect(counter.text(told.join("\n"))).toBeLessThanOrEqual(300);
  expect(told).toEqual(expect.arrayContaining(["[>] #7 test it", "[ ] ship it", expected.errors[0]!]));
  for (let index = 0; index < 50; index += 5) expect(sections.files).toContain(`src/f${index}.ts: edited`);
  const shown = sections.files.filter((line) => !line.startsWith("…")).length;
  expect(sections.files).toContain(`… ${50 - shown} more files read`);
  const back = readLedgerLines(sections);
  expect(back.files.length + back.dropped.files).toBe(57);
});

test("the folder that most files are in is said once, and read back with each of them", () => {
  const file = (path: string, at: number) =>
    ({ path, reads: 0, edits: 1, created: false, last: "edited", at }) as const;
  const paths = ["/home/me/app/src/a.ts", "/home/me/app/test/b.ts", "/tmp/c.log", "/home/me/app/d.ts"];
  const { files } = all({ ...emptyLedger, files: paths.map(file) });
  expect(files).toEqual([
    "… = /home/me/app",
    "…/src/a.ts: edited",
    "…/test/b.ts: edited",
    "/tmp/c.log: edited",
    "…/d.ts: edited",
  ]);
  expect(readLedgerLines({ files }).files.map(({ path }) => path)).toEqual(paths);
});

test("a file that calls named in two ways is told once", () => {
  const files = [
    { path: "src/a.ts", reads: 1, edits: 0, created: false, last: "read", at: 5 },
    { path: "D:\\app\\src\\a.ts", reads: 1, edits: 2, created: false, last: "edited", at: 3 },
    { path: "a.ts", reads: 1, edits: 0, created: false, last: "read", at: 1 },
    { path: "D:\\app\\lib\\a.ts", reads: 1, edits: 0, created: false, last: "read", at: 2 },
  ] as const;
  expect(all({ ...emptyLedger, files }).files).toEqual([
    "a.ts: read",
    "D:\\app\\lib\\a.ts: read",
    "D:\\app\\src\\a.ts: edited",
  ]);
});

test("a command that was run with other trimmings is told once, and one that is told as an open error not at all", () => {
  const run = (command: string, at: number, line = "") =>
    ({ command, runs: 1, outcome: line === "" ? "ok" : "failed", line, at }) as const;
  const commands = [
    run("npm test | tail -5", 1),
    run("cd web && make", 2, "Error: x"),
    run("npm test 2>&1", 3),
  ];
  const errors = [{ text: "Error: x", source: "make", open: true, at: 2 }];
  expect(all({ ...emptyLedger, commands, errors })).toMatchObject({
    commands: ["npm test 2>&1 → ok, 2 runs"],
    errors: ["open: Error: x (make)"],
  });
});

test("a look that told nothing is no news, and a value under several keys is told by its newest", () => {
  const run = (command: string, line: string, outcome: "ok" | "failed" = "ok") =>
    ({ command, runs: 1, outcome, line, at: 1 }) as const;
  const commands = [
    run("ls src", ""),
    run("cat x", "no x", "failed"),
    run("git log -1", "5a500772 chain hooks"),
  ];
  const values = [
    { key: "checkpoint", value: "cebf75080e82", at: 1 },
    { key: "id", value: "fd0eee16f4", at: 1 },
    { key: "Entire-Checkpoint", value: "cebf75080e82", at: 2 },
  ];
  expect(all({ ...emptyLedger, commands, values })).toMatchObject({
    commands: ["git log -1 → ok: 5a500772 chain hooks"],
    values: ["id: fd0eee16f4", "Entire-Checkpoint: cebf75080e82"],
  });
});

test("an error that went away when the same was done again says so, and is read back so", () => {
  const error = { text: "Error: busy", source: "npm test", open: false, resolvedBy: "npm test", at: 1 };
  const { errors } = all({ ...emptyLedger, errors: [error] });
  expect(errors).toEqual(["resolved by the same again: Error: busy (npm test)"]);
  expect(all(readLedgerLines({ errors })).errors).toEqual(errors);
});

test("a budget too small for anything gives nothing", () => {
  expect(Object.values(all(ledger, 3)).flat()).toEqual([]);
});

test("a source or a resolver that would be read back as something else is told in other marks", () => {
  const error = { text: "Error: x", source: "f(", open: false, resolvedBy: "a: b", at: 1 };
  const command = { command: "echo a → ok", runs: 1, outcome: "ok" as const, line: "a → failed", at: 1 };
  const sections = all({ ...emptyLedger, errors: [error], commands: [command] });
  expect(sections.errors).toEqual(["resolved by a:b: Error: x (f|)"]);
  expect(readLedgerLines(sections).errors).toEqual([{ ...error, source: "f|", resolvedBy: "a:b", at: 0 }]);
  expect(readLedgerLines(sections).commands).toEqual([{ ...command, command: "echo a -> ok", at: 0 }]);
});

test("lines of no known form are left out", () => {
  const lines = ["", "nonsense", "open: x", "open: x)", "[y] z"];
  const back = readLedgerLines({
    files: lines,
    commands: lines,
    errors: lines,
    todos: lines,
    values: ["x", ": y"],
  });
  expect(back).toEqual(emptyLedger);
});

test("any ledger fits any budget, and its lines are read back as themselves", () => {
  const name = fc.stringMatching(/^[\w./ ()→:-]{1,20}$/).map((text) => `f${text.trim()}`);
  const fact = fc.record({ a: name, b: name, n: fc.nat(3), open: fc.boolean(), at: fc.nat(20) });
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 30 }), fc.integer({ min: 1, max: 400 }), (facts, maxTokens) => {
      const some: Ledger = {
        ...emptyLedger,
        messages: 20,
        files: facts.map(({ a, n, open, at }) => ({
          path: a,
          reads: n,
          edits: 1,
          created: open,
          last: "edited",
          at,
        })),
        commands: facts.map(({ a, b, n, open, at }) => ({
          command: a,
          runs: n + 1,
          outcome: open ? "ok" : "failed",
          line: b,
          at,
        })),
        errors: facts.map(({ a, b, open, at }) => ({
          text: a,
          source: b,
          open,
          ...(open ? {} : { resolvedBy: a }),
          at,
        })),
      };
      const sections = all(some, maxTokens);
      expect(counter.text(Object.values(sections).flat().join("\n"))).toBeLessThanOrEqual(maxTokens);
      const told = (from: LedgerSections) =>
        Object.values(from)
          .flat()
          .filter((line) => !line.startsWith("…"));
      expect(told(all(readLedgerLines(sections)))).toEqual(told(sections));
    }),
    { numRuns: 150, seed: 1 },
  );
});

test("the only file is named or not told, and never counted as one more", () => {
  const only = { ...emptyLedger, messages: 10, files: ledger.files.slice(0, 1) };
  expect(all(only, 3).files).toEqual([]);
  expect(all(only, 8).files).toEqual(["src/a.ts: created"]);
  const long = ledger.files
    .slice(0, 2)
    .map((file) => ({ ...file, path: `${"long/".repeat(20)}${file.path}` }));
  expect(all({ ...only, files: long }, 20).files).toEqual(["… 1 more files changed", "… 1 more files read"]);
});
