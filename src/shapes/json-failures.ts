/** The lines of a JSON value that report a failure, at any depth and under any key, and those a summary of it lost. */
import { findErrorLines } from "./error-lines.ts";

/** `key: line` for each failure told in the value that the summary does not show. */
export function lostFailures(value: unknown, summary: string): readonly string[] {
  const keys: string[] = [];
  const told: string[] = [];
  const open: (readonly [key: string, item: unknown])[] = [["", value]];
  // A stack of our own: values may be nested deeper than calls can be.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [key, item] = next;
    if (typeof item === "string") {
      const lines = item.split("\n");
      for (const index of findErrorLines(lines, "content")) {
        keys.push(key);
        told.push(lines[index]!);
      }
    } else if (Array.isArray(item)) {
      for (let index = item.length - 1; index >= 0; index--) open.push([key, item[index]]);
    } else if (typeof item === "object" && item !== null) {
      for (const entry of Object.entries(item).reverse()) open.push(entry);
    }
  }
  return findErrorLines(told, "content")
    .filter((index) => !shows(summary, told[index]!))
    .map((index) => (keys[index] === "" ? told[index]! : `${keys[index]}: ${told[index]}`));
}

/** As it is, or as it is inside a JSON string. */
function shows(summary: string, line: string): boolean {
  return summary.includes(line) || summary.includes(JSON.stringify(line).slice(1, -1));
}
