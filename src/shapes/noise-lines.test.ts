import { expect, test } from "vitest";
import { createTokenCounter } from "../tokens/counter.ts";
import { fitText } from "./fit-text.ts";
import { noiseIn } from "./noise-lines.ts";

const context = { counter: createTokenCounter(), handle: "pith:0g1q2v3j4x5z" };

const loud = (text: string): readonly string[] => {
  const lines = text.split("\n");
  const noise = noiseIn(lines);
  return lines.filter((_, index) => noise[index] === 0);
};

const library = (count: number, indent = ""): readonly string[] =>
  Array.from({ length: count }, (_, index) => [
    `${indent}  File "/usr/lib/python3.11/site-packages/pool/_base.py", line ${index + 7}, in call_${index}`,
    `${indent}    return self.next(${index})`,
    `${indent}           ^^^^^^^^^^^^`,
  ]).flat();

test("a traceback is told by the deepest frame of the project and its error", () => {
  const trace = [
    "Before it.",
    "Traceback (most recent call last):",
    '  File "/app/main.py", line 3, in <module>',
    "    run()",
    '  File "/app/orders/run.py", line 12, in run',
    "    pool.call(order)",
    ...library(3),
    "PoolError: closed",
    "After it.",
  ];
  expect(loud(trace.join("\n"))).toEqual([
    "Before it.",
    '  File "/app/orders/run.py", line 12, in run',
    "    pool.call(order)",
    "PoolError: closed",
    "After it.",
  ]);
});

test("of tracebacks that led to each other every error is told, and one frame", () => {
  const trace = [
    "Traceback (most recent call last):",
    ...library(2),
    "KeyError: 'a'",
    "",
    "During handling of the above exception, another exception occurred:",
    "",
    "Traceback (most recent call last):",
    '  File "/app/orders/run.py", line 12, in run',
    "    pool.call(order)",
    ...library(2),
    "PoolError: closed",
  ];
  expect(loud(trace.join("\n")).filter((line) => line !== "")).toEqual([
    "KeyError: 'a'",
    '  File "/app/orders/run.py", line 12, in run',
    "    pool.call(order)",
    "PoolError: closed",
  ]);
});

test("of the frames below a thrown error the first of the project is told", () => {
  const trace = [
    "TypeError: x is not a function",
    "    at Module.load (/app/node_modules/loader/index.js:3:4)",
    "    at run (/app/src/run.js:3:4)",
    "    at main (/app/src/main.js:9:1)",
  ];
  expect(loud(trace.join("\n"))).toEqual([trace[0], trace[2]]);
});

test("warnings of libraries, with their source, and progress meters say little", () => {
  const text = [
    "/usr/lib/python3/site-packages/torch/_utils.py:831: UserWarning: TypedStorage is deprecated.",
    "  return self.fget.__get__(instance, owner)()",
    "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current",
    "                                 Dload  Upload   Total   Spent    Left  Speed",
    "100  1256  100  1256    0     0  24153      0 --:--:-- --:--:-- --:--:-- 24153",
    "Downloading ━━━━━━━━━━━━━━━━━━━━ 12/80 MB",
    "/app/run.py:12: UserWarning: no such model",
    "done",
  ];
  expect(loud(text.join("\n"))).toEqual(["/app/run.py:12: UserWarning: no such model", "done"]);
});

test("what is said around a traceback goes before its frames", () => {
  const said = (what: string): readonly string[] =>
    Array.from({ length: 8 }, (_, index) => `${what} the agents talked about step ${index} and its plan.`);
  const text = [
    ...said("Before"),
    "Traceback (most recent call last):",
    ...library(20),
    "PoolError: closed",
    ...said("After"),
  ];
  const fitted = fitText(text.join("\n"), 400, context);
  expect(fitted).toContain("PoolError: closed");
  for (const line of [...said("Before"), ...said("After")]) expect(fitted).toContain(line);
  expect(fitted.match(/site-packages/g)).toHaveLength(1);
});

test.each([
  "ERROR: upload failed [=========>          ] connection reset by peer",
  "━━━━━━━━ ERROR: migration 0042 failed, database left dirty ━━━━━━━━",
  "Epoch 1:  50%|█████████▌       | 5/10 [00:01<00:01] RuntimeError: CUDA out of memory",
  "Upload failed 50% ━━━━━━━━━━━━ 5/10 MB",
  " 10  5  2024 backup incomplete 0:00:24  7",
  "src/x.ts:3:5 lint/suspicious/noExplicitAny ━━━━━━━━━━━━━━━━━━━━",
  "[==========] 3 tests from 1 test suite ran. (12 ms total)",
  "/usr/lib/python3/site-packages/x.py:3: UserWarning: upload failed, ERROR 7",
])("what stands beside a bar or after a warning's place may be news: %s", (line) => {
  expect(loud(line)).toEqual([line]);
});

test.each([
  "Epoch 1:  50%|█████████▌       | 5/10 [00:01<00:01,  3.20it/s, loss=1e-4]",
  "     ━━━━━━━━━━━━━━━━━━━━━━━━ 12.3/45.6 MB 5.2 MB/s eta 0:00:01",
  "model.zip   50%[=========>          ]  12.30M  5.2MB/s    eta 2s",
  "f3a1: Downloading [====>              ]  12.5MB/80MB",
])("a meter is noise with its label and its measures: %s", (line) => {
  expect(loud(line)).toEqual([]);
});

test("below a warning only its source goes, not what else is indented", () => {
  const warning = "/usr/lib/python3/site-packages/x.py:3: UserWarning: foo";
  const error = "    ERROR: could not connect to database db7";
  expect(loud(`${warning}\n${error}`)).toEqual([error]);
  expect(loud(`${warning}\n  the cache is cold`)).toEqual(["  the cache is cold"]);
  expect(loud(`${warning}\n  warnings.warn(text)`)).toEqual([]);
});

test("places that say what is wrong there are no stack", () => {
  const placed = [
    'File "a.py", line 10: SyntaxError: unexpected indent',
    'File "b.py", line 11: SyntaxError: undefined name x',
    'File "c.py", line 12: NameError: undefined name y',
  ];
  expect(loud(placed.join("\n"))).toEqual(placed);
  const listed = [
    "  at db1: error, code:7",
    "  at db2: fatal error, code:8",
    "  at db3 (disk full)",
    "  at db4: slow (code:9)",
    "  at 10:30:12",
    "  at 11:45:10",
  ];
  expect(loud(listed.join("\n"))).toEqual(listed);
});

test("frames of other runtimes are a stack", () => {
  const trace = [
    "java.lang.IllegalStateException: closed",
    "    at java.base/java.lang.Thread.sleep(Native Method)",
    "    at org.acme.Orders.handleError(Orders.java:12)",
    "    at org.acme.Main.main(Main.java:3)",
    "    at Promise.all (index 0)",
    "    at async file:///app/src/run.mjs:3:4",
    "    at new Promise (<anonymous>)",
  ];
  expect(loud(trace.join("\n"))).toEqual([trace[0], trace[2]]);
});

test("a program's error among the frames of a traceback stays", () => {
  const trace = [
    "Traceback (most recent call last):",
    ...library(1),
    "    ERROR: the pool lost db7",
    ...library(1),
    "PoolError: closed",
  ];
  expect(loud(trace.join("\n"))).toContain("    ERROR: the pool lost db7");
});
