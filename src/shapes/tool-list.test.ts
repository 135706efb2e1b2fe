import { expect, test } from "vitest";
import { toolLines } from "./tool-list.ts";

const told = (text: string) => toolLines(text)?.map((line) => line.text);

test("descriptions of tools are told by names and parameters, what may be left out marked", () => {
  const yaml = [
    "success: true",
    "matched_tools:",
    "- server_name: museum",
    "  tool_name: search-objects",
    "  tool_description: Search for objects. The parameter",
    "    title should be true where you search by title.",
    "  inputschema:",
    "    q: (string) The search query, returns a listing of all",
    "      that contain it: see below",
    "    title: (Optional, boolean) Search by title",
    "- server_name: museum",
    "  tool_name: list-departments",
    "  tool_description: List all departments",
    "  inputschema: {}",
  ];
  expect(told(yaml.join("\n"))).toEqual([
    "2 rows; tool(parameters)",
    "  museum search-objects(q, title?)",
    "  museum list-departments()",
  ]);
});

test("so are those in JSON, as MCP and as model providers write them", () => {
  const schema = { type: "object", properties: { path: {}, limit: {} }, required: ["path"] };
  const mcp = { tools: [{ name: "read", description: "Reads.", inputSchema: schema }] };
  expect(told(JSON.stringify(mcp))).toEqual(["1 row; tool(parameters)", "  read(path, limit?)"]);
  const chat = [{ type: "function", function: { name: "read", description: "Reads.", parameters: schema } }];
  expect(told(JSON.stringify(chat))![1]).toBe("  read(path, limit?)");
});

test("a text that describes no tool is no list of tools", () => {
  for (const text of [
    "The inputSchema needs a description.",
    '{"name": "x", "description": "y"}',
    "name: x\ndescription: y",
    "",
  ]) {
    expect(toolLines(text)).toBeUndefined();
  }
});
