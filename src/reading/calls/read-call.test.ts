import { expect, test } from "vitest";
import type { ToolCallPart, ToolResultPart } from "../../conversation/part.ts";
import { VOCABULARIES } from "../agents/tool-vocabulary.ts";
import type { Action } from "./action.ts";
import { actionsOf } from "./read-call.ts";

function call(name: string, args: unknown): ToolCallPart {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return { type: "tool-call", pairId: "1", name, arguments: text, server: false };
}

function result(text: string, isError = false): ToolResultPart {
  return { type: "tool-result", pairId: "1", text, attachments: [], isError, server: false };
}

function told(actions: readonly Action[]): readonly string[] {
  return actions.map(({ kind, path, to, command }) => [kind, path ?? command, to].filter(Boolean).join(" "));
}

test.each([
  ["Read", { file_path: "a.ts" }, ["read a.ts"]],
  ["MultiEdit", { file_path: "a.ts", edits: [{ old_string: "x", new_string: "y" }] }, ["edit a.ts"]],
  ["Write", { file_path: "a.ts", content: "" }, ["create a.ts"]],
  ["NotebookEdit", { notebook_path: "a.ipynb", new_source: "" }, ["edit a.ipynb"]],
  ["mcp__filesystem__read_multiple_files", { paths: ["a", "b"] }, ["read a", "read b"]],
  ["mcp__fs__move_file", { source: "a", destination: "b" }, ["move a b"]],
  ["copy_file", { source_path: "a", destination_path: "b" }, ["create b"]],
  ["file_delete", { file_path: "a" }, ["delete a"]],
  ["replace", { file_path: "a", old_string: "", new_string: "" }, ["edit a"]],
  ["read_files", { files: [{ path: "a", start_line: 1 }, { path: "b" }] }, ["read a", "read b"]],
  ["multi_replace_string_in_file", { replacements: [{ filePath: "a" }, { filePath: "a" }] }, ["edit a"]],
  ["edit_file", { path: "a", edits: [], dryRun: true }, ["other a"]],
  ["write_file", { file_path: "a", text: "x", append: true }, ["edit a"]],
  ["str_replace_editor", { command: "view", path: "a" }, ["read a"]],
  ["str_replace_editor", { command: "create", path: "a", file_text: "" }, ["create a"]],
  ["str_replace_editor", { command: "str_replace", path: "a" }, ["edit a"]],
  ["str_replace_editor", { command: "insert", path: "a" }, ["edit a"]],
  ["memory", { command: "rename", old_path: "a", new_path: "b" }, ["move a b"]],
  ["Grep", { pattern: "foo", path: "src" }, ["search foo"]],
  ["LS", { path: "/src" }, ["list /src"]],
  ["view", { path: "src/" }, ["list src/"]],
  [
    "run_commands",
    { commands: ["rm a.ts", "npm test"] },
    ["command rm a.ts", "delete a.ts", "command npm test"],
  ],
  ["shell", { command: ["bash", "-lc", "npm test"] }, ["command npm test"]],
  ["shell", { command: ["npm", "test"] }, ["command npm test"]],
  ["exec_command", { cmd: "cat a.ts", workdir: "/w" }, ["command cat a.ts", "read /w/a.ts"]],
  ["execute-tool", { server_name: "fs", tool_name: "write_file", params: { path: "a" } }, ["create a"]],
  ["use_mcp_tool", { tool_name: "read_file", arguments: '{"path":"a"}' }, ["read a"]],
  ["WebFetch", { url: "https://x.org" }, ["web https://x.org"]],
])("[R36] reads %s as what it does", (name, args, expected) => {
  expect(told(actionsOf(call(name, args)))).toEqual(expected);
});

test.each([
  ["get_text_file_contents", { files: [{ file_path: "a" }] }, ["read a"]],
  ["word__add_heading", { filename: "a.docx", text: "x" }, ["edit a.docx"]],
  ["create_document", { filename: "a.docx" }, ["create a.docx"]],
  ["add_slide", { prs_path: "a.pptx" }, ["edit a.pptx"]],
  ["documentReader", { filePath: "a.pdf" }, ["read a.pdf"]],
  ["launch", { cmd: "npm test" }, ["command npm test"]],
  ["frobnicate", { path: "a", content: "x" }, ["create a"]],
  ["frobnicate", { path: "a", old_string: "x", new_string: "y" }, ["edit a"]],
  ["frobnicate", { path: "a" }, ["other"]],
  ["update_issue", { id: "ENT-1", description: "x" }, ["other"]],
  ["get_page", { path: "https://x.org/a" }, ["list https://x.org/a"]],
  ["git_status", { repo_path: "/srv/git" }, ["other"]],
])("infers what an unknown tool %s does", (name, args, expected) => {
  expect(told(actionsOf(call(name, args)))).toEqual(expected);
});

test("[R36] reads every file that a patch names", () => {
  const patch = `*** Begin Patch
*** Update File: src/a.ts
@@
-x
+y
*** Add File: src/b.ts
+z
*** Delete File: c.ts
*** Update File: d.ts
*** Move to: e.ts
*** End Patch`;
  const expected = ["edit src/a.ts", "create src/b.ts", "delete c.ts", "move d.ts e.ts"];
  expect(told(actionsOf(call("apply_patch", { input: patch })))).toEqual(expected);
  expect(told(actionsOf(call("apply_patch", patch)))).toEqual(expected);
  expect(told(actionsOf(call("shell", { command: ["apply_patch", patch] }))).slice(1)).toEqual(expected);
});

test("reads the files of a unified diff", () => {
  const patch = "--- a/x.ts\n+++ b/x.ts\n@@\n--- /dev/null\n+++ b/new.ts\n--- a/old.ts\n+++ /dev/null\n";
  expect(told(actionsOf(call("patch", { patchText: patch })))).toEqual([
    "edit x.ts",
    "create new.ts",
    "delete old.ts",
  ]);
});

test.each([
  ["Edit", "<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>"],
  ["Edit", "The user doesn't want to proceed with this tool use. The tool use was rejected"],
  ["edit", "Could not find the exact text in a.ts. The old text must match exactly."],
  ["Edit", "Found 3 matches of the string to replace, but replace_all is false."],
  ["Write", "ENOENT: no such file or directory, open 'a.ts'"],
  ["Read", "File does not exist."],
  ["str_replace_editor", "ERROR:\nNo replacement was performed, old_str `x` did not appear verbatim"],
  ["editor", '{"query":"edit:a.ts","result":"","success":false}'],
  ["write_file", '{"content":[{"type":"text","text":"Access denied"}],"isError":true}'],
])("[R40] a failed %s touches no file", (name, text) => {
  const args = { file_path: "a.ts", path: "a.ts", command: "str_replace", old_text: "x" };
  expect(actionsOf(call(name, args), result(text)).filter(({ path }) => path === "a.ts")).toEqual([]);
  expect(actionsOf(call(name, args), result("ok", true))).toEqual([]);
});

test("a file that talks of errors was read all the same", () => {
  const text = `Error: this is the manual of errors.\n${"More on errors and failures. ".repeat(60)}`;
  expect(told(actionsOf(call("Read", { file_path: "errors.md" }), result(text)))).toEqual(["read errors.md"]);
});

test("a whole write over a file that was there is an edit", () => {
  const args = { file_path: "a.ts", content: "x" };
  expect(told(actionsOf(call("Write", args), result("File created successfully at: a.ts")))).toEqual([
    "create a.ts",
  ]);
  expect(told(actionsOf(call("Write", args), result("The file a.ts has been updated.")))).toEqual([
    "edit a.ts",
  ]);
});

test("a view of a folder is a listing", () => {
  const text = "Here's the files and directories up to 2 levels deep in /w, excluding hidden items:\n/w/a";
  expect(told(actionsOf(call("str_replace_editor", { command: "view", path: "/w" }), result(text)))).toEqual([
    "list /w",
  ]);
});

test("an edit of the open file is named by its result", () => {
  const text = "[File: /w/a.py (20 lines total)]\n1:import x";
  expect(told(actionsOf(call("edit", { search: "x", replace: "y" }), result(text)))).toEqual([
    "edit /w/a.py",
  ]);
  expect(actionsOf(call("edit", { search: "x", replace: "y" }), result("done"))).toEqual([]);
});

test("a command that failed leaves its files uncounted, and the command itself stays", () => {
  const rm = call("Bash", { command: "rm a.ts" });
  expect(told(actionsOf(rm, result("")))).toEqual(["command rm a.ts", "delete a.ts"]);
  expect(told(actionsOf(rm, result("Exit code 1\nrm: a.ts: Permission denied")))).toEqual([
    "command rm a.ts",
  ]);
  const both = call("Bash", { command: "cat a.ts; cat b.ts" });
  expect(told(actionsOf(both, result("cat: a.ts: No such file or directory\nhello\nexit code: 0")))).toEqual([
    "command cat a.ts; cat b.ts",
    "read b.ts",
  ]);
});

test.each([
  "",
  "null",
  "[]",
  "{",
  "{}",
  '{"file_path":7}',
  '{"file_path":null,"command":{}}',
  '{"paths":[null,[],{"path":{}}]}',
  "\ufeff{}",
  "\ud800",
])("bears the arguments %j", (args) => {
  for (const name of Object.values(VOCABULARIES).flatMap(Object.keys)) {
    expect(actionsOf(call(name, args)).filter(({ kind }) => kind === "read" || kind === "delete")).toEqual(
      [],
    );
  }
  expect(actionsOf(call("", args))).toHaveLength(1);
});
