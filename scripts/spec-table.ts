/**
 * Writes docs/spec.md: every numbered behaviour, where it lives and which tests show it, from the tests' own names.
 * With --check it writes nothing and fails when the page is not up to date or a number has no test.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ListedTest, listTests, projectRoot } from "./listed-tests.ts";
import { otherwise } from "./otherwise.ts";
import { type SpecRow, specRows } from "./spec-rows.ts";

const page = join(projectRoot, "docs/spec.md");
const tests = await listTests();
const text = renderPage(specRows, tests);
const faults = [...unknownNumbers(tests), ...unknownReasons(), ...rowsWithoutTest(tests)];

if (process.argv.includes("--check")) {
  if (text !== currentPage()) faults.push("docs/spec.md is not up to date: run `npm run spec`.");
} else {
  writeFileSync(page, text);
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stderr.write(`${specRows.length} numbers, ${tests.length} tests, ${faults.length} faults\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

function renderPage(rows: readonly SpecRow[], all: readonly ListedTest[]): string {
  const lines = rows.map((row) => renderRow(row, testsOf(row, all)));
  return `# The numbered behaviours

Each behaviour that Pith promises has a number: F1–F93 come from the documents it follows, R1–R52 were learned from
real systems. A test claims a number by starting its name with it; this page is made from those names by
\`npm run spec\` (scripts/spec-table.ts), and CI fails when a number loses its test. \`npm run mutate\` switches behaviours off
and shows that their tests notice. What is otherwise than its document says has its reason beside it (scripts/otherwise.ts).

| | behaviour | as described? | lives in | shown by |
| --- | --- | --- | --- | --- |
${lines.join("\n")}
`;
}

function renderRow({ number, title }: SpecRow, own: readonly ListedTest[]): string {
  const sources = [...new Set(own.map((test) => test.source ?? test.file))].map(
    (path) => `[${path}](../${path})`,
  );
  const shown = own.map((test) => cell(test.name));
  const reason = otherwise[number];
  const fidelity = reason === undefined ? "as described" : `otherwise, because ${cell(reason)}`;
  return `| ${number} | ${cell(title)} | ${fidelity} | ${sources.join("<br>")} | ${shown.join("<br>")} |`;
}

function cell(words: string): string {
  return words.replace(/[|<>`\\]/g, (character) => `\\${character}`).replace(/\s+/g, " ");
}

function testsOf(row: SpecRow, all: readonly ListedTest[]): readonly ListedTest[] {
  return all.filter((test) => test.numbers.includes(row.number));
}

function unknownNumbers(all: readonly ListedTest[]): readonly string[] {
  const known = new Set(specRows.map((row) => row.number));
  return all.flatMap((test) =>
    test.numbers
      .filter((number) => !known.has(number))
      .map((number) => `${test.file}: "${test.name}" names ${number}, which does not exist.`),
  );
}

function unknownReasons(): readonly string[] {
  const known = new Set(specRows.map((row) => row.number));
  return Object.keys(otherwise)
    .filter((number) => !known.has(number))
    .map((number) => `scripts/otherwise.ts names ${number}, which does not exist.`);
}

function rowsWithoutTest(all: readonly ListedTest[]): string[] {
  return specRows
    .filter((row) => testsOf(row, all).length === 0)
    .map((row) => `${row.number} (${row.title}) has no test.`);
}

function currentPage(): string {
  try {
    return readFileSync(page, "utf8");
  } catch {
    return "";
  }
}
