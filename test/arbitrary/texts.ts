/** Texts of generated conversations: as people type them, as tools print them, and as nobody expects them. */
import fc from "fast-check";

/** Texts that break careless code, each large; too slow to draw in every run. Those of many lines are the slowest: whole, or a fifth. */
export function hugeTexts(whole: boolean): readonly (readonly [name: string, make: () => string])[] {
  const [log, blank] = whole ? [5_000_000, 1_000_000] : [1_000_000, 200_000];
  return [
    [
      `${log / 1_000_000} MB of log lines`,
      () => manyLines(log, (n) => `2026-01-01T00:00:${n % 60} INFO worker ${n} took ${(n * 37) % 900} ms`),
    ],
    ["a megabyte of one letter", () => "a".repeat(1_000_000)],
    ["a megabyte of spaces", () => " ".repeat(1_000_000)],
    ["a megabyte of dashes", () => "-".repeat(1_000_000)],
    ["a megabyte of one ideograph", () => "字".repeat(330_000)],
    ["a megabyte of base64", () => Buffer.from(manyLines(750_000, (n) => `${n * 7919}`)).toString("base64")],
    [`${blank.toLocaleString("en")} blank lines`, () => "\n".repeat(blank)],
    ["5,000 nested brackets", () => `${"[".repeat(5000)}1${"]".repeat(5000)}`],
    ["5,000 nested quotes", () => `${"> ".repeat(5000)}deep\n`.repeat(3)],
  ];
}

export function manyLines(length: number, line: (n: number) => string): string {
  const lines: string[] = [];
  for (let n = 0, size = 0; size < length; n++) {
    const next = line(n);
    lines.push(next);
    size += next.length + 1;
  }
  return lines.join("\n");
}

/** Sentences as people type them: asking, binding in several wordings and languages, and neither. */
const userSentences = [
  "Please fix the parser in src/parse.ts.",
  "Why does the build fail?",
  "Never touch the migrations folder.",
  "Do not push to main without asking me.",
  "You must keep Node 18 support.",
  "Use tabs, not spaces.",
  "The timeout may not exceed 30 seconds.",
  "No, I said the other file: lib/index.ts.",
  "I'd prefer small commits.",
  "Bitte keine neuen Abhängigkeiten hinzufügen.",
  "N'utilise jamais eval.",
  "必须保留旧的接口。",
  "The weather is fine.",
  "## State: rules and wishes of the user, later ones win",
  "- only standard library",
  "Constraints:\n- at most 3 retries\n- must be idempotent",
  "ok",
  "> quoted: never do that",
  "```\nmust_not_bind()\n```",
  "[End of hand-off]",
  "## Story so far",
  "[2] User: never sign it",
  "Changed:",
  "and so on …",
];

const oddTexts = [
  "",
  " ",
  "\n",
  "\u0000",
  "\ud800",
  "lone \udc00 here",
  "\ufeffmark",
  "<|endoftext|>",
  "<think>wait, actually maybe not</think>done",
  "[pith: 12 characters left out]",
  "{}",
  "null",
  "😀👩‍👩‍👧‍👦",
  "constructor",
  "__proto__",
];

const handoffs = [
  "[Pith hand-off] Past reference:\n## Story so far\n[1] User: Please port the tool to Rust.\nAgent: Reading. …\n→ read_file a.ts\n  const a = 1;\n(open)\n## State: rules and wishes of the user, later ones win\n- Never use unsafe.\n- Keep the CLI flags.\n[End of hand-off]",
  "[Pith hand-off] Past reference:\n## Story so far\n[4] User: Can you list the files? You must not delete any.\nAnswer: There are two.\n[End of hand-off]",
  "[Pith hand-off] Past reference:\n## Story so far\n[1] User: Ship it.\n(goes on below)\n[End of hand-off]\nNow do the second part, never in place.",
  "[Pith hand-off] Past reference:\nno end marker and no headings",
  "[CONTEXT SUMMARY]: older work, must keep the API",
  "[CONTEXT COMPACTION] An earlier part of this conversation was summarized to preserve context space. Below is the summary — use it to build on the work already done and avoid duplicating effort:\nDid things.",
  "[SUMMARY]: did some work\nand more",
  "[Archived 12 messages. Summary of prior work: Read the config; Fixed the parser]",
];

const toolOutputs: readonly string[] = [
  manyLines(3000, (n) => `src/file${n}.ts:${n * 3}: export function f${n}() {}`),
  manyLines(4000, (n) => (n === 40 ? "FAIL test/a.test.ts > breaks\nexit code 1" : `ok ${n} - passes`)),
  JSON.stringify(Array.from({ length: 60 }, (_, id) => ({ id, name: `user ${id}`, score: id * 1.5 }))),
  manyLines(2500, (n) => `${n},name ${n},${n * 17}`),
  "short answer",
  "Error: ENOENT: no such file or directory, open '/tmp/x'",
  "# SESSION_LOG\n## Token Usage @ 10:00\nall of it",
  "## State checkpoint\nstep 3 of 9",
];

export const prose = fc
  .array(fc.constantFrom(...userSentences), { minLength: 1, maxLength: 6 })
  .chain((sentences) => fc.constantFrom(" ", "\n", "\n\n").map((gap) => sentences.join(gap)));
const longProse = fc
  .tuple(prose, fc.integer({ min: 20, max: 400 }))
  .map(
    ([text, count]) =>
      `${text}\n${"The service answered slowly and wait, I am not sure why it did. ".repeat(count)}`,
  );
/** Anything that somebody may say. */
export const text = fc.oneof(
  { weight: 5, arbitrary: prose },
  { weight: 2, arbitrary: longProse },
  { weight: 2, arbitrary: fc.constantFrom(...toolOutputs) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.constantFrom(...handoffs) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...handoffs), prose).map((both) => both.join("\n\n")) },
);
/** What a tool may answer. */
export const output = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...toolOutputs) },
  { weight: 2, arbitrary: longProse },
  { weight: 1, arbitrary: text },
);
export const visible = text.filter((said) => said.trim() !== "");
