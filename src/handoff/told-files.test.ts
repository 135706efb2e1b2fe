import { expect, test } from "vitest";
import type { FileFact } from "../ledger/ledger.ts";
import { fileLine, readFileLine, readNames, withNames } from "../ledger/ledger-lines.ts";
import { toldFiles } from "./told-files.ts";

const fact = (path: string): FileFact => ({ path, reads: 1, edits: 0, created: false, last: "read", at: 1 });

test("names stand behind the line of their file, and a file without a line gets one", () => {
  const files = toldFiles(["src/a.ts: edited", "… 2 more files read"], [fact("src/a.ts"), fact("src/b.ts")]);
  const outline = new Map([
    ["src/a.ts", ["parseHead headError", "LIMIT_MS"]],
    ["src/b.ts", ["writeTail"]],
    ["src/c.ts", ["onlyInWhatStays"]],
  ]);
  expect(files.with(outline)).toEqual([
    "src/a.ts: edited — parseHead headError, LIMIT_MS",
    "src/b.ts: read — writeTail",
    "src/c.ts — onlyInWhatStays",
    "… 1 more files read",
  ]);
});

test("the folder is said once, also where only names need it", () => {
  const [one, other] = ["/home/me/projects/app/src/one.ts", "/home/me/projects/app/src/other.ts"];
  const files = toldFiles([`${one}: read`], [fact(one)]);
  expect(
    files.with(
      new Map([
        [one, ["readOne"]],
        [other, ["readOther"]],
      ]),
    ),
  ).toEqual(["… = /home/me/projects/app/src", "…/one.ts: read — readOne", "…/other.ts — readOther"]);
});

test("a file that calls name from two places is one", () => {
  const files = toldFiles(["/home/me/app/src/a.ts: read"], [fact("/home/me/app/src/a.ts")]);
  expect(files.has("src/a.ts")).toBe(true);
  expect(files.has("src/b.ts")).toBe(false);
});

test("a line with names is read back as the file's, and its names", () => {
  const line = fileLine({ ...fact("src/a.ts"), edits: 3, last: "edited" });
  const told = withNames(line, ["parseHead headError", "LIMIT_MS"]);
  expect(readFileLine(told)).toEqual(readFileLine(line));
  expect(readNames(told)).toEqual({ line, names: ["parseHead headError", "LIMIT_MS"] });
});
