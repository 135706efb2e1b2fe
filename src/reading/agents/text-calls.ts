/** Calls and results that an agent program writes as text, as data: how they open, and what in them is the call or the answer. */
import { parsedObject } from "../../json/wire-value.ts";

/** A call written as text. */
export interface TextCall {
  readonly name: string;
  readonly arguments: string;
  readonly id: string;
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

/** smolagents: `Call id: call_1`, then what was observed or went wrong. */
const RESULT = /^(?:tool-response: )?Call id: (\S{1,80})\n(Observation|Error):\n?/;

/** Hermes, Qwen: a call as JSON between tags, in the middle of what is said, and its answer between tags under the user's role. */
const TAGGED_CALL = /<tool_call>\s*(\{[\s\S]*?\})\s*<\/tool_call>/g;
const TAGGED_RESULT = /^\s{0,20}<tool_response>\n?/;
const TAGGED_RESULT_END = "</tool_response>";
const TAGGED_RESULTS = /<tool_response>[\s\S]*?(?:<\/tool_response>|$)/g;
/** OpenHands, Qwen: a call as a function and its parameters between tags. */
const FUNCTION_CALL = /<function=([\w.-]{1,80})>([\s\S]*?)(?:<\/function>|$)/g;
const PARAMETER = /<parameter=([\w.-]{1,80})>\n?([\s\S]*?)\n?(?:<\/parameter>|$)/g;
const CALL_TAG = /<\/?tool_call>/g;
const THINKING_TAG = /<\/?think(?:ing)?>/g;

/** OpenHands: the answer of a tool under the user's role. */
const EXECUTION = /^EXECUTION RESULT of \[(\w{1,60})\]:\n/;

/** AutoGen: what the terminal printed, under the user's role; the exit code is part of it. */
const TERMINAL =
  /^(?:[A-Za-z][\w-]{0,40}: )?(?=exitcode: \d{1,3} \(execution (?:failed|succeeded)\)\nCode output:)/;

/** From here on a message shows a page or a terminal, in whoever's name (Magentic-One, smolagents): what was printed, not said. */
const SHOWN =
  /(?:^|\n)(?:Here is a screenshot of \[|Address: \S[^\n]*\n(?:Title: [^\n]*\n)?Viewport position: |Its output was:\n)/;

/** What a program writes in the agent's name where the agent said nothing (Claude Code). */
const SYNTHETIC = /^No response requested\.$/;

/** What is looked at for calls: a call with a megabyte of arguments is told by its start. */
const LOOKED_AT = 20_000;

export function textCallsIn(text: string): readonly TextCall[] {
  if (text.includes("<function=")) return functionCalls(text.slice(0, LOOKED_AT));
  if (text.includes("<tool_call>")) return taggedCalls(text.slice(0, LOOKED_AT));
  if (!CALLING.test(text)) return NONE;
  return [...text.slice(0, LOOKED_AT).matchAll(CALL)].map(([, id, name, given]) => ({
    id: id!,
    name: name!,
    arguments: given!,
  }));
}

const NONE: readonly never[] = [];

function taggedCalls(text: string): readonly TextCall[] {
  return [...text.matchAll(TAGGED_CALL)].flatMap(([, json]) => {
    const { name, arguments: given } = parsedObject(json!);
    return typeof name === "string" ? [{ id: "", name, arguments: JSON.stringify(given ?? {}) }] : [];
  });
}

function functionCalls(text: string): readonly TextCall[] {
  return [...text.matchAll(FUNCTION_CALL)].map(([, name, inner]) => {
    const given = [...inner!.matchAll(PARAMETER)].map(([, key, value]) => [key, value]);
    return { id: "", name: name!, arguments: JSON.stringify(Object.fromEntries(given)) };
  });
}

/** What is said beside calls that are written as text. */
export function besideTextCalls(text: string): string {
  if (CALLING.test(text)) return "";
  const start = text.slice(0, LOOKED_AT);
  const calls = [...start.matchAll(FUNCTION_CALL)];
  // A call that is longer than what is looked at goes on to the end.
  const isOpen = calls.length > 0 && !calls.at(-1)![0].endsWith("</function>");
  const words = start.replace(FUNCTION_CALL, "").replace(TAGGED_CALL, "").replace(CALL_TAG, "");
  return (isOpen ? words : words + text.slice(LOOKED_AT)).replace(THINKING_TAG, "").trim();
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

export function textResultIn(text: string): TextResult | undefined {
  const result = RESULT.exec(text);
  if (result) return resultAfter(result[0], text, { id: result[1]!, isError: result[2] === "Error" });
  const tagged = TAGGED_RESULT.exec(text);
  // What stands beside the tags is somebody's words.
  if (tagged)
    return text.replace(TAGGED_RESULTS, "").trim() === "" ? resultAfter(tagged[0], text) : undefined;
  const executed = EXECUTION.exec(text) ?? TERMINAL.exec(text);
  return executed ? resultAfter(executed[0], text) : undefined;
}

function resultAfter(
  opening: string,
  whole: string,
  { id = "", isError = false }: Partial<Pick<TextResult, "id" | "isError">> = {},
): TextResult {
  const bare = whole.slice(opening.length).trimEnd();
  const isTagged = bare.endsWith(TAGGED_RESULT_END);
  const text = isTagged ? bare.slice(0, -TAGGED_RESULT_END.length).trimEnd() : whole.slice(opening.length);
  return { id, isError, text, opening, closing: whole.slice(opening.length + text.length) };
}

/** Whether a text is an answer or a call and nothing else: nobody's words, whoever's name it has. */
export function isTextCallOrResult(text: string): boolean {
  if (textResultIn(text)) return true;
  return textCallsIn(text).length > 0 && besideTextCalls(text) === "";
}
