/** What a person asked last and the rules they laid down are still there, word for word, within the share that they have (R8, R37). */
import { handoffIn } from "../../conversation/handoffs/separate.ts";
import { type Message, textOfMessage } from "../../conversation/message.ts";
import { rulesIn } from "../facts.ts";
import { NUMBERS } from "../numbers.ts";
import { readConversation } from "../reading.ts";
import { scan } from "../words.ts";
import { quotable } from "../write.ts";
import type { Invariant } from "./invariant.ts";

export const userWordsSurvive = survival(rulesIn);
/** In bare form no rules are carried. */
export const askSurvives = survival(() => []);

function survival(rulesOf: (readings: ReturnType<typeof readConversation>) => readonly string[]): Invariant {
  const broken: Invariant["broken"] = (before, after) => {
    const readings = readConversation(before);
    const words = readings.map(({ words }) => words.filter(({ speaker }) => speaker === "person"));
    const latest = words.findLast((typed) => typed.length > 0) ?? [];
    const lines = latest
      .flatMap(({ text }) => text.split("\n"))
      .filter((line) => LETTER.test(line) && !MEDIA.test(line));
    const rules = rulesOf(readings);
    if (lines.length === 0 && rules.length === 0) return [];
    const room = Math.max(
      NUMBERS.least - NUMBERS.frame,
      after.reduce((sum, message) => sum + writtenIn(message).length, 0) / NUMBERS.characters,
    );
    let texts: readonly string[] | undefined;
    const isThere = (line: string) => {
      if (after.some((message) => textOfMessage(message).includes(line.trim()))) return true;
      texts ??= after.map(flat);
      return texts.some((text) => text.includes(plain(line)));
    };
    const mustBeThere = [
      ...(sizeOf(lines) <= room * SHARE.ask ? lines : []),
      ...(sizeOf(rules) <= room * SHARE.rules ? rules : []),
    ];
    const missing = mustBeThere.filter((line) => !isThere(line));
    return [...new Set(missing)].map(
      (line) => `the user's words are gone: ${JSON.stringify(line.trim().slice(0, 120))}`,
    );
  };
  return { name: "user-words-survive", broken };
}

/** What was written of a message: how much of the rest stays is not the ask's to share. */
function writtenIn(message: Message): string {
  if (message.role === "system") return "";
  const isWritten = message.position < 0 || message.changed;
  return handoffIn(message)?.framed ?? (isWritten ? textOfMessage(message) : "");
}

/** Of what is written, what the newest ask and the rules may take before something of them may be left out. */
const SHARE = { ask: 1 / 5, rules: 1 / 12 };
const OTHERS = /[^\p{ASCII}]/gu;
const LETTER = /[\p{L}\p{N}]/u;
const MEDIA = /^\[(?:image|audio|document)\b[^\]]*\]$/;

/** In estimated tokens; a letter that is none of ASCII may take one by itself. */
function sizeOf(lines: readonly string[]): number {
  const others = (line: string) => line.match(OTHERS)?.length ?? 0;
  const sizeOfLine = (line: string) =>
    scan(line, 0, line.length, []).tenths / 10 + others(line) + NUMBERS.overhead;
  return lines.reduce((sum, line) => sum + sizeOfLine(line), 0);
}

/** As it reads when lines are broken or moved in. */
function flat(message: Message): string {
  return plain(textOfMessage(message));
}

function plain(text: string): string {
  return quotable(text)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
