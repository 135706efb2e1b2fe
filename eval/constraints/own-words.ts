/** The user's own words in a message: what programs put around them, or wrote themselves under the user's role, is taken off. */
import { textOf, type WireMessage } from "../measure/wire-message.ts";

const leading = /^(?:\s*<([a-z][\w-]*)>[\s\S]*?<\/\1>)+/;
const trailing = /(?:<([a-z][\w-]*)>(?:(?!<\1>)[\s\S])*<\/\1>\s*)+$/;
const notices =
  /^(?:Caveat:|Base directory for this skill:|\[Request interrupted|Operation stopped by hook|Stop hook feedback|# AGENTS\.md instructions|This session is being continued)/;

/** Empty where a program wrote all of it. */
export function ownWords(message: WireMessage): string {
  if (message.role !== "user") return "";
  const words = textOf(message).replace(leading, "").replace(trailing, "").trim();
  return notices.test(words) ? "" : words;
}

/** The newest thing that a person said. After "Launching skill: pdf" a program says the skill's text. */
export function latestAsk(messages: readonly WireMessage[]): string {
  const isSkill = (at: number) => at > 0 && /^Launching skill: /.test(textOf(messages[at - 1]!));
  const said = messages.map((message, at) => (isSkill(at) ? "" : ownWords(message)));
  return said.findLast((words) => /\p{L}/u.test(words)) ?? "";
}
