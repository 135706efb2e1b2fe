import { expect, test } from "vitest";
import { createTokenCounter } from "../tokens/counter.ts";
import { shapeToolResult } from "./shape-tool-result.ts";
import { unwrap } from "./unwrap.ts";

const output = (text: string) => ({ text, isError: false, toolName: "call", toolArguments: "{}" });

const table = [
  "id,name,price",
  ...Array.from({ length: 800 }, (_, index) => `${index},name ${index},${index * 3}.5`),
].join("\n");

test("an object whose other keys tell an error, or much, is no mere table", () => {
  const error = "timeout after 30 s: only 800 of 120,000 rows were read";
  const text = JSON.stringify({ rows: table, error });
  expect(unwrap(output(text))).toMatchObject({ head: "", text });
  const context = { counter: createTokenCounter(), handle: "pith:0g1q2v3j4x5z" };
  for (const maxTokens of [60, 120, 300]) {
    expect(shapeToolResult(output(text), { ...context, maxTokens })!.text).toContain(error);
  }
  const long = JSON.stringify({ rows: table, notes: "what was asked ".repeat(40) });
  expect(unwrap(output(long)).text).toBe(long);
});

test("an object around a table keeps its other keys in its head, whatever blanks are around them", () => {
  const string = JSON.stringify(table);
  for (const text of [
    `{"ok":true,"rows":${string},"count":800}`,
    `{ "ok":true,"rows":${string} , "count":800 }  \n`,
  ]) {
    const { head, text: inner } = unwrap(output(text));
    expect(head.replaceAll(" ", "")).toBe('"ok":true,"count":800\nrows:');
    expect(inner).toBe(table);
  }
});

test("a table ends at the first quote that is not escaped", () => {
  const quoted = `${table}\n801,"a \\"b\\" c",7\n802,\\\\,8`;
  expect(unwrap(output(JSON.stringify({ rows: quoted, count: 3 }))).text).toBe(quoted);
});

test("millions of escapes, and blanks at the end, take time in proportion", () => {
  const start = process.cpuUsage().user;
  const escapes = `{"content":[{"type":"text","text":"${"\\n".repeat(3_900_000)}`;
  expect(unwrap(output(escapes)).text).toHaveLength(3_900_000);
  unwrap(output(`{"rows":${JSON.stringify(table.repeat(40))}${" ".repeat(200_000)}x`));
  expect(process.cpuUsage().user - start).toBeLessThan(15_000_000);
}, 60_000);
