/** The text summary of source 3 (F58): assistant messages only, 100 characters each, 500 in all. */

import { isHandoffMessage } from "../conversation/handoffs/separate.ts";
import { type Message, proseOf } from "../conversation/message.ts";
import type { Policy } from "../policy/policy.ts";
import { quotedAfterLabel } from "../reading/handoffs/quoted.ts";
import { placesByDensity } from "../sources/synthorg/density.ts";
import { splitSentences } from "../text/sentences.ts";

const SNIPPET_CHARS = 100;
const SUMMARY_CHARS = 500;

/**
 * `[Archived 12 messages. Summary of prior work: Read the config; Fixed the parser]`. An earlier summary is not quoted again
 * (R21), and where the policy asks for density, nor are those of them that say least (F69).
 */
export function textSummary(messages: readonly Message[], density?: Policy["density"]): string {
  const told = messages.filter((message) => message.role === "assistant" && !isHandoffMessage(message));
  const slight = new Set(density && slightestOf(told, density));
  const snippets = told
    .filter((_, at) => !slight.has(at))
    .map((message) => cut(sanitise(proseOf(message)), SNIPPET_CHARS).trim())
    .filter((snippet) => snippet !== "");
  const joined = snippets.join("; ");
  const capped = joined.length > SUMMARY_CHARS ? `${cut(joined, SUMMARY_CHARS)}...` : joined;
  return archived(messages.length, capped);
}

function slightestOf(messages: readonly Message[], { by, slight }: NonNullable<Policy["density"]>) {
  return placesByDensity(messages.map(proseOf), { by, share: slight, slightest: true });
}

/** The same form around the sentences of a model's summary (SPEC A.4). */
export function toldSummary(messages: number, sentences: readonly string[]): string {
  return archived(messages, sentences.join(" "));
}

/** Six sentences, and no more than a model is asked for (500 tokens). */
const MOST_SENTENCES = 6;
const STORY_CHARS = 2_000;

/** The first sentences of a summary that was written line by line; headings, list marks and line breaks are left out. */
export function briefStory(story: readonly string[]): readonly string[] {
  const sentences: string[] = [];
  let chars = 0;
  for (const line of story) {
    if (/^\s{0,3}#{1,6}\s/.test(line)) continue;
    const text = line.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s{1,4}/, "");
    for (const { start, end } of splitSentences(text)) {
      const sentence = text.slice(start, end).replace(/[\p{Cc}\s]+/gu, " ");
      chars += sentence.length + 1;
      if (sentences.length === MOST_SENTENCES || chars > STORY_CHARS) return sentences;
      sentences.push(sentence);
    }
  }
  return sentences;
}

function archived(messages: number, text: string): string {
  return `[Archived ${messages} messages. Summary of prior work: ${quotedAfterLabel(text)}]`;
}

/** One line, no control characters. Paths and addresses stay: they are the most useful facts in it. */
function sanitise(text: string): string {
  // Only the start is used: a megabyte of reply is not worth a scan of the whole.
  return text
    .trimStart()
    .slice(0, 4 * SNIPPET_CHARS)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

/** Never between the halves of a surrogate pair, and never in an id: half of one names nothing. */
function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const last = text.charCodeAt(chars - 1);
  const head = text.slice(0, last >= 0xd800 && last < 0xdc00 ? chars - 1 : chars);
  return /[0-9a-z]/.test(text[chars]!) ? head.replace(/pith:[0-9a-z]*$/, "") : head;
}
