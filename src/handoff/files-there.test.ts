import { expect, test } from "vitest";
import { actionAt, moveAction } from "../reading/calls/action.ts";
import { isThere, noFiles, noteThere } from "./files-there.ts";

test("a file is there once it was read or written, under each of its names, until it is deleted or moved", () => {
  const there = noFiles();
  noteThere(there, actionAt("read", "/repo/src/a.ts"));
  noteThere(there, actionAt("create", "./b.ts"));
  noteThere(there, actionAt("search", "c.ts"));
  const known = (...paths: readonly string[]) => paths.filter((path) => isThere(there, path));
  expect(known("/repo/src/a.ts", "src/a.ts", "a.ts", "c/a.ts", "b.ts", "/repo/b.ts", "c.ts", "ts")).toEqual([
    "/repo/src/a.ts",
    "src/a.ts",
    "a.ts",
    "b.ts",
    "/repo/b.ts",
  ]);
  noteThere(there, actionAt("read", "/other/a.ts"));
  noteThere(there, moveAction("/repo/src/a.ts", "/repo/src/d.ts"));
  expect(known("src/a.ts", "a.ts", "src/d.ts")).toEqual(["a.ts", "src/d.ts"]);
  noteThere(there, actionAt("delete", "/other/a.ts"));
  expect(known("a.ts", "/other/a.ts")).toEqual([]);
});
