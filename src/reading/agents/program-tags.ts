/** What agent programs put under the user's role, as data: tags around their notices, and how they report what a person did. */

/** How blocks that programs write into a user's message open and end; nothing in them was typed. */
const BLOCK_NAME =
  "(system-reminder|local-command-[a-z]+|command-message|command-contents|bash-stdout|bash-stderr|task-notification|user-prompt-submit-hook|user-memory-input|new-diagnostics|ide_[a-z_]+|environment_[a-z]+|INSTRUCTIONS|user_instructions|permissions instructions|collaboration_mode)";
export const BLOCK_START = new RegExp(`<${BLOCK_NAME}(?:\\s[^<>]{0,200})?>`, "g");
export const BLOCK_END = new RegExp(`</${BLOCK_NAME}>(?:\\s*Full transcript available at: \\S+)?`, "g");

/** How the one opens that programs put behind an answer. */
export const REMINDER = "<system-reminder>";

/** A slash command as it was typed. */
export const SLASH_COMMAND =
  /<command-name>([^<]{1,240})<\/command-name>|<command-args>((?:(?!<command-args>)[\s\S])*?)<\/command-args>|<bash-input>((?:(?!<bash-input>)[\s\S])*?)<\/bash-input>/g;

/** Commands that only steer the agent's program: nobody asks the agent for anything by them. */
export const STEERING =
  /^\/(?:exit|quit|clear|model|ide|compact|config|cost|login|logout|status|context|mcp|memory|hooks|agents|permissions|terminal-setup|vim|doctor|resume|release-notes|plugins?|usage|help|theme|bashes|export|rewind|statusline|add-dir|upgrade|fast)\b/;

/** The user stopped the agent. */
export const INTERRUPTION = /^\s*\[Request interrupted by user[^\]\n]{0,60}\]/;

/** The words with which a person declined a call, behind what the program says about it. */
export const DECLINED_WITH = /the user said:\n?([\s\S]+)$/;

/** Where a text that nobody typed comes from. */
export const ORIGINS: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/^\s*Base directory for this skill: \S*?([^/\s]+)\/?\s*$/m, (match) => `skill ${match[1]}`],
  [/^\s*# ([\w -]{1,60}) Command\s*$/m, (match) => `command ${match[1]}`],
  [
    /^\s*(?:Operation stopped by hook|\w+ hook (?:feedback|blocking error|additional context)):?[ \n]*([^\n]{0,160})/,
    (match) => `hook: ${match[1]}`,
  ],
  [/^\s*<task-notification>[\s\S]*?<summary>([^<]{1,200})/, (match) => `notice: ${match[1]}`],
  [/^\s*# AGENTS\.md instructions/, () => "project instructions"],
  [/^\s*Here is a demonstration of how to /, () => "a demonstration"],
];

/** Tools through which an agent speaks to people or lets others work: what they carry is said, not printed. */
export const PLAN_KEYS: readonly string[] = ["plan"];
export const THOUGHT_KEYS: readonly string[] = ["thought", "thoughts"];
export const QUESTION_TOOL =
  /^(?:ask_?user_?question|ask_?followup_?question|ask_?human|request_?user_?input)$/i;
export const REPORT_TOOL = /^(?:task|agent|dispatch_agent|new_task|sub_?agent|spawn_agent|wait_agent)$/i;
