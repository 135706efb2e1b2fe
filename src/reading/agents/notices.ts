/** What agent programs themselves say in the place of a tool's answer, as data: that a person said no, that a call failed. */

/** What all of these, and all that is put around an answer, start with: a quick look. Whatever is added below must start so, too. */
export const NOTICE = /^\s*(?:[<{[]|meta=|Exit code: |The |User |Request |Claude )/i;

/** A person said no, or stopped it. */
export const DECLINED =
  /^\s*(?:<tool_use_error>)?(?:The user (?:doesn't want|does not want|rejected|declined|denied)|User (?:rejected|declined|denied|cancell?ed)|\[Request interrupted|Request interrupted|Claude requested permissions)/i;

/** Clients mark a failed call by these, whatever its length. */
export const TAGGED = /^\s*(?:<tool_use_error>|<error>|The tool execution failed|Exit code: [1-9])/i;

/** What a shell tool says of itself on a line below what the command printed. */
export const BELOW_OUTPUT = "Shell cwd was reset to ";

/** How an answer opens that says that the call failed. */
export const FAILURE =
  /^\s*(?:(?:\w{0,40}(?:Error|Exception)|error|fatal|failed|failure)(?:\b[^\n:]{0,60})?:(?:\s|$)|Error (?:executing|calling|running|reading|writing|editing|in|while)\b|Traceback \(most recent call last\)|Failed to\b|apply_patch verification failed|Tool call (?:timed out|failed)|Ran into \[Errno|\[Errno|E(?:ISDIR|NOENT|ACCES|PERM|NOTDIR|EXIST)\b|(?:File|Path|Directory)\b[^\n]{0,300}? (?:does not exist|not found)|Unknown (?:skill|tool|command|agent)\b|No such file|Permission denied|Access denied|File content \([^)\n]{1,40}\) exceeds|Invalid `?\w+`? parameter|MCP error|Sibling tool call errored|InputValidationError|Could not (?:find|read|open)|Cannot (?:find|read|open)|[[{][^\n]{0,2000}"success"\s*:\s*false|\{\s*"(?:error|exception)"\s*:\s*"[^"]|\{[^{}]{0,200}"status"\s*:\s*"(?:error|fail))/i;

/** The same of an edit that found nothing to change. */
export const UNCHANGED =
  /^\s*(?:Found \d+ (?:matches|occurrences)|String to replace not found|No changes (?:to make|made)|No (?:replacement|match|edit|change)s? (?:was |were )?(?:performed|found|applied|made)|File has (?:not been read|been modified)|(?:old_str|oldString|old_string|Search (?:text|block|string))\b[^\n]{0,200}?not found)/i;

/** What a program says of a command that printed nothing: for a short text without white space around it. */
export const SAID_NOTHING =
  /^[([<]*(?:(?:Bash|Command|Your command|Tool|The command)?\b[^\n]{0,60}?\b(?:no|without|not produce any)\b[^\n]{0,20}\boutput\b[^\n]{0,40})?$/i;
