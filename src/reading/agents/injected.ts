/** What agent programs write into the user's messages, as data: how whole messages of theirs open, and what surrounds the user's. */

/** How agent programs open the messages that they put in the user's mouth. */
export const INJECTED_OPENING =
  /^\s{0,20}(?:Base directory for this skill:|Caveat: The messages below were generated|\[Request interrupted|This session is being continued from a previous conversation|# AGENTS\.md instructions|\[(?:CONTEXT COMPACTION|CONTEXT SUMMARY|SUMMARY)\]|Operation stopped by hook|(?:Stop|PreToolUse|PostToolUse|UserPromptSubmit) hook (?:feedback|blocking error|additional context)|\[ERROR\] You did not use a tool|\[TASK RESUMPTION\]|EXECUTION RESULT of \[\w{1,60}\]:\n|Here is a demonstration of how to correctly accomplish this task|\[pith: messages left out\]|\[not shown[\]:])/;

/** What SWE-agent shows of its shell ends in where it is and a prompt; so does the task that it sets at first. */
export const SHELL_SCREEN =
  /\(Open file: [^\n]{0,300}\)\n\(Current directory: [^\n]{0,300}\)\n(?:\(Interactive session: [^\n]{0,300}\)\n)?bash-\$\s{0,20}$/;
export const SHELL_TASK = /^We're currently solving/;

/** Tags whose content is what the user typed: only the tags themselves are left out. */
export const USER_TAGS = new Set(
  "task task_description user_query user_request user_message user-message feedback query question request goal objective requirements constraints issue issue_description pr_description problem problem_statement specification acceptance_criteria command-args shortened".split(
    " ",
  ),
);

/** The lines around what agent programs show their model of how a session goes. */
export const EXAMPLE_EDGE = /^-{3,} ?(START OF |END OF )?(?:EXAMPLE|DEMONSTRATION) ?-{3,}$/gm;

/** Lines that agent programs add to a message that a person typed or approved. */
export const NOTICE_LINE = /^If you need specific details from before exiting plan mode\b/;
