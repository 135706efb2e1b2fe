/**
 * Skill texts: a program that loads a skill answers the call with "Launching skill: pdf" and then says the skill's text under
 * the user's role. Nobody asked or demanded what is in it.
 */
import { carriesResults, type Message, messageWith, toolCallsOf } from "./message.ts";
import type { Part } from "./part.ts";

/** Tools that load a skill, by the usual names, whatever server they come through. */
export const SKILL_TOOL =
  /(?:^|[_./:])(?:load_|use_|read_|get_|view_|activate_)?skill(?:_view|_load|_read)?$/i;

const LAUNCH = /^Launching skill: /;

/** The same list where no skill is loaded, else one in which the messages with skills' texts say so: one text for each that was launched. */
export function withSkillTexts(messages: readonly Message[]): readonly Message[] {
  // Hardly any conversation loads one, and every request is looked at.
  return messages.some(loadsSkill) ? marked(messages) : messages;
}

function loadsSkill({ role, parts }: Message): boolean {
  if (role !== "assistant") return false;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (part.type === "tool-call" && SKILL_TOOL.test(part.name)) return true;
  }
  return false;
}

function marked(messages: readonly Message[]): readonly Message[] {
  let callers = NO_CALLERS;
  let launched = 0;
  const isLaunch = (part: Part) =>
    part.type === "tool-result" && callers.has(part.pairId) && LAUNCH.test(part.text);
  return messages.map((message) => {
    if (message.role === "assistant") {
      callers = loadsSkill(message) ? skillCallers(message) : NO_CALLERS;
      launched = 0;
    }
    if (callers.size === 0) return message;
    const texts = message.parts.filter(({ type }) => type === "text").length;
    launched += message.parts.filter(isLaunch).length;
    if (message.role !== "user" || texts === 0) return message;
    // With the results come the texts of all; a message of its own is the text of one.
    const loaded = Math.min(launched, carriesResults(message) ? texts : 1);
    launched -= loaded;
    return loaded === 0 ? message : messageWith(message, { loaded });
  });
}

const NO_CALLERS: ReadonlySet<string> = new Set();

function skillCallers(message: Message): ReadonlySet<string> {
  const loading = toolCallsOf(message).filter(({ name }) => SKILL_TOOL.test(name));
  return new Set(loading.map(({ pairId }) => pairId));
}
