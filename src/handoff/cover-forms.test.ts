import { expect, test } from "vitest";
import { IntList } from "../salience/int-list.ts";
import { listSpecifics } from "../salience/specifics.ts";
import { coverForms } from "./cover-forms.ts";
import { createHashTable } from "./hash-table.ts";

/** Which of the specifics are said along with the text. */
function covered(text: string, ...specifics: readonly string[]): readonly string[] {
  const table = createHashTable();
  for (const specific of specifics) {
    const found = new IntList();
    listSpecifics(specific, found);
    table.add(found.items[2]!);
  }
  const values = new Float32Array(specifics.length).fill(1);
  coverForms(text, 0, text.length, table, values);
  return specifics.filter((_, at) => values[at] === 0);
}

test("a name says what ends or starts at one of its joints", () => {
  expect(covered("cmd/cli/setup.go:12", "setup.go", "cli/setup.go", "setup.go:12", "etup.go")).toEqual([
    "setup.go",
    "cli/setup.go",
    "setup.go:12",
  ]);
  expect(covered("cli.IsEnabled", "isEnabled", "cli.IsEnabled2")).toEqual(["isEnabled"]);
});

test("a name without joints says nothing but itself", () => {
  expect(covered("fooBarBaz", "fooBar", "BarBaz")).toEqual([]);
});
