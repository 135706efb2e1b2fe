/** The forty from end to end, on a made-up recording in a folder of its own. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { verbs } from "./verbs.ts";

const execute = promisify(execFile);

const messages = Array.from({ length: 60 }, (_, at) => [
  { role: "user", content: `Please read report ${at}.` },
  {
    role: "assistant",
    content: `I open report ${at}.`,
    tool_calls: [
      {
        id: `call-${at}`,
        type: "function",
        function: { name: "read", arguments: `{"path":"reports/${at}.md"}` },
      },
    ],
  },
  {
    role: "tool",
    tool_call_id: `call-${at}`,
    content: Array.from({ length: 50 }, (_, line) => `Shop ${at}-${line} sold ${line * 13 + at} lamps.`).join(
      "\n",
    ),
  },
  { role: "assistant", content: `Report ${at} is about ${at * 17} lamps.` },
]).flat();

const cases = [
  { id: "lamps", group: "made up", file: "talks.jsonl", conversation: "lamps", cut: 1 / 4, questions: [] },
];

test("from a recording to a table: the beginning can be opened after forty compactions", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pith-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const questions = join(folder, "questions");
  mkdirSync(questions);
  writeFileSync(join(folder, "talks.jsonl"), JSON.stringify({ id: "lamps", messages }));
  const asked = [{ id: "1", question: "What did shop 3-7 sell?", answer: "94 lamps" }];
  writeFileSync(join(questions, "lamps.json"), JSON.stringify({ recording: "lamps", questions: asked }));
  const out = join(folder, "out");
  const forty = async (verb: string, ...rest: readonly string[]) =>
    (await verbs[verb]!({ questions, data: folder, cases }, out, rest)).join("\n");

  await forty("first");
  const first = readFileSync(join(out, "first/lamps.md"), "utf8");
  expect(first).toContain("Report 14 is about 238 lamps.");
  expect(first).not.toContain("Please read report 15.");
  expect(await forty("contexts")).toMatch(/^lamps: 40 compactions, \d+ tokens said, \d+ left/);
  expect(await forty("papers", "1")).toBe("reader 1: lamps");
  const paper = readFileSync(join(out, "reader-1/exam.md"), "utf8");
  expect(paper).toContain("1. What did shop 3-7 sell?");
  expect(paper).not.toMatch(/Shop 3-7 sold|Going on/);

  // As a reader does it: by the commands of the paper, first which turns there are, then one of them.
  const id = /All of it in full: (pith:\w+)/.exec(paper)![1]!;
  const [program, archive] = [join(out, "pith"), join(out, "lamps/archive.sqlite")];
  expect(paper).toContain(
    `${program} recall "a question or words" --archive ${archive} --conversation lamps`,
  );
  const open = async (name: string) => {
    const flags = ["--max-tokens", "3000", "--archive", archive];
    return (await execute(program, ["recall", "--expand", name, ...flags])).stdout;
  };
  const turn = /^#(\d+) Please read report 3\./m.exec(await open(id))![1];
  expect(await open(`${id}#${turn}`)).toContain("Shop 3-7 sold 94 lamps.");

  const answers = [{ case: "lamps", answers: ["94 lamps"], opened: [1] }];
  writeFileSync(join(out, "reader-1/answers.json"), JSON.stringify(answers));
  expect(await forty("sheets")).toBe("1 items on 1 sheets");
  expect(readFileSync(join(out, "sheet-lamps.md"), "utf8")).toContain(
    "Expected: 94 lamps\n- [lamps.1.1] 94 lamps",
  );
  writeFileSync(join(out, "marks.json"), '{"lamps.1.1": 1}');
  expect(await forty("table")).toMatch(/\| made up +\| 100\.0/);
  writeFileSync(join(questions, "other.json"), JSON.stringify({ recording: "other", questions: asked }));
  await expect(forty("papers", "1")).rejects.toThrow("asks about other; it is one of lamps.");
});
