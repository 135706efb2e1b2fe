import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SHAPE_NOTE } from "../conversation/shape-note.ts";
import type { ToolOutput } from "../conversation/tool-output.ts";
import type { ShapeContext } from "./shape.ts";
import { shapeToolResult } from "./shape-tool-result.ts";

/** Counts four characters as one token. */
const context: ShapeContext = {
  counter: {
    encoding: "chars/4",
    exact: false,
    text: (text) => Math.ceil(text.length / 4),
    message: () => 0,
    tools: () => 0,
    conversation: () => 0,
  },
  handle: "pith:3f9c2a1b",
};

function output(text: string, toolName = "Bash", toolArguments: unknown = {}, isError = false): ToolOutput {
  return { text, toolName, toolArguments: JSON.stringify(toolArguments), isError };
}

/** `count` lines, the planted one at the given share of the way. */
function plantedLines(count: number, at: number, planted: string, line: (index: number) => string): string {
  const lines = Array.from({ length: count }, (_, index) => line(index));
  lines.splice(Math.floor(at * count), 0, planted);
  return lines.join("\n");
}

/** An output of each line-based kind with one line planted in it. */
const LINE_KINDS: Readonly<Record<string, (at: number, planted: string) => ToolOutput>> = {
  log: (at, planted) =>
    output(
      plantedLines(
        900,
        at,
        planted,
        (index) => `2026-01-02 10:00:00 INFO served request ${index} in ${index % 17} ms`,
      ),
      "Bash",
      { command: "docker logs app" },
    ),
  "test-run": (at, planted) =>
    output(
      `${plantedLines(900, at, planted, (index) => `--- PASS: TestCase${index} (0.0${index % 9}s)`)}\nok  \tapp\t1.2s`,
      "Bash",
      { command: "go test -v ./..." },
    ),
  "file-read": (at, planted) =>
    output(
      plantedLines(900, at, planted, (index) =>
        index % 30 === 0 ? `function part${index}() {` : `  call(${index});`,
      ),
      "Read",
      { file_path: "src/app.ts" },
    ),
  "grep-results": (at, planted) =>
    output(
      plantedLines(
        900,
        at,
        planted,
        (index) => `src/file${index % 40}.ts:${index}: const value${index} = 1;`,
      ),
      "Grep",
      { pattern: "value" },
    ),
  diff: (at, planted) =>
    output(
      `diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,900 +1,900 @@\n${plantedLines(
        900,
        at,
        planted,
        (index) => (index % 3 === 0 ? `+const added${index} = 1;` : ` const same${index} = 1;`),
      )}`,
      "Bash",
      { command: "git diff" },
    ),
  "directory-listing": (at, planted) =>
    output(
      plantedLines(900, at, planted, (index) => `./src/folder${index % 12}/file${index}.ts`),
      "Bash",
      { command: "find . -type f" },
    ),
  yaml: (at, planted) =>
    output(
      `items:\n${plantedLines(900, at, planted, (index) => (index % 3 === 0 ? `  - name: item${index}` : `    key${index}: value`))}`,
      "get_manifest",
    ),
  text: (at, planted) =>
    output(
      plantedLines(900, at, planted, (index) => `This is sentence number ${index} of a long report.`),
      "ask_someone",
    ),
  html: (at, planted) =>
    output(
      `<html><head><title>A page</title></head><body>${plantedLines(900, at, `<p>${planted}</p>`, (index) => `<p class="x">Paragraph ${index} of the page.</p>`)}</body></html>`,
      "WebFetch",
    ),
};

interface Row {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly amount: number;
}

/** Unremarkable rows; `planted` replaces the one at the given share of the way. */
function rowsWith(count: number, at: number, planted: Partial<Row>): readonly Row[] {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: index,
    name: `customer ${index}`,
    state: index % 3 === 0 ? "open" : "paid",
    amount: 100 + (index % 40),
  }));
  const place = Math.min(count - 1, Math.floor(at * count));
  rows[place] = { ...rows[place]!, ...planted };
  return rows;
}

/** The same rows as each kind of tool would give them. */
const ROW_KINDS: Readonly<Record<string, (rows: readonly Row[]) => ToolOutput>> = {
  json: (rows) => output(JSON.stringify({ total: rows.length, rows }, null, 2), "load_rows"),
  "api-response": (rows) =>
    output(JSON.stringify({ status: "ok", request_id: "r-1", data: rows }), "http_get"),
  "database-rows": (rows) =>
    output(
      ` id | name | state | amount\n----+------+-------+--------\n${rows
        .map((row) => ` ${row.id} | ${row.name} | ${row.state} | ${row.amount}`)
        .join("\n")}\n(${rows.length} rows)`,
      "run_query",
      { sql: "select * from customers" },
    ),
  csv: (rows) =>
    output(
      `id,name,state,amount\n${rows.map((row) => `${row.id},${row.name},${row.state},${row.amount}`).join("\n")}`,
      "export_rows",
    ),
};

// Whole numbers: doubles crowd near zero, and everything would be planted in the first line.
const share = fc.integer({ min: 0, max: 999 }).map((thousandth) => thousandth / 1_000);
const word = fc.stringMatching(/^[a-z]{6,12}$/);

/** Words that a planted line can have, so that it looks like no other. */
const FAILURES = [
  (name: string) => `ERROR: could not open ${name}`,
  (name: string) => `TypeError: ${name} is not a function`,
  (name: string) => `Traceback (most recent call last): ${name}`,
  (name: string) => `fatal: ${name} is no repository`,
];

describe.each(Object.keys(LINE_KINDS))("%s", (kind) => {
  test("[F31] is recognised, gets shorter, and says in its last line what is shown and how to get the rest", () => {
    const shaped = shapeToolResult(LINE_KINDS[kind]!(0.5, "plain words"), context)!;
    expect(shaped.kind).toBe(kind);
    const note = SHAPE_NOTE.exec(shaped.text.split("\n").at(-1)!)!;
    expect(note[1]).toBe(kind);
    expect(note[2]).toMatch(/^[\d,]+ of [\d,]+ /);
    expect(note[4]).toBe("pith:3f9c2a1b");
  });

  test("[R40] an error line never disappears, wherever it stands", () => {
    fc.assert(
      fc.property(share, word, fc.constantFrom(...FAILURES), (at, name, write) => {
        const original = LINE_KINDS[kind]!(at, write(name));
        expect((shapeToolResult(original, context) ?? original).text).toContain(write(name));
      }),
      { numRuns: 40 },
    );
  });

  test("[F31] shaping what was shaped changes nothing", () => {
    const original = LINE_KINDS[kind]!(0.3, "ERROR: kept");
    const shaped = shapeToolResult(original, context)!;
    expect(shapeToolResult({ ...original, text: shaped.text }, context)).toBeUndefined();
  });

  test("keeps whole lines of the source, in order", () => {
    const original = LINE_KINDS[kind]!(0.6, "ERROR: kept");
    const source = kind === "html" ? original.text.replace(/<[^>]+>/g, "\n") : original.text;
    const lines = source.split("\n");
    let from = 0;
    for (const line of shapeToolResult(original, context)!.text.split("\n").slice(0, -1)) {
      if (/^\s*\[… .* …\]$/.test(line) || line === "") continue;
      from = lines.indexOf(kind === "html" ? line.replace(/^#+ /, "") : line, from) + 1;
      expect(from, line).toBeGreaterThan(0);
    }
  });
});

describe.each(Object.keys(ROW_KINDS))("%s", (kind) => {
  test("[F34] more than 100 rows become a row count, sample rows and the outliers", () => {
    const shaped = shapeToolResult(ROW_KINDS[kind]!(rowsWith(500, 0.5, {})), context)!;
    expect(shaped.kind).toBe(kind);
    expect(shaped.text).toMatch(/of 500 (?:rows|records) shown/);
    expect(shaped.text).toContain("customer 0");
    expect(shaped.text).toContain("customer 499");
    expect(shaped.text.length).toBeLessThan(8_500);
  });

  test("[R40] an outlier record never disappears, wherever it stands", () => {
    const odd = fc.constantFrom(
      { amount: 98_765 },
      { amount: -4_321 },
      { state: "FAILED" },
      { state: "refund" },
    );
    fc.assert(
      fc.property(share, odd, fc.integer({ min: 150, max: 600 }), (at, planted, count) => {
        const rows = rowsWith(count, at, planted);
        const shaped = shapeToolResult(ROW_KINDS[kind]!(rows), context)!;
        expect(shaped.text).toContain(String(Object.values(planted)[0]));
      }),
      { numRuns: 40 },
    );
  });
});

test("[R40] an error never disappears from search results or JSON, whatever key or place it stands under", () => {
  const hit = (index: number) => ({
    title: `t${index}`,
    url: `https://e.org/${index}`,
    snippet: "words ".repeat(20),
  });
  const hits = Array.from({ length: 120 }, (_, index) => hit(index));
  const prose = (planted: string, at: number): string =>
    plantedLines(400, at, planted, (index) => `Sentence ${index} about it, told at length.`);
  const records = Array.from({ length: 300 }, (_, index) => ({ id: index, text: "w".repeat(20) }));
  const wide = (value: string) =>
    Object.fromEntries(Array.from({ length: 90 }, (_, key) => [`k${key}`, key === 85 ? value : "v"]));
  const places: readonly ((planted: string, at: number) => ToolOutput)[] = [
    (planted, at) => output(`Web search results for query: "x"\n${prose(planted, at)}`, "WebSearch"),
    (planted, at) => output(`<html><body>${prose(`<p>${planted}</p>`, at)}</body></html>`, "WebSearch"),
    (planted, at) =>
      output(JSON.stringify(hits.with(Math.floor(at * 120), { ...hit(0), snippet: planted })), "WebSearch"),
    (planted) => output(JSON.stringify({ problem: planted, results: hits }), "WebSearch"),
    (planted) =>
      output(JSON.stringify({ status: 500, headers: { "x-a": planted }, data: records }), "http_get"),
    (planted, at) =>
      output(
        JSON.stringify(
          records.map((record, index) => (index === Math.floor(at * 300) ? wide(planted) : record)),
        ),
        "load",
      ),
  ];
  fc.assert(
    fc.property(
      share,
      word,
      fc.constantFrom(...FAILURES),
      fc.constantFrom(...places),
      (at, name, write, place) => {
        const original = place(write(name), at);
        const shaped = shapeToolResult(original, context);
        expect(shaped).toBeDefined();
        expect(shaped!.text).toContain(write(name));
      },
    ),
    { numRuns: 120 },
  );
});

test("[R40] every failing test keeps its name, and its assertion where there is room", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 799 }), { minLength: 1, maxLength: 30 }),
      (failing) => {
        const failed = new Set(failing);
        const lines = Array.from({ length: 800 }, (_, index) =>
          failed.has(index)
            ? `--- FAIL: TestCase${index} (0.01s)\n    case_test.go:${index}: got ${index}, want 0`
            : `--- PASS: TestCase${index} (0.01s)`,
        );
        const run = output(`${lines.join("\n")}\nFAIL\nexit status 1\nFAIL\tapp\t3.1s`, "Bash", {
          command: "go test -v",
        });
        const { kind, text } = shapeToolResult(run, context)!;
        expect(kind).toBe("test-run");
        for (const index of failing) expect(text).toContain(`--- FAIL: TestCase${index} (0.01s)`);
        expect(text).toContain(`case_test.go:${failing[0]}: got ${failing[0]}, want 0`);
        expect(text).toContain("exit status 1");
        expect(text).toMatch(/\d+ (?:of them|lines, all) passing/);
      },
    ),
    { numRuns: 30 },
  );
});

test("[R40] a non-zero exit in the header of a shell tool stays", () => {
  const body = Array.from({ length: 600 }, (_, index) => `building part ${index}`).join("\n");
  const text = `Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 2\nOriginal token count: 9\nOutput:\n${body}`;
  expect(shapeToolResult(output(text, "exec_command", { cmd: "make" }), context)!.text).toContain(
    "Process exited with code 2",
  );
});

test("[F36] a tool error stays in full, however long it is", () => {
  const text = "Error: it broke\n".repeat(40_000);
  expect(shapeToolResult(output(text, "Bash", {}, true), context)).toBeUndefined();
  expect(
    shapeToolResult(output(`<tool_use_error>${"x ".repeat(2_000)}</tool_use_error>`), context),
  ).toBeUndefined();
});

test("[F36] a result under 200 tokens stays", () => {
  const text = "--- PASS: TestA (0.0s)\n".repeat(33);
  const command = { command: "go test -v" };
  expect(context.counter.text(text)).toBeLessThan(200);
  expect(shapeToolResult(output(text, "Bash", command), context)).toBeUndefined();
  expect(shapeToolResult(output(text.repeat(4), "Bash", command), context)).toBeDefined();
});

test("[F36] JSON under 500 tokens stays, even where its white space alone could go", () => {
  const small = JSON.stringify(rowsWith(11, 0, {}), null, 6);
  const larger = JSON.stringify(rowsWith(22, 0, {}), null, 6);
  expect(context.counter.text(small)).toBeGreaterThan(200);
  expect(context.counter.text(small)).toBeLessThan(500);
  expect(shapeToolResult(output(small, "load_rows"), context)).toBeUndefined();
  expect(shapeToolResult(output(larger, "load_rows"), context)).toBeDefined();
});

test("a form that would not be a fifth smaller is refused", () => {
  // Every error differs in its words, so all must stay, and only the few lines between could go.
  const wordFor = (index: number): string =>
    index.toString(26).replace(/[0-9]/g, (digit) => "qrstuvwxyz"[Number(digit)]!);
  const lines = Array.from(
    { length: 300 },
    (_, index) => `ERROR: ${wordFor(index)} ${"broke in many ways ".repeat(4)}`,
  );
  const text = [...lines, ...Array.from({ length: 60 }, (_, index) => `a plain line ${index}`)].join("\n");
  expect(text.length).toBeGreaterThan(20_000);
  expect(shapeToolResult(output(text, "Bash", { command: "make" }), context)).toBeUndefined();
});

test("[R40] every failing test keeps its name in a log that is no test run, and other errors are counted", () => {
  const lines = Array.from({ length: 900 }, (_, index) => `2026-01-02 10:00:00 INFO served request ${index}`);
  for (let index = 0; index < 900; index += 15) lines[index] = `--- FAIL: TestCase${index} (0.01s)`;
  for (let index = 7; index < 900; index += 15) lines[index] = `ERROR order ${index} was rejected`;
  const { kind, text } = shapeToolResult(
    output(lines.join("\n"), "Bash", { command: "docker logs ci" }),
    context,
  )!;
  expect(kind).toBe("log");
  for (let index = 0; index < 900; index += 15) expect(text).toContain(`--- FAIL: TestCase${index} (`);
  expect(text).toMatch(/\d+ of them errors like those shown/);
});

test("[R40] a failure that an unknown tool tells in plain words stays", () => {
  const lines = Array.from({ length: 900 }, (_, index) => `plain words of row ${index} here`);
  lines[450] = "the step Failed to connect to db7";
  expect(shapeToolResult(output(lines.join("\n"), "unknown_tool"), context)!.text).toContain(lines[450]);
});

test("[R42] without a handle the note says how to get the rest, and stands on a line of its own", () => {
  const { handle: _, ...bare } = context;
  const last = (kind: string): string =>
    shapeToolResult(LINE_KINDS[kind]!(0.5, "x"), bare)!.text.split("\n").at(-1)!;
  expect(last("file-read")).toMatch(/rest not kept: read lines \d+-\d+ again\]$/);
  expect(last("log")).toMatch(/rest not kept: run the tool again\]$/);
  expect(SHAPE_NOTE.test(last("grep-results"))).toBe(true);
});

test("in a given number of tokens every kind stays below it and keeps what deviates", () => {
  const lines = fc.constantFrom(...Object.values(LINE_KINDS));
  fc.assert(
    fc.property(share, lines, fc.integer({ min: 100, max: 900 }), (at, make, maxTokens) => {
      const original = make(at, "ERROR: could not open it");
      const { text } = shapeToolResult(original, { ...context, maxTokens })!;
      expect(context.counter.text(text)).toBeLessThanOrEqual(maxTokens);
      expect(text).toContain("ERROR: could not open it");
      expect(text).toContain(context.handle!);
    }),
    { numRuns: 60 },
  );
  const odd = fc.constantFrom({ amount: 98_765 }, { amount: -4_321 }, { state: "refund" });
  fc.assert(
    fc.property(share, odd, fc.constantFrom(...Object.values(ROW_KINDS)), (at, planted, make) => {
      const { text } = shapeToolResult(make(rowsWith(400, at, planted)), { ...context, maxTokens: 400 })!;
      expect(context.counter.text(text)).toBeLessThanOrEqual(400);
      expect(text).toContain(String(Object.values(planted)[0]));
    }),
    { numRuns: 40 },
  );
});

test("with a number of tokens an error is brought to it too, and what fits stays as it is", () => {
  const text = `Error: it broke\n${Array.from({ length: 900 }, (_, index) => `step ${index} of it`).join("\n")}`;
  const shaped = shapeToolResult(output(text, "Bash", {}, true), { ...context, maxTokens: 200 })!;
  expect(shaped.text).toContain("Error: it broke");
  expect(context.counter.text(shaped.text)).toBeLessThanOrEqual(200);
  expect(shapeToolResult(output("short"), { ...context, maxTokens: 200 })).toBeUndefined();
});

test("what repeats is told once: its first line, how many are like it, its last", () => {
  const lines = Array.from({ length: 400 }, (_, index) => `[${index + 1}/400] compiling part${index}.c`);
  lines.splice(210, 0, "part210.c:12:5: error: expected ';'");
  const run = output(lines.join("\n"), "Bash", { command: "make" });
  const { text } = shapeToolResult(run, { ...context, maxTokens: 300 })!;
  expect(text.split("\n").slice(0, -1)).toEqual([
    lines[0],
    "[… 209 lines as the one above, with other values …]",
    "part210.c:12:5: error: expected ';'",
    "[… 189 lines as others shown, with other values …]",
    lines[400],
  ]);
});

test("no mark says of the lines after a deviating one that they are like it", () => {
  const lines = Array.from({ length: 120 }, (_, index) => `pod-${index}x7 1/1 Running 0 ${(index % 9) + 1}d`);
  lines[60] = "pod-60x7 0/1 Pending 0 3d";
  const { text } = shapeToolResult(
    output(lines.join("\n"), "Bash", { command: "kubectl get pods" }),
    context,
  )!;
  const shown = text.split("\n");
  expect(shown[shown.indexOf(lines[60]) + 1]).not.toContain("the one above");
});

test("colour codes and overwritten progress are not shown", () => {
  const lines = Array.from(
    { length: 300 },
    (_, index) => `\u001b[32m✓\u001b[0m part ${index}\rdone ${index}`,
  );
  const { text } = shapeToolResult(output(lines.join("\n"), "Bash", { command: "make" }), context)!;
  expect(["\u001b", "\r"].filter((code) => text.includes(code))).toEqual([]);
  expect(text.split("\n")[0]).toBe("done 0");
});

test("a page is told by its main text, not by its menus", () => {
  const menu = `<ul>${'<li><a href="/x">An entry of the menu</a></li>'.repeat(200)}</ul>`;
  const text = `${"<p>Words of the page that somebody asked for, a whole sentence of them.</p>".repeat(20)}<p>The limit is 40.</p>`;
  const page = `<html><head><title>T</title></head><body><nav>${menu}</nav><main>${text}</main><footer>${menu}</footer></body></html>`;
  const shaped = shapeToolResult(output(page, "WebFetch"), context)!.text;
  expect(shaped).toContain("The limit is 40.");
  expect(shaped).not.toContain("An entry of the menu");
});

test("hostile inputs come back in bounded time and size", () => {
  const pieces = [
    "a",
    " ",
    "-",
    "漢",
    "QUJD",
    "\n",
    "> ",
    "\0",
    "\ud800",
    "[",
    "<",
    "(",
    "a:",
    "\ufeff",
    "x\n",
  ];
  for (const piece of pieces) {
    for (const toolName of ["Bash", "Read", "WebSearch", "run_query", "Grep", "LS", "unknown"]) {
      const text = piece.repeat(Math.floor(300_000 / piece.length));
      const shaped = shapeToolResult(output(text, toolName), context);
      expect(shaped?.text.length ?? 0).toBeLessThan(40_000);
    }
  }
  expect(
    shapeToolResult(output(`${"[".repeat(5_000)}${"]".repeat(5_000)}`, "x"), context)?.text.length ?? 0,
  ).toBeLessThan(10_000);
});

test("a table in a JSON string is told as the table that it is, in whole rows", () => {
  const rows = Array.from({ length: 80 }, (_, index) => `${index},,${30_000 + index * 7},0.5${index}`);
  const table = ["id,is_new,plays,rate", ...rows].join("\n");
  const whole = JSON.stringify({ status: "ok", table_csv: table });
  // An output may be cut off by whoever printed it.
  for (const text of [whole, whole.slice(0, -40)]) {
    const shaped = shapeToolResult(
      { text, toolName: "call", toolArguments: "{}", isError: false },
      { ...context, maxTokens: 160 },
    )!;
    expect(shaped.kind).toBe("csv");
    const [status, label, header, ...shown] = shaped.text.split("\n");
    const cut = text === whole ? "" : " (was cut off)";
    expect([status, label, header]).toEqual(['"status":"ok",', `table_csv${cut}:`, "id,is_new,plays,rate"]);
    expect(shown.at(-1)).toMatch(/^\[pith shaped: csv, \d+ of (?:80|77|78) rows shown; /);
    for (const line of shown.slice(0, -1)) expect(line.startsWith("[… ") || rows.includes(line)).toBe(true);
  }
});
