/**
 * Skill texts: a program that loads a skill answers the call with "Launching skill: pdf" and then says the skill's text under
 * the user's role. Nobody asked or demanded what stands in it.
 */
import { carriesResults, type Message, toolResultsOf } from "./message.ts";
import type { Part, TextPart } from "./part.ts";

const LAUNCH = /^Launching skill: /;

const isLaunch = (part: Part): boolean => part.type === "tool-result" && LAUNCH.test(part.text);

/** The same list, or one in which the messages that hold nothing but a skill's text are marked as loaded. */
export function withSkillTexts(messages: readonly Message[]): readonly Message[] {
  let found = false;
  const marked = messages.map((message, at) => {
    if (message.role !== "user" || message.loaded || at === 0 || carriesResults(message)) return message;
    const last = toolResultsOf(messages[at - 1]!).at(-1);
    if (last === undefined || !isLaunch(last)) return message;
    found = true;
    return { ...message, loaded: true };
  });
  return found ? marked : messages;
}

/** The texts of a message that no skill brought with its result. */
export function textsBesideSkills(message: Message): readonly TextPart[] {
  if (message.loaded) return [];
  let launched = false;
  return message.parts.filter((part): part is TextPart => {
    if (part.type !== "text") {
      launched ||= isLaunch(part);
      return false;
    }
    const isSkill = launched;
    launched = false;
    return !isSkill;
  });
}
