/** What kind of output the tools of the common agents give, as data. */

/** Tool names, lower case, without what an MCP client puts before them. The first row that matches counts. */
export const TOOL_NAMES: readonly (readonly [kind: string, name: RegExp])[] = [
  [
    "shell",
    /^(?:bash|shell|sh|zsh|exec|execute_?bash|exec_?command|run_?(?:shell_?)?command|run_?terminal_?cmd|local_shell|powershell|terminal|write_stdin|run_in_terminal|bashoutput|process)$/,
  ],
  [
    "web-search",
    /web_?search|search_?web|google_?search|brave|tavily|duckduckgo|bing|search_?wikipedia|internet_?search/,
  ],
  ["web-page", /web_?fetch|fetch_?(?:url|page|html)|^fetch$|browse|get_page_text|scrape|read_?url|visit/],
  [
    "file-read",
    /^(?:read|cat|view|open|open_file|read_?(?:text_?)?file|view_?file|str_replace_(?:based_)?(?:editor|edit_tool)|notebookread|get_file_contents|show_file)$/,
  ],
  [
    "grep-results",
    /^(?:grep|rg|ripgrep|grep_?search|search_?(?:files?|code|in_files)|file_?search|codebase_search|search_dir)$/,
  ],
  [
    "directory-listing",
    /^(?:ls|glob|find|tree|list_?(?:dir|directory|files)|find_?files?|directory_tree|list_?allowed)/,
  ],
  [
    "database-rows",
    /sql|(?:^|_)query(?:$|_(?:db|database|rows?))|run_?query|execute_?query|database|bigquery|select_rows/,
  ],
  ["diff", /^(?:git_?)?diff|fetch_?(?:pr|pull)|get_?(?:pr|pull_request)_?(?:diff|patch)/],
  ["test-run", /^(?:run_?)?tests?$|run_?unit_?tests/],
  ["api-response", /^(?:http|api|rest|graphql|curl|request|get|list|create|update|post|search)(?:_|$)/],
];
