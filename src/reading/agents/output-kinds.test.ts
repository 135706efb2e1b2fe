import { expect, test } from "vitest";
import { kindOfTool } from "./output-kinds.ts";
import { type ToolVerb, VOCABULARIES } from "./tool-vocabulary.ts";

function namesOf(verb: ToolVerb): readonly string[] {
  return Object.values(VOCABULARIES).flatMap((tools) =>
    Object.entries(tools).flatMap(([name, [does]]) => (does === verb ? [name] : [])),
  );
}

function kindsOf(verb: ToolVerb): ReadonlySet<string | undefined> {
  return new Set(namesOf(verb).map(kindOfTool));
}

test("what every tool of the vocabulary does tells the kind of its output", () => {
  expect([...kindsOf("read")]).toEqual(["file-read"]);
  expect([...kindsOf("by-command")]).toEqual(["file-read"]);
  expect([...kindsOf("list")]).toEqual(["directory-listing"]);
  expect([...kindsOf("command")]).toEqual(["shell"]);
  expect(kindsOf("web")).toEqual(new Set(["web-page", "web-search"]));
  expect(kindsOf("search")).toEqual(new Set(["directory-listing", "grep-results", "text"]));
});

test("a search that answers with names of files is a listing", () => {
  for (const name of ["Glob", "glob", "find", "find_file"])
    expect(kindOfTool(name)).toBe("directory-listing");
  for (const name of ["Grep", "LSP", "search_file_content"]) expect(kindOfTool(name)).toBe("grep-results");
});

test("a name that no vocabulary has says what it can, however a client spells it", () => {
  expect(kindOfTool("functions.cat")).toBe("file-read");
  expect(kindOfTool("BashOutput")).toBe("shell");
  expect(kindOfTool("mcp__linear__list_issues")).toBe("api-response");
  expect(kindOfTool("mcp__fs__read-multiple-files")).toBe("file-read");
  expect(kindOfTool("ask_oracle")).toBeUndefined();
});
