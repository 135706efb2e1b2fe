/** What kind of output the tools of the common agents give: by name, then by what the vocabulary says that they do. */
import { baseName, meaningOf, type ToolVerb } from "./tool-vocabulary.ts";

/** Every kind that a tool's output is taken for: by the call that asked for it, or by how the text looks. */
export type OutputKind =
  | "api-response"
  | "csv"
  | "database-rows"
  | "diff"
  | "directory-listing"
  | "file-read"
  | "grep-results"
  | "html"
  | "json"
  | "log"
  | "records"
  | "test-run"
  | "text"
  | "web-page"
  | "web-search"
  | "yaml";

/** What a tool's name says of its output: `shell` is any kind, as the command has it. */
export type ToolKind = OutputKind | "shell";

/** The kind that follows from what a tool does; of an editor's outputs only what it views is long. */
const KINDS_BY_VERB: Readonly<Partial<Record<ToolVerb, ToolKind>>> = {
  read: "file-read",
  "by-command": "file-read",
  list: "directory-listing",
  search: "grep-results",
  command: "shell",
};

/**
 * Tool names, lower case, without what an MCP client puts before them, that no vocabulary has, or whose output is of
 * another kind than what they do says: a `Glob` searches, and lists files. The first row that matches counts.
 */
const TOOL_NAMES: readonly (readonly [kind: ToolKind, name: RegExp])[] = [
  ["shell", /^(?:sh|zsh|exec|run_?command|write_stdin|bash_?output|process)$/],
  [
    "web-search",
    /web_?search|search_?web|google_?search|brave|tavily|duckduckgo|bing|search_?wikipedia|internet_?search/,
  ],
  ["web-page", /web_?fetch|fetch_?(?:url|page|html)|^fetch$|browse|get_page_text|scrape|read_?url|visit/],
  ["file-read", /^(?:cat|open_file|view_?file|get_file_contents|show_file)$/],
  ["grep-results", /^(?:rg|ripgrep|search_?(?:code|in_files))$/],
  ["directory-listing", /^(?:ls(?:_|$)|glob|find|tree|list_?(?:dir|files))/],
  [
    "database-rows",
    /sql|(?:^|_)query(?:$|_(?:db|database|rows?))|run_?query|execute_?query|database|bigquery|select_rows/,
  ],
  ["diff", /^(?:git_?)?diff|fetch_?(?:pr|pull)|get_?(?:pr|pull_request)_?(?:diff|patch)/],
  ["test-run", /^(?:run_?)?tests?$|run_?unit_?tests/],
  ["text", /^tool_?search$/],
];

/** What a name of no known tool may still say. */
const API_NAME = /^(?:http|api|rest|graphql|curl|request|get|list|create|update|post|search)(?:_|$)/;

/** The kind of output that a tool of that name gives; undefined when the name says nothing. */
export function kindOfTool(name: string): ToolKind | undefined {
  if (!toolKinds.has(name)) {
    if (toolKinds.size >= MAX_NAMES) toolKinds.clear();
    toolKinds.set(name, readKind(name));
  }
  return toolKinds.get(name);
}

/** A conversation has few tools and many calls. */
const toolKinds = new Map<string, ToolKind | undefined>();
const MAX_NAMES = 1_000;

function readKind(name: string): ToolKind | undefined {
  const plain = plainName(name);
  const named = TOOL_NAMES.find(([, pattern]) => pattern.test(plain))?.[0];
  const does = meaningOf(name)?.does;
  return named ?? (does && KINDS_BY_VERB[does]) ?? (API_NAME.test(plain) ? "api-response" : undefined);
}

/** `mcp__linear__list_issues` → `list_issues`, `functions.Read` → `read`, `getPageText` → `get_page_text`. */
function plainName(name: string): string {
  return baseName(name)
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/-/g, "_")
    .toLowerCase()
    .replace(/^_+/, "");
}
