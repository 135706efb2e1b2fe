import { expect, test } from "vitest";
import { createTokenCounter } from "../tokens/counter.ts";
import { shapeToolResult } from "./shape-tool-result.ts";
import { unwrap } from "./unwrap.ts";

const context = { counter: createTokenCounter(), handle: "pith:3f9c2a1b" };

function shape(
  text: string,
  toolName: string,
  toolArguments: unknown = {},
): { kind: string; lines: readonly string[] } {
  const shaped = shapeToolResult(
    { text, toolName, toolArguments: JSON.stringify(toolArguments), isError: false },
    context,
  )!;
  return { kind: shaped.kind, lines: shaped.text.split("\n") };
}

test("[F32] web search keeps title, address and snippet of every hit and drops the pages", () => {
  const results = Array.from({ length: 8 }, (_, index) => ({
    title: `Result <b>${index}</b>`,
    url: `https://example.org/${index}`,
    snippet: `What page ${index} says &amp; more.`,
    raw_content: `<html><body>${"<p>full page</p>".repeat(200)}</body></html>`,
  }));
  const { kind, lines } = shape(JSON.stringify({ query: "q", results }), "web_search");
  expect(kind).toBe("web-search");
  expect(lines.slice(0, 3)).toEqual(["- Result 0", "  https://example.org/0", "  What page 0 says & more."]);
  expect(lines.at(-1)).toContain("8 of 8 hits");
  expect(lines.join("\n")).not.toContain("full page");
});

test("[F32] a snippet that is the whole page is cut, its markup dropped", () => {
  const results = [
    {
      title: "One",
      link: "https://example.org",
      content: `<div>${"<p>words of the page</p> ".repeat(300)}</div>`,
    },
  ];
  const { lines } = shape(JSON.stringify(results), "WebSearch");
  expect(lines[2]!.length).toBeLessThan(340);
  expect(lines.join("\n")).not.toContain("<p>");
});

test("[F32] results as text keep their titles and addresses, a list of links becomes lines", () => {
  const links = Array.from({ length: 10 }, (_, index) => ({
    title: `Page ${index}`,
    url: `https://example.org/${index}`,
  }));
  const prose = Array.from(
    { length: 200 },
    (_, index) => `Sentence ${index} about the matter, told at length.`,
  ).join("\n");
  const { kind, lines } = shape(
    `Web search results for query: "x"\n\nLinks: ${JSON.stringify(links)}\n\n${prose}`,
    "WebSearch",
  );
  expect(kind).toBe("web-search");
  expect(lines).toContain("- Page 9: https://example.org/9");
  expect(lines.length).toBeLessThan(90);
  const pages = `<html><body>${"<div><a href='https://example.org/a'>A page</a> and words</div>".repeat(80)}</body></html>`;
  expect(shape(pages, "WebSearch").lines.join("\n")).not.toContain("<div>");
});

test("[F32] results that a tool without a name lists keep all titles and addresses in little room", () => {
  const hits = Array.from(
    { length: 9 },
    (_, index) =>
      `${index + 1}. [Page ${index}](https://example.org/${index})\nDate published: 2024\n\n${"What the page says, at length. ".repeat(9)}\n`,
  );
  const text = `A search for 'x' found 9 results:\n\n## Results\n${hits.join("\n")}`;
  const shaped = shapeToolResult(
    { text, toolName: "", toolArguments: "", isError: false },
    { ...context, maxTokens: 260 },
  )!;
  expect(shaped.kind).toBe("web-search");
  for (let index = 0; index < 9; index++) {
    expect(shaped.text).toContain(`${index + 1}. [Page ${index}](https://example.org/${index})`);
  }
  const few = shapeToolResult(
    { text, toolName: "", toolArguments: "", isError: false },
    { ...context, maxTokens: 120 },
  )!;
  expect(few.text).toMatch(/ [1-5] of 9 hits shown; /);
});

test("[F33] a read of more than 500 lines becomes head and outline with line numbers", () => {
  const numbered = Array.from({ length: 900 }, (_, index) => {
    const line =
      index % 100 === 50
        ? `export function step${index}(input: string): void {`
        : `  const a${index} = ${index};`;
    return `${String(index + 1).padStart(6)}→${line}`;
  }).join("\n");
  const { kind, lines } = shape(numbered, "Read", { file_path: "a.ts" });
  expect(kind).toBe("file-read");
  for (let index = 50; index < 900; index += 100) {
    expect(lines).toContain(
      `${String(index + 1).padStart(6)}→export function step${index}(input: string): void {`,
    );
  }
  expect(lines[0]).toBe("     1→  const a0 = 0;");
  expect(lines.at(-1)).toMatch(/^\[pith shaped: file-read, [\d,]+ of 900 lines shown; rest: pith:/);
});

test("[F33] a plain read names the ranges left out, counted from the line that was asked for", () => {
  const text = Array.from({ length: 700 }, (_, index) =>
    index === 400 ? "## A heading" : `word ${"x".repeat(20)}`,
  ).join("\n");
  const { lines } = shape(text, "read_file", { path: "notes.md", offset: 101 });
  expect(lines).toContain("## A heading");
  expect(lines.some((line) => /^\[… lines \d+-500 …\]$/.test(line))).toBe(true);
});

test("[F33] a read of up to 500 lines and 2,000 tokens stays, and what a tool says below the file stays too", () => {
  const text = Array.from({ length: 300 }, (_, index) => `call(${index});`).join("\n");
  const read = { text, toolName: "Read", toolArguments: "{}", isError: false };
  expect(shapeToolResult(read, context)).toBeUndefined();
  const long = `${Array.from({ length: 600 }, (_, index) => `${index}\tcall(${index});`).join("\n")}\n<NOTE>truncated</NOTE>`;
  expect(shape(long, "Read").lines).toContain("<NOTE>truncated</NOTE>");
  const snippet = `Here's the result of running \`cat -n\` on a.ts:\n${long}`;
  expect(shape(snippet, "some_tool").kind).toBe("file-read");
});

test("[F35] an API response keeps status and key fields and drops links, ids and headers", () => {
  const body = {
    status: "ok",
    number: 17,
    title: "Fix the parser",
    node_id: "PRRC_kwDOQ",
    url: "https://api.example.org/17",
    html_url: "https://example.org/17",
    user: {
      login: "ada",
      avatar_url: "https://example.org/ada.png",
      followers_url: "https://api.example.org/f",
    },
    _links: { self: { href: "https://api.example.org/17" } },
    headers: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x-header-${index}`, "value"])),
    body: "long text ".repeat(400),
  };
  const { kind, lines } = shape(JSON.stringify(body, null, 2), "http_request");
  expect(kind).toBe("api-response");
  expect(lines).toEqual(
    expect.arrayContaining(["status: ok", "number: 17", "title: Fix the parser", 'user: {"login":"ada"}']),
  );
  expect(lines.join("\n")).not.toMatch(/node_id|avatar|_links|x-header|api\.example/);
  const curl = `HTTP/2 404 Not Found\ncontent-type: application/json\nx-served-by: cache-1\n\n${JSON.stringify(body)}`;
  const answered = shape(curl, "Bash", { command: "curl -i https://example.org" });
  expect(answered.lines.slice(0, 2)).toEqual(["HTTP/2 404 Not Found", "content-type: application/json"]);
  expect(answered.lines.join("\n")).not.toContain("x-served-by");
});

test("JSON keeps keys, samples lists with their count, and keeps records that report a failure deep inside", () => {
  const jobs = Array.from({ length: 300 }, (_, index) => ({
    id: index,
    steps: [{ name: "build", log: index === 217 ? "line one\nERROR: disk full\nline three" : "line one" }],
  }));
  const { kind, lines } = shape(
    JSON.stringify({ jobs, note: "x".repeat(3_000), byId: { a: 1 } }),
    "load_jobs",
  );
  expect(kind).toBe("json");
  expect(lines.some((line) => /^jobs \(\d+ of 300\):$/.test(line))).toBe(true);
  expect(lines.join("\n")).toContain("ERROR: disk full");
  expect(lines.some((line) => line.startsWith("note: xxx") && line.includes("characters …]"))).toBe(true);
  expect(lines).toContain('byId: {"a":1}');
});

test("JSON objects with very many keys are sampled like lists", () => {
  const byId = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`id${index}`, { score: index === 250 ? 9_999 : 5 }]),
  );
  const { lines } = shape(JSON.stringify(byId), "scores");
  expect(lines[0]).toMatch(/of 500\):$/);
  expect(lines.join("\n")).toContain("9999");
});

test("a long text inside JSON keeps its error lines", () => {
  const log = plain(200, "step", "ERROR: out of memory");
  expect(shape(JSON.stringify({ log }), "job_log").lines.join("\n")).toContain("ERROR: out of memory");
});

test("grep results show the first matches of every file and count the rest", () => {
  const text = Array.from(
    { length: 400 },
    (_, index) => `src/long/path/file${index % 5}.ts:${index}:  const value = ${index};`,
  );
  const { kind, lines } = shape(text.sort().join("\n"), "Grep", { pattern: "value" });
  expect(kind).toBe("grep-results");
  for (let file = 0; file < 5; file++) expect(lines.join("\n")).toContain(`file${file}.ts:`);
  expect(lines.some((line) => /^\[… \d+ more …\]$/.test(line))).toBe(true);
});

test("a diff keeps file and hunk headers and counts the changes it leaves out", () => {
  const hunk = (start: number): string =>
    `@@ -${start},40 +${start},60 @@ function f${start}()\n${plain(20, " same")}\n${plain(40, "+added")}\n${plain(20, "-removed")}`;
  const file = (name: string): string =>
    `diff --git a/${name} b/${name}\nindex 1..2 100644\n--- a/${name}\n+++ b/${name}\n${hunk(1)}\n${hunk(200)}`;
  const { kind, lines } = shape([file("a.ts"), file("b.ts"), file("c.ts"), file("d.ts")].join("\n"), "Bash", {
    command: "git diff",
  });
  expect(kind).toBe("diff");
  for (const name of ["a.ts", "b.ts", "c.ts", "d.ts"]) expect(lines).toContain(`+++ b/${name}`);
  expect(lines.filter((line) => line.startsWith("@@ "))).toHaveLength(8);
  expect(lines.some((line) => /^\[… \d+ lines: \+\d+ -\d+ …\]$/.test(line))).toBe(true);
});

test("in little room a diff names every changed file with its counts, then shows changes, and no bare header", () => {
  const file = (name: string): string =>
    `diff --git a/${name} b/${name}\nindex 1..2 100644\n--- a/${name}\n+++ b/${name}\n@@ -1,14 +1,21 @@ function f()\n${plain(9, " same")}\n${plain(12, "+added")}\n${plain(5, "-removed")}`;
  const names = ["a.ts", "b.ts", "c.ts", "d.ts"];
  const shaped = shapeToolResult(
    {
      text: names.map(file).join("\n"),
      toolName: "Bash",
      toolArguments: JSON.stringify({ command: "git diff" }),
      isError: false,
    },
    { ...context, maxTokens: 200 },
  )!;
  const lines = shaped.text.split("\n");
  for (const name of names) expect(lines).toContain(`diff --git a/${name} b/${name}: +12 -5`);
  expect(lines.filter((line) => /^(?:index|---|\+\+\+) /.test(line))).toEqual([]);
  expect(lines.some((line) => line.startsWith("+added"))).toBe(true);
  lines.forEach((line, index) => {
    if (line.startsWith("@@ "))
      expect(lines.slice(index + 1).find((next) => !next.startsWith("[… "))).toMatch(/^[+-]/);
  });
});

test("a listing counts what it leaves out by extension", () => {
  const entries = Array.from(
    { length: 400 },
    (_, index) => `-rw-r--r-- 1 u g 100 Jan 1 10:00 file${index}.${index % 4 ? "ts" : "json"}`,
  );
  const { kind, lines } = shape(`total 400\n${entries.join("\n")}`, "Bash", { command: "ls -la" });
  expect(kind).toBe("directory-listing");
  expect(lines.some((line) => /entries: .*\.ts.*\.json/.test(line))).toBe(true);
});

test("a log keeps warnings and one of each kind of line, and counts lines like the one above", () => {
  const lines = Array.from({ length: 500 }, (_, index) => `10:00:00 INFO tick ${index}`);
  lines[120] = "10:00:00 WARN cache is cold";
  lines[300] = "10:00:00 INFO started the second phase";
  const shaped = shape(lines.join("\n"), "Bash", { command: "kubectl logs app" });
  expect(shaped.kind).toBe("log");
  expect(shaped.lines).toContain("10:00:00 WARN cache is cold");
  expect(shaped.lines).toContain("10:00:00 INFO started the second phase");
  expect(shaped.lines.some((line) => /\d+ lines as the one above, with other values/.test(line))).toBe(true);
  expect(shape(lines.join("\n"), "Read", { path: "/var/app.log" }).kind).toBe("log");
});

test("CSV with line breaks in cells keeps one row to a line", () => {
  const rows = Array.from({ length: 300 }, (_, index) => `${index},"two\nlines ${index}",${index % 5}`);
  const { kind, lines } = shape(`id,note,value\n${rows.join("\n")}`, "export_table");
  expect(kind).toBe("csv");
  expect(lines[0]).toBe("id,note,value");
  expect(lines[1]).toBe('0,"two lines 0",0');
});

test("HTML becomes title, headings, text and links; a page filled by a script is shown as it is", () => {
  const page = `<html><head><title>The title</title><style>p{}</style></head><body><h2>Part</h2><pre>one\ntwo</pre><ul><li>item</li></ul>
    <p>See <a href="https://example.org/x">this</a>.</p>${"<p>More words that nobody asked for.</p>".repeat(300)}</body></html>`;
  const { kind, lines } = shape(page, "WebFetch");
  expect(kind).toBe("html");
  expect(lines.slice(0, 6)).toEqual([
    "# The title",
    "## Part",
    "one",
    "two",
    "- item",
    "See this (https://example.org/x).",
  ]);
  const script = `<html><body><script>${"run(); ".repeat(2_000)}</script></body></html>`;
  expect(shape(script, "WebFetch").kind).toBe("text");
});

test("YAML keeps outer keys before inner ones and every failed state", () => {
  const text = Array.from(
    { length: 300 },
    (_, index) => `pod${index}:\n  status: ${index === 222 ? "CrashLoopBackOff" : "Running"}\n  image: app`,
  );
  const { kind, lines } = shape(text.join("\n"), "describe_pods");
  expect(kind).toBe("yaml");
  expect(lines).toContain("  status: CrashLoopBackOff");
  expect(lines).toContain("pod0:");
});

test("an MCP envelope is taken off before looking at what is inside", () => {
  const inner = JSON.stringify(Array.from({ length: 300 }, (_, index) => ({ id: index, name: `n${index}` })));
  const envelope = JSON.stringify({ content: [{ type: "text", text: inner }], isError: false });
  expect(shape(envelope, "call").kind).toBe("json");
  expect(shape(envelope.slice(0, 6_000), "call").lines.join("\n")).not.toContain('\\"');
  const python = `meta=None content=[TextContent(type='text', text='${inner.replaceAll("'", "\\'")}', annotations=None)] isError=False`;
  expect(shape(python, "call").kind).toBe("json");
  const failed = {
    text: python.replace("isError=False", "isError=True"),
    toolName: "call",
    toolArguments: "",
    isError: false,
  };
  expect(shapeToolResult(failed, context)).toBeUndefined();
});

/** Lines that differ in a number, one of them replaced. */
function plain(count: number, words: string, planted?: string): string {
  return Array.from({ length: count }, (_, index) =>
    planted !== undefined && index === count >> 1 ? planted : `${words} ${index}`,
  ).join("\n");
}

test("of an MCP envelope that was cut off, what it holds is read up to its own end", () => {
  const inner = JSON.stringify({ id: "card_7", note: 'says "blue"' });
  const whole = JSON.stringify({
    content: [{ type: "text", text: inner }],
    structuredContent: { result: inner },
  });
  const cut = whole.slice(0, whole.lastIndexOf("card_7"));
  expect(unwrap({ text: cut, isError: false, toolName: "", toolArguments: "" }).text).toBe(inner);
});

test("in a small room the lines that were searched for are shown, not an error around them", () => {
  const found = Array.from({ length: 30 }, (_, at) =>
    [`src/a${at}.ts-1-const warning = 'failed';`, `src/a${at}.ts:2:findMe(${at})`, "--"].join("\n"),
  ).join("\n");
  const output = { text: found, toolName: "Grep", toolArguments: '{"pattern":"findMe"}', isError: false };
  const shaped = shapeToolResult(output, { ...context, maxTokens: 90, isQuoted: true })!.text;
  expect(shaped.split(":2:findMe(").length).toBeGreaterThan(shaped.split("warning").length);
  expect(shaped).not.toContain("[pith shaped");
});

test("of an envelope of several texts each is read, and what is no text is named by its type", () => {
  const read = (text: string) => unwrap({ text, isError: false, toolName: "", toolArguments: "" }).text;
  const part = (text: string) => `TextContent(type='text', text='${text}', annotations=None)`;
  expect(read(`meta=None content=[${part("one\\n")}, ${part("two")}] isError=False`)).toBe("one\n\ntwo");
  const content = [
    { type: "text", text: "a chart" },
    { type: "image", data: "iVBO" },
  ];
  expect(read(JSON.stringify({ content }))).toBe("a chart\n[image]");
});
