/** What agent programs themselves say in the place of a tool's answer, as data: that a person said no, that a call failed. */

/** What all of these, and all that is put around an answer, start with: a quick look. */
export const NOTICE = /^\s*(?:[<{[]|meta=|Exit code: |The |User |Request |Claude )/i;

/** A person said no, or stopped it. */
export const DECLINED =
  /^\s*(?:<tool_use_error>)?(?:The user (?:doesn't want|does not want|rejected|declined|denied)|User (?:rejected|declined|denied|cancell?ed)|\[Request interrupted|Request interrupted|Claude requested permissions)/i;

/** Clients mark a failed call by these, whatever its length. */
export const TAGGED = /^\s*(?:<tool_use_error>|<error>|The tool execution failed|Exit code: [1-9])/i;

/** What a shell tool says of itself on a line below what the command printed. */
export const BELOW_OUTPUT = "Shell cwd was reset to ";
