import { expect, test } from "vitest";
import { fileOfCall } from "./file-of-call.ts";

test.each([
  ['{"file_path":"/home/me/app/src/cli/run.ts","limit":3}', "src/cli/run.ts"],
  ['{"path": "a.ts"}', "a.ts"],
  [String.raw`{"path":"C:\\work\\src\\a.cs"}`, String.raw`work\src\a.cs`],
  [String.raw`{"input":"*** Begin Patch\n*** Update File: src/lib/b.rs\n@@"}`, "src/lib/b.rs"],
  ['{"pattern":"x","path":"src/cli"}', undefined],
  ['{"command":"ls"}', undefined],
  ["not JSON", undefined],
  ["", undefined],
])("the file of %s is %s", (json, file) => {
  expect(fileOfCall(json)).toBe(file);
});
