/** Files and notices by which agent programs are given instructions, as data: what they are called, and how they are told of. */

/** Files that hold instructions for agents, wherever they are read from. */
export const INSTRUCTION_FILE =
  /(?:[\w.-]{1,80}\/)?(?:SKILL|AGENTS|CLAUDE|GEMINI|CONVENTIONS)\.md\b|\.cursorrules\b|\.cursor\/rules\/[\w.-]{1,80}|\bcopilot-instructions\.md\b/;

/** What a text without any of these need not be searched for them. */
export const INSTRUCTION_WORDS = /[A-Z]\.md|\.cursor|copilot-/;

/** What agent programs put in the user's mouth when a skill or a policy file is loaded; where it came from, as they wrote it. */
export const LOADED_INSTRUCTIONS =
  /^\s{0,20}(?:Base directory for this skill:|# (?=AGENTS\.md instructions))[ \t]{0,4}([^\n]{1,200})/;

/** A file in which an agent program keeps a plan of its own: no part of the work. */
export const PLAN_FILE = /[\\/]\.claude[\\/]plans[\\/]/;
