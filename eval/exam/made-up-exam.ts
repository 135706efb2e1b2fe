/** A small exam for tests: a coding session with a recorded summary, and a team of agents, with two questions each. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes recordings and questions into a folder. */
export function writeMadeUpExam(folder: string): void {
  const exam = join(folder, "exam");
  mkdirSync(exam, { recursive: true });
  const recordings = [
    {
      id: "session",
      messages: [...session(), { role: "user", content: summaryText, summary: true }, ...afterwards],
    },
    { id: "team", messages: team },
  ];
  writeFileSync(join(folder, "talks.jsonl"), recordings.map((line) => JSON.stringify(line)).join("\n"));
  const cases = [
    { id: "code", group: "coding", file: "talks.jsonl", conversation: "session", at: session().length },
    { id: "team", group: "others", file: "talks.jsonl", conversation: "team", cut: 0.75, ratio: 0.6 },
  ];
  writeFileSync(join(exam, "cases.json"), JSON.stringify(cases));
  for (const { id } of cases) writeFileSync(join(exam, `${id}.json`), JSON.stringify(questions));
}

const questions = [
  { kind: "intent", question: "What was asked?", gold: "To change the port.", evidence: "port" },
  { kind: "next", question: "What comes next?", gold: "The tests.", evidence: "tests" },
];

const summaryText = `This session is being continued. ${"The port was changed in src/server.ts. ".repeat(30)}`;

function session(): readonly Record<string, unknown>[] {
  const reads = Array.from({ length: 12 }, (_, order) => [
    {
      role: "assistant",
      content: `I look at file ${order}.`,
      tool_calls: [
        {
          id: `call-${order}`,
          type: "function",
          function: { name: "read", arguments: `{"path":"src/file-${order}.ts"}` },
        },
      ],
    },
    { role: "tool", tool_call_id: `call-${order}`, content: `const value${order} = ${order};\n`.repeat(40) },
  ]);
  return [{ role: "user", content: "Change the port to 8081, and never touch the tests." }, ...reads.flat()];
}

const afterwards = [
  { role: "assistant", content: "The port is changed. I run the tests now." },
  { role: "user", content: "Thank you." },
];

const team = [
  { role: "human", content: "Which river is the longest?" },
  ...Array.from({ length: 11 }, (_, order) => ({
    role: order % 2 === 0 ? "Planner" : "Searcher",
    content: `Page ${order} says that river ${order} has ${4000 + order} km. ${"It is a long page. ".repeat(20)}`,
  })),
];
