import { expect, test } from "vitest";
import type { Retention } from "../policy/policy.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { tailStart } from "./tail.ts";

const counter = createTokenCounter();

/** A step of an agent: it runs something, and the answer is a hundred tokens or so. */
const run = (command: string, answer = "ok") => [
  assistant("", call("Bash", { command })),
  result(`${answer}\n${"line of output\n".repeat(30)}`),
];
const work = (steps: number) =>
  Array.from({ length: steps }, (_, step) => run(`cat notes-${step}.md`)).flat();

interface Wish extends Partial<Retention> {
  readonly ceilingTokens?: number;
}

function cut(told: readonly WireMessage[], { ceilingTokens = 100_000, ...wish }: Wish): number {
  const retention = { messages: 0, turns: 0, ceiling: 1, ...wish };
  const size = { budgetTokens: 0, ceilingTokens, messageCapTokens: 100_000 };
  return tailStart(conversation(...told).messages, { retention, ...size, counter });
}

const stepTokens = counter.conversation(conversation(...run("cat notes-0.md")));
const steps = (count: number) => Math.floor((count - 0.5) * stepTokens);

test("[F61] without a tolerance the cut is where the wishes put it", () => {
  const told = [user("go"), ...work(4), ...run("git commit -m parser"), ...work(6)];
  expect(cut(told, { tokens: steps(7) })).toBe(9);
});

test("[F61] the tail starts after a commit, a ticked-off step or passing tests, a little later or earlier than wanted", () => {
  const ticked = [
    assistant("", call("TodoWrite", { todos: [{ content: "parser", status: "completed" }] })),
    result("ok"),
  ];
  for (const end of [run("git commit -m parser"), ticked, run("npm test", "12 passed")]) {
    const told = [user("go"), ...work(4), ...end, ...work(6)];
    for (const wanted of [5, 6, 7]) expect(cut(told, { tokens: steps(wanted), tolerance: 0.25 })).toBe(11);
    expect(cut(told, { tokens: steps(4), tolerance: 0.25 })).toBe(told.length - 8);
  }
});

test("[F61] a commit or a test run that failed ends nothing: it is what is being worked on", () => {
  for (const command of ["git commit -m parser", "npm test"]) {
    const failed = run(command, "Exit code 1\nerror: hook declined");
    const told = [user("go"), ...work(4), ...failed, ...work(6)];
    expect(cut(told, { tokens: steps(6), tolerance: 0.25 })).toBe(9);
    expect(cut(told, { tokens: steps(5), tolerance: 0.01 })).toBe(told.length - 10);
  }
});

test("[F61] where the assistant says that something is done, the next piece of work starts", () => {
  const next = [
    assistant("The parser is fixed. On to the writer.", call("Bash", { command: "ls" })),
    result("a"),
  ];
  const told = [user("go"), ...work(5), ...next, ...work(6)];
  expect(cut(told, { tokens: steps(6), tolerance: 0.25 })).toBe(11);
});

test("[F61] a person who turns to something else is the clearest boundary", () => {
  const asks = (second: string) => [
    user("Fix the parser of the configuration file."),
    ...work(3),
    assistant("The configuration parser is fixed."),
    user(second),
    ...work(1),
    assistant("Looked."),
    user("Is our French release announcement polite?"),
    ...work(3),
  ];
  const other = asks("Translate our release announcement, polite French please");
  const same = asks("Does the parser of the configuration file work?");
  const tolerance = 0.7;
  expect(cut(other, { tokens: steps(3), tolerance })).toBe(8);
  expect(cut(same, { tokens: steps(3), tolerance })).toBe(12);
});

test("[F61] the test that is being fixed stays with its failure, as far as it can be afforded", () => {
  const failing = run("npm test", "Exit code 1\nFAIL src/parser.test.ts > reads comments");
  const told = [user("go"), ...work(4), ...failing, ...work(4)];
  const wish = { tokens: steps(3), tolerance: 0.5 };
  expect(cut(told, wish)).toBe(9);
  expect(cut(told, { ...wish, ceilingTokens: steps(4) })).toBe(told.length - 6);
  const passing = [...told.slice(0, -2), ...run("npm test", "12 passed")];
  expect(cut(passing, wish)).not.toBe(9);
});

test("[F61] the more is open, the further back the step under way may start", () => {
  const plan = (open: number) => [
    assistant(
      "",
      call("TodoWrite", {
        todos: [
          { content: "write the parser", status: "in_progress" },
          ...Array.from({ length: open }, (_, at) => ({ content: `then ${at}`, status: "pending" })),
        ],
      }),
    ),
    result("ok"),
  ];
  const told = (open: number) => [user("go"), ...work(4), ...plan(open), ...work(6)];
  const wish = { tokens: steps(4), tolerance: 0.25 };
  expect(cut(told(0), wish)).toBe(told(0).length - 8);
  expect(cut(told(2), wish)).toBe(9);
});

test("[F61] never later than the messages that the policy keeps, and never past the failure that is being fixed", () => {
  const done = run("git commit -m parser");
  const told = [user("go"), ...work(6), ...done, ...work(3)];
  expect(cut(told, { messages: 8, tolerance: 0.25 })).toBe(told.length - 8);
  const failing = run("make", "make: *** [all] Error 2");
  const broken = [user("go"), ...work(6), ...failing, ...done, ...work(4)];
  expect(cut(broken, { messages: 0, tokens: steps(6), tolerance: 0.25 })).toBe(13);
});
