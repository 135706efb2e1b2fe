/** checkSummary: takes what a model wrote and gives back what may be in a hand-off, or says why nothing may. */

import { END_MARKER, findHandoff, type PrefixName, withPrefix } from "../conversation/handoffs/prefixes.ts";
import { type FailureClass, SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";
import { directiveShapeOf } from "./directive-shapes.ts";
import { stripThinking } from "./strip-thinking.ts";
import type { Summary } from "./summarizer.ts";

export interface CheckOptions {
  /** The summarizer's name, for errors. */
  readonly summarizer: string;
  /** A person spoke in what was summarised. */
  readonly hasUser: boolean;
  /** Puts the text under a prefix of the registry (F43). @default none: the hand-off has a frame of its own */
  readonly prefix?: PrefixName;
}

export interface CheckedSummary {
  /** In the model's own words: without prefix unless one was asked for, and without secrets. */
  readonly text: string;
  /** Secrets that were masked. */
  readonly redacted: number;
}

/** Throws SummarizerFailedError: `truncated`, `refused`, `empty` (R31), `directive` (R47), `malformed` (R15). */
export function checkSummary(
  summary: Summary,
  { summarizer, hasUser, prefix }: CheckOptions,
): CheckedSummary {
  const reject = (failure: FailureClass, message: string): never => {
    throw new SummarizerFailedError(summarizer, failure, message);
  };
  const { finish } = summary;
  if (finish === "refusal") reject("refused", "The model declined to write the summary.");
  if (finish === "length") reject("truncated", "The summary was cut at the length limit.");
  if (finish !== "stop") reject("truncated", "The model did not say that the summary is whole.");
  const { body, after } = bodyOf(typeof summary.text === "string" ? summary.text : "");
  if (!/[\p{L}\p{N}]{2}/u.test(body)) reject("empty", "The summary is empty.");
  if (isRefusal(body)) reject("refused", "The model declined to write the summary.");
  if (after !== "") reject("directive", "Text follows the end marker of the summary.");
  const shape = directiveShapeOf(body);
  if (shape !== undefined) reject("directive", `The summary holds ${shape}.`);
  if (!hasUser && INVENTED_USER.test(body)) {
    reject("malformed", "The summary tells of a user's request, and no user spoke.");
  }
  const { text, found } = redactSecrets(body.toWellFormed());
  return { text: prefix === undefined ? text : withPrefix(text, prefix), redacted: found.length };
}

interface Body {
  readonly body: string;
  /** What is behind an end marker that the model wrote itself. */
  readonly after: string;
}

/** Without thinking, without the code fence that some models put around their answer, without prefix and end marker. */
function bodyOf(answer: string): Body {
  let body = unwrapped(stripThinking(answer, { unclosedToo: true }).trim());
  for (let layer = 0; layer < MOST_PREFIXES; layer++) {
    const found = findHandoff(body);
    if (found === undefined) break;
    if (found.rest !== "") return { body: found.body, after: found.rest };
    body = found.body;
  }
  const end = body.indexOf(END_MARKER);
  if (end < 0) return { body, after: "" };
  return { body: body.slice(0, end).trim(), after: body.slice(end + END_MARKER.length).trim() };
}

/** Models repeat the prefix that they saw on an earlier summary, not more. */
const MOST_PREFIXES = 3;

function unwrapped(text: string): string {
  const opening = /^```(?:markdown|md|text)?[ \t]*\n/.exec(text)?.[0];
  if (opening === undefined || !text.endsWith("\n```")) return text;
  const inside = text.slice(opening.length, -4);
  return inside.includes("```") ? text : inside.trim();
}

const REFUSAL =
  /^(?:(?:i(?:'|’)?m|i am)\s(?:really\s|very\s|so\s)?sorry\b[^.\n]{0,40}\b(?:can(?:no|'|’)t|unable|won(?:'|’)t)|sorry,? (?:but )?i (?:can|am|won)|i(?:'|’)?m (?:unable|not able|afraid i can)|i am (?:unable|not able)|i (?:can(?:no|'|’)t|cannot|can not|won(?:'|’)t|will not|must decline|have to decline)\b[^.\n]{0,60}\b(?:help|assist|comply|summar|provide|continue|fulfil|do that|process|engage|create|write|request)|as an ai(?: language)? model\b|i don(?:'|’)t (?:have|see) (?:any|the|a) (?:conversation|transcript|turns)|(?:there (?:is|are) no|no) (?:conversation|turns|content)\b[^.\n]{0,30}\b(?:provided|to summarize|given))/i;

function isRefusal(body: string): boolean {
  return REFUSAL.test(body.slice(0, 400));
}

const INVENTED_USER =
  /\b(?:the )?user(?:'s|’s)? (?:asked|asks|requested|requests|wants?|wanted|needs?|needed|said|says|told|instructed|demanded|would like|is asking|requests?|asks?|question|instructions?|input)\b|^\W{0,4}(?:latest )?user (?:ask|request|input|message)\w{0,2}\W{0,3}:/im;
