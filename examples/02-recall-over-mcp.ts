/** Recall over MCP: an MCP client finds and opens what a compaction left out, as Claude Code or Codex would. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createCompactor } from "pith";
import { sqliteArchive } from "pith/archive/sqlite";

const messages = JSON.parse(readFileSync(new URL("./coding-session.json", import.meta.url), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "pith-example-"));
const file = join(folder, "archive.sqlite");

const archive = sqliteArchive({ file });
const { messages: compacted } = await createCompactor({ archive, target: "10%" }).compact(messages);
await archive.close?.();
const [id] = /pith:[0-9a-z]{8,}/.exec(JSON.stringify(compacted)) ?? [];
assert.ok(id, "the compacted conversation names an original");

const program = fileURLToPath(new URL("cli/main.js", import.meta.resolve("pith")));
const server = { command: process.execPath, args: [program, "mcp", "--archive", file] };
const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(new StdioClientTransport(server));

const ask = async (name: string, given: Record<string, unknown>): Promise<string> => {
  const { content, isError } = await client.callTool({ name, arguments: given });
  assert.ok(!isError && content[0]?.type === "text", `${name} answers with text`);
  return content[0].text;
};

const opened = await ask("recall_expand", { id, max_tokens: 500 });
const found = await ask("recall_search", { query: "which installer was to be removed?", max_tokens: 500 });
console.log(`${opened}\n\n${found}`);

assert.match(opened, /\[showing .* characters/, "the original says how much of it is shown");
assert.match(found, /pith:[0-9a-z]{8,}/, "every result can be opened by its id");

await client.close();
rmSync(folder, { recursive: true });
