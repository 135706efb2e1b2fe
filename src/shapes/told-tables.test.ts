import { expect, test } from "vitest";
import { createTokenCounter } from "../tokens/counter.ts";
import { NO_USES } from "./record-uses.ts";
import { shapeToolResult } from "./shape-tool-result.ts";
import { tableLines } from "./told-tables.ts";

const days = Array.from({ length: 20 }, (_, at) => [
  `2024-03-${String(at + 1).padStart(2, "0")}`,
  `${100 + at}.5`,
]);
const markdown = [
  "| Date | Close |",
  "|:-----|------:|",
  ...days.map(([day, close]) => `| ${day} | ${close} |`),
];
const told = (text: string) => tableLines(text, NO_USES)?.map((line) => line.text);

test("a table in Markdown is told by its rows, its ranges and the words around it, never by its rule", () => {
  const lines = told(["Prices of ACME", "", ...markdown].join("\n"))!;
  expect(lines.slice(0, 4)).toEqual([
    "Prices of ACME",
    "20 rows; Date | Close",
    "  range: Date 2024-03-01 to 2024-03-20, Close 100.5 to 119.5",
    "  2024-03-01 | 100.5",
  ]);
  expect(lines.at(-1)).toBe("  2024-03-20 | 119.5");
  expect(lines.join("\n")).not.toContain("--");
});

test("so is a table in CSV", () => {
  const csv = ["Date,Close,Volume", ...days.map(([day, close], at) => `${day},${close},${at * 1000}`)];
  expect(told(csv.join("\n"))!.slice(0, 2)).toEqual([
    "20 rows; Date | Close | Volume",
    "  range: Date 2024-03-01 to 2024-03-20, Close 100.5 to 119.5, Volume 0 to 19000",
  ]);
});

test("of a table that was shaped before, the rows that are left are told and how many there were, no gap and no range", () => {
  const counter = createTokenCounter();
  const csv = Array.from({ length: 1_000 }, (_, at) => `${at + 1},${["north", "south"][at % 2]},${at * 25}`);
  const bars = csv.map((row) => `| ${row.replaceAll(",", " | ")} |`);
  const tables = [
    ["id,region,revenue", ...csv],
    ["| id | region | revenue |", "|---|---|---|", ...bars],
  ];
  for (const table of tables) {
    const output = {
      text: table.join("\n"),
      toolName: "database_query",
      toolArguments: "{}",
      isError: false,
    };
    const shaped = shapeToolResult(output, { counter })!;
    const rows = told(shaped.text)!;
    const shown = / (\d+) of 1,000 rows shown/.exec(shaped.text)![1]!;
    expect(rows.slice(0, 2)).toEqual([`${shown} of 1,000 rows; id | region | revenue`, "  1 | north | 0"]);
    expect(rows.at(-1)).toBe("  1000 | south | 24975");
    expect(rows).toHaveLength(1 + Number(shown));
  }
});

test("a text with a small table in it, a list with bars, and prose are no tables", () => {
  const page = Array.from({ length: 40 }, (_, at) => `Line ${at} of the page.`);
  expect(told([...page, ...markdown].join("\n"))).toBeUndefined();
  expect(told("a | b\nc | d\ne | f\ng | h")).toBeUndefined();
  expect(
    told("Dear all,\nI came, I saw, I won.\nIt was, as they say, great.\nSo, what, next?\nYes."),
  ).toBeUndefined();
});
