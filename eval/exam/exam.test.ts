/** The exam from end to end, on a small one in a folder of its own. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { jsonIn } from "./ask.ts";
import { readLines } from "./exam.ts";
import { writeMadeUpExam } from "./made-up-exam.ts";
import type { KeyLine } from "./papers.ts";
import { type ExamOptions, verbs } from "./verbs.ts";

interface Place {
  readonly folder: string;
  readonly out: string;
  readonly exam: (verb: string, ...rest: readonly string[]) => Promise<string>;
}

function begin(options: Partial<ExamOptions> = {}): Place {
  const folder = mkdtempSync(join(tmpdir(), "pith-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeMadeUpExam(folder);
  return { folder, out: join(folder, "out"), exam: examIn(folder, options) };
}

function examIn(folder: string, options: Partial<ExamOptions>): Place["exam"] {
  return async (verb, place, ...rest) => {
    const told = await verbs[verb]!({ exam: join(folder, "exam"), data: folder, ...options }, place!, rest);
    expect(told.failures ?? []).toEqual([]);
    return told.lines.join("\n");
  };
}

/** Two strategies besides the recorded summary: Pith, and one that says nothing but the first ask. */
async function compact({ folder, out, exam }: Place): Promise<void> {
  const jobs = join(folder, "jobs.jsonl");
  await exam("jobs", jobs);
  const results = readLines<{ id: string; messages: readonly unknown[] }>(jobs).map(({ id, messages }) =>
    JSON.stringify({ id, messages: messages.slice(0, 1) }),
  );
  writeFileSync(join(folder, "ask.jsonl"), results.join("\n"));
  await exam("compact", out, `ask=${join(folder, "ask.jsonl")}`);
}

test("from recordings to tables, with the figures that the marks add up to", async () => {
  const place = begin();
  const { out, exam } = place;
  await compact(place);
  expect(await exam("papers", out, "3")).toBe("3 papers of 2 cases");
  const key = readLines<KeyLine>(join(out, "key.jsonl"));
  const read = (id: string) => key.filter((line) => line.case === id).map(({ strategy }) => strategy);
  expect(read("code").toSorted()).toEqual(["ask", "pith", "summary"]);
  expect(new Set(read("team"))).toEqual(new Set(["ask", "pith"]));

  for (const reader of [1, 2, 3]) {
    const paper = readFileSync(join(out, `reader-${reader}/exam.md`), "utf8");
    expect(paper.match(/<context>\n/g)).toHaveLength(2);
    expect(paper).not.toMatch(/\b(?:gold|To change the port\.)/);
    const answers = ["code", "team"].map((id) => ({
      case: id,
      answers: [`the port, says ${reader}`, "UNKNOWN"],
      done: ["the port"],
      actions: ["run the tests"],
      rating: reader,
      why: "so",
    }));
    writeFileSync(join(out, `reader-${reader}/answers.json`), JSON.stringify(answers));
  }
  expect(await exam("sheets", out)).toBe("18 items on 2 sheets");
  const sheet = readFileSync(join(out, "sheet-code.md"), "utf8");
  expect(sheet).toContain("Expected: To change the port.");
  expect(sheet).toContain("- [code.1.3] the port, says 3");
  expect(sheet).toMatch(/<future>\n### assistant\nThe port is changed\. I run the tests now\./);
  expect(sheet).not.toMatch(/\b(?:pith|summary)\b/);

  const marks = key.flatMap(({ case: id, reader, strategy }) => [
    [`${id}.1.${reader}`, strategy === "pith" ? 1 : 0.5],
    [`${id}.2.${reader}`, 0],
    [`${id}.go.${reader}`, { again: strategy === "ask" ? 2 : 0, contradicts: 1, quotes: ["…"] }],
  ]);
  writeFileSync(join(out, "marks.json"), JSON.stringify(Object.fromEntries(marks)));
  const table = (await exam("table", out)).replace(/ +/g, " ");
  expect(table).toContain("| right, % | ask | pith | summary |");
  expect(table).toContain("| coding | 25.0 (25–25) | 50.0 (50–50) | 25.0 (25–25) |");
  expect(table).toContain("| others | 25.0 (25–25) | 50.0 (50–50) | – |");
  expect(table).toContain("| coding: done again | 2.00 (2) | 0.00 (0) | 0.00 (0) |");
  expect(table).toContain("| coding: against the record | 1.00 (1) | 1.00 (1) | 1.00 (1) |");
  expect(table).toContain("| intent | 50.0 | 100.0 | 50.0 |");
  expect(table).not.toContain("not marked");
});

test("results over the target are left out, and a ratio or the preset's own threshold change what is compacted", async () => {
  const { folder, out, exam } = begin();
  const whole = join(folder, "whole.jsonl");
  await exam("jobs", whole);
  expect(await exam("compact", out, `whole=${whole}`)).toMatch(
    /whole: \d+ tokens, over the target: not in the exam/,
  );
  const tenth = await examIn(folder, { ratio: 0.1, cases: ["code"] })("compact", out);
  expect(tenth).not.toMatch(/team|summary/);
  const byPreset = examIn(folder, { presetThreshold: true });
  await byPreset("jobs", whole);
  for (const job of readLines<object>(whole)) expect(job).not.toHaveProperty("targetTokens");
  const preset = await byPreset("compact", out);
  const [past, left] = [/past (\d+)/, /pith: (\d+)/].map((pattern) => Number(pattern.exec(preset)?.[1]));
  expect(left!).toBeLessThan(past! / 2);
});

test("answers stay with their paper, and marks that are none are refused by their item", async () => {
  const place = begin();
  const { out, exam } = place;
  await compact(place);
  await exam("papers", out, "1");
  writeFileSync(join(out, "reader-1/answers.json"), "[]");
  await exam("papers", out, "1");
  await examIn(place.folder, { ratio: 0.5 })("compact", out);
  await expect(exam("papers", out, "1")).rejects.toThrow("has answers to another paper");
  writeFileSync(join(out, "marks.json"), '{"code.1.1": 3}');
  await expect(exam("table", out)).rejects.toThrow("code.1.1 is marked 3");
});

test("readers and the marker are asked where the environment names an endpoint, and only for what is missing", async () => {
  const prompts: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const prompt: string = JSON.parse(body).messages[0].content;
    prompts.push(prompt);
    const items = [...new Set(prompt.match(/(?:code|team)\.(?:\d|go)\.\d/g))];
    const reply = prompt.startsWith("You sit an exam")
      ? { answers: ["the port", "the tests"], done: [], actions: ["run them"], rating: 4, why: "so" }
      : Object.fromEntries(
          items.map((item) => [item, item.includes("go") ? { again: 0, contradicts: 0 } : 1]),
        );
    const content = `Here it is:\n\`\`\`json\n${JSON.stringify(reply)}\n\`\`\``;
    response.setHeader("content-type", "application/json");
    response.end(
      request.url === "/v1/messages"
        ? JSON.stringify({ content: [{ type: "text", text: content }], stop_reason: "end_turn" })
        : JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = {
    PITH_READER_URL: `${url}/v1`,
    PITH_READER_MODEL: "reader",
    PITH_MARKER_URL: url,
    PITH_MARKER_MODEL: "marker",
    PITH_MARKER_API: "anthropic",
  };
  const place = begin({ environment });
  const { out, exam } = place;
  await compact(place);
  await exam("papers", out, "2");
  await exam("papers", out, "2");
  expect(prompts).toHaveLength(4);
  await exam("sheets", out);
  await exam("sheets", out);
  expect(prompts).toHaveLength(6);
  expect(await exam("table", out)).toMatch(/coding .* 100\.0/);
});

test("the JSON of a reply is found between sentences and in a fence", () => {
  expect(jsonIn('Sure:\n```json\n{"a": [1]}\n```\nDone.')).toEqual({ a: [1] });
  expect(() => jsonIn("I cannot.")).toThrow("holds no JSON");
});

test("the program takes a verb and options, and tells how it is used when it gets none", async () => {
  const { folder } = begin();
  const run = (...parameters: readonly string[]) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, "run.ts"), ...parameters]);
  const { stdout } = await run(
    "jobs",
    join(folder, "jobs.jsonl"),
    "--exam",
    join(folder, "exam"),
    "--data",
    folder,
  );
  expect(stdout).toBe("2 jobs\n");
  await expect(run("jobs")).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("Usage:") });
});
