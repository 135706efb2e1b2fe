/** Calls and results that an agent program writes as text, as data: how they open, and what in them is the call or the answer. */
import { parsedObject } from "../../json/wire-value.ts";

/** A call written as text. */
export interface TextCall {
  readonly name: string;
  readonly arguments: string;
  readonly id: string;
}

/** Calls that are written as text, and what is said beside them. */
export interface TextCalls {
  readonly calls: readonly TextCall[];
  readonly words: string;
}

/** A result written as text. */
export interface TextResult {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
  /** What is written before the answer and after it. */
  readonly opening: string;
  readonly closing: string;
}

/** smolagents: `Calling tools:` and a list of calls as Python prints it. */
const CALLING = /^(?:tool-call: )?Calling tools:\s*\[/;
const CALL =
  /'id': '([^']{0,80})'[\s\S]{0,60}?'name': '([^']{1,120})', 'arguments': ([\s\S]*?)\}\}(?:, \{|\]\s*$)/g;
const CALLING_END = "}}]";

/** smolagents: `Call id: call_1`, then what was observed or went wrong. */
const RESULT = /^(?:tool-response: )?Call id: (\S{1,80})\n(Observation|Error):\n?/;

/** Hermes, Qwen: a call as JSON between tags, in the middle of what is said, and its answer between tags under the user's role. */
const TAGGED_CALL = /<tool_call>\s*(\{[\s\S]*?\})\s*<\/tool_call>/g;
const TAGGED_RESULT = /^\s{0,20}<tool_response>/;
const RESULT_TAG = "<tool_response>";
const RESULT_END = "</tool_response>";
/** OpenHands, Qwen: a call as a function and its parameters between tags, from the start of a line on. */
const FUNCTION_CALL =
  /(?<=^|\n|<tool_call>)[ \t]*<function=([\w.-]{1,80})>\s*(?=<parameter=|<\/function>)([\s\S]*?)(?:<\/function>|$)/g;
const FUNCTION_END = "</function>";
const PARAMETER = /<parameter=([\w.-]{1,80})>\n?([\s\S]*?)\n?(?:<\/parameter>|$)/g;
const CALL_TAG = /<\/?tool_call>/g;
const THINKING_TAG = /<\/?think(?:ing)?>/g;

/** OpenHands: the answer of a tool under the user's role. */
const EXECUTION = /^EXECUTION RESULT of \[(\w{1,60})\]:\n/;

/** AutoGen: what the terminal printed, under the user's role; the exit code is part of it. */
const TERMINAL = /^(?:[A-Za-z][\w-]{0,40}: )?(?=exitcode: -?\d+ \(execution (?:failed|succeeded)\)\n)/;

/** A paragraph of its own at the end by which a person asks about what they pasted. */
const ASKED_ABOUT =
  /\n\s*\n[^\n{}<>=;|]*\b(?:please|(?:can|could|would) you|why (?:do|does|did|is)|what does|how (?:do|can)|fix (?:it|this)|that is what i|i (?:get|got|want|need))\b[^\n{}<>=;|]*\s*$/i;

/** From here on a message shows a page or a terminal, in whoever's name (Magentic-One, smolagents): what was printed, not said. */
const SHOWN =
  /(?:^|\n)(?:Here is a screenshot of \[|Address: \S[^\n]*\n(?:Title: [^\n]*\n)?Viewport position: |Its output was:\n)/;

/** What a program writes in the agent's name where the agent said nothing (Claude Code). */
const SYNTHETIC = /^No response requested\.$/;

/** What is looked at for calls: a call with a megabyte of arguments is told by its start. */
const LOOKED_AT = 20_000;

/** Undefined where there are none. */
export function textCallsIn(text: string): TextCalls | undefined {
  if (CALLING.test(text)) return listedCalls(text);
  if (!text.includes("<function=") && !text.includes("<tool_call>")) return undefined;
  const calls: TextCall[] = [];
  const bare = text.slice(0, LOOKED_AT).replace(TAGGED_CALL, (whole, json: string) => {
    const { name, arguments: given } = parsedObject(json);
    if (typeof name !== "string") return whole;
    calls.push({ id: "", name, arguments: JSON.stringify(given ?? {}) });
    return "";
  });
  let rest = text.slice(LOOKED_AT);
  const words = bare.replace(FUNCTION_CALL, (whole: string, name: string, inner: string) => {
    const given = [...inner.matchAll(PARAMETER)].map(([, key, value]) => [key, value]);
    calls.push({ id: "", name, arguments: JSON.stringify(Object.fromEntries(given)) });
    // A call that is longer than what is looked at ends later.
    if (!whole.endsWith(FUNCTION_END)) rest = afterFirst(rest, FUNCTION_END);
    return "";
  });
  if (calls.length === 0) return undefined;
  return { calls, words: (words + rest).replace(CALL_TAG, "").replace(THINKING_TAG, "").trim() };
}

function listedCalls(text: string): TextCalls | undefined {
  const calls = [...text.slice(0, LOOKED_AT).matchAll(CALL)].map(([, id, name, given]) => ({
    id: id!,
    name: name!,
    arguments: given!,
  }));
  const end = text.lastIndexOf(CALLING_END);
  return calls.length === 0
    ? undefined
    : { calls, words: end < 0 ? "" : text.slice(end + CALLING_END.length).trim() };
}

function afterFirst(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? "" : text.slice(at + mark.length);
}

/** The words of a message, and what it shows below them. */
export function shownIn(text: string): { readonly words: string; readonly shown: string } {
  if (text === "" || SYNTHETIC.test(text)) return NOTHING;
  const at = text.search(SHOWN);
  return at < 0
    ? { words: text, shown: "" }
    : { words: text.slice(0, at).trim(), shown: text.slice(at).trim() };
}

const NOTHING = { words: "", shown: "" };

/** A text that is an answer and nothing else: what is beside it is somebody's words. */
export function textResultIn(text: string): TextResult | undefined {
  const [first, ...more] = textResultsIn(text);
  return first && more.length > 0 ? between(first.opening, text.trim(), "") : first;
}

/** The same, one by one where several are between tags. */
export function textResultsIn(text: string): readonly TextResult[] {
  if (TAGGED_RESULT.test(text)) return taggedResults(text);
  const result = RESULT.exec(text);
  const opening = (result ?? EXECUTION.exec(text) ?? TERMINAL.exec(text))?.[0];
  if (opening === undefined || ASKED_ABOUT.test(text.slice(-LAST_CHARS))) return NONE;
  return [{ ...between(opening, text, ""), id: result?.[1] ?? "", isError: result?.[2] === "Error" }];
}

/** None where something is outside the tags, or one is not closed. Not by a pattern: a page may be a megabyte of blanks. */
function taggedResults(text: string): readonly TextResult[] {
  const results: TextResult[] = [];
  let from = 0;
  for (let start = text.indexOf(RESULT_TAG); start >= 0; start = text.indexOf(RESULT_TAG, from)) {
    const end = text.indexOf(RESULT_END, start);
    if (end < 0 || text.slice(from, start).trim() !== "") return NONE;
    const opening = text[start + RESULT_TAG.length] === "\n" ? `${RESULT_TAG}\n` : RESULT_TAG;
    const inner = text.slice(start + opening.length, end);
    const closing = `${inner.slice(inner.trimEnd().length)}${RESULT_END}`;
    from = end + RESULT_END.length;
    results.push(between(opening, text.slice(start, from), closing));
  }
  return text.slice(from).trim() === "" ? results : NONE;
}

const NONE: readonly never[] = [];
/** A longer paragraph is no question. */
const LAST_CHARS = 600;

function between(opening: string, whole: string, closing: string): TextResult {
  const text = whole.slice(opening.length, whole.length - closing.length);
  return { id: "", isError: false, text, opening, closing };
}

/** Whether a text is an answer or a call and nothing else: nobody's words, whoever's name it has. */
export function isTextCallOrResult(text: string): boolean {
  return textResultsIn(text).length > 0 || textCallsIn(text)?.words === "";
}
