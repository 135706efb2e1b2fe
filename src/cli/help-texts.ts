/** What follows the flags in the help of each command: examples, the form of lines, exit codes. */

export const compactHelp = `
Examples:
  pith compact session.json --target 30% -o smaller.json
  pith compact - --window 200000 --preset gptme < session.json > smaller.json
  pith compact session.json --target 8000 --dry-run
  pith compact --jsonl jobs.jsonl > answers.jsonl

A job: {"id", "messages", "window"?, "targetTokens"?, "preset"?, "tools"?}
An answer: {"id", "messages", "report"} or {"id", "error": {"code", "message"}}
Exit codes: 0 done, 2 wrong flags or unreadable input, 3 the target cannot be reached, 4 another failure.`;

export const planHelp = `
Examples:
  pith plan session.json --target 30%
  pith plan session.json --window 128000 --preset synthorg+degraded --json`;

export const recallHelp = `
Examples:
  pith recall "which port does the test server use"
  pith recall --expand pith:0g1q2v3j4x5z > original.txt
  pith recall --expand pith:0g1q2v3j4x5z#7 --max-tokens 2000
  pith recall --jsonl questions.jsonl --archive work.sqlite > answers.jsonl

An answer: {"id", "results": [{"conversationId", "message", "id", "score", "snippet"}]}
Exit codes: 0 done (even if nothing was found), 2 wrong flags or unreadable input, 4 an unknown id or an archive that fails.`;

export const undoHelp = `
Examples:
  pith undo smaller.jsonl -o session.jsonl
  pith undo smaller.json --archive work.sqlite > session.json

What was added to the file since stays at its end. Secrets come back masked. It takes back one compaction: run it again for the one before.
Exit codes: 0 done, 2 wrong flags or unreadable input, 4 the archive does not have what it was.`;

export const importHelp = `
Examples:
  pith archive import ~/.claude/projects
  pith archive import ~/.codex/sessions session.jsonl request.json --archive work.sqlite
  pith archive import --jsonl conversations.jsonl

What in a folder is no conversation is left out. Each conversation is one line on stdout: {"id", "messages", "new", "title"?, "file"}.
Exit codes: 0 done (also if there was nothing new), 2 wrong flags or a file that cannot be read, 4 an archive that fails.`;

export const replayHelp = `
Examples:
  pith replay session.json --window 128000 --recall --plot replay.svg
  pith replay session.json --model gpt-4o --strategy nothing balanced --prices prices.json --json

Price tables: {"NAME": {"fresh", "cacheWrite", "cacheRead", "output"}}, per million tokens, in any currency.`;

export const inspectHelp = `
Examples:
  pith inspect session.jsonl
  pith inspect session.json --target 30% --export session.html
  pith inspect --archive work.sqlite --read-only --no-open

A file is read into memory: what you apply on the page is gone when the command ends.
Exit codes: 0 done, 2 wrong flags or unreadable input, 3 the target cannot be reached, 4 an archive that fails.`;

export const mcpHelp = `
Examples:
  pith mcp --archive ~/project/.pith/archive.sqlite
  PITH_MCP_KEY=… pith mcp --http --host 0.0.0.0 --port 8080

It needs the package @modelcontextprotocol/server@2 beside Pith.
Over HTTP it answers at /mcp. stdout carries the protocol, stderr messages for people.`;

export const gatewayHelp = `
Examples:
  pith gateway --upstream https://api.openai.com
  pith gateway --upstream openai=https://api.openai.com anthropic=https://api.anthropic.com
  pith gateway --upstream http://localhost:11434 --window 32768 --archive work.sqlite

Set the gateway's address as the agent's base URL; the agent keeps its own key. stderr has one JSON line per request.
Every flag can also be given as an environment variable, such as PITH_UPSTREAM.`;

export const doctorHelp = `
Examples:
  pith doctor
  pith doctor --model gpt-4o --preset hermes --json
  pith doctor --config gateway.json`;
