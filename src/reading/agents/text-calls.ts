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
const THINKING_TAG = /<\/?think(?:ing)?>/g;

/** OpenHands: the answer of a tool under the user's role. */
const EXECUTION = /^EXECUTION RESULT of \[(\w{1,60})\]:\n/;

/** From here on a message shows a page or a terminal, in whoever's name (Magentic-One, smolagents): what was printed, not said. */
const SHOWN =
  /(?:^|\n)(?:Here is a screenshot of \[|Address: \S[^\n]*\n(?:Title: [^\n]*\n)?Viewport position: |Its output was:\n)/;

/** What a program writes in the agent's name where the agent said nothing (Claude Code). */
const SYNTHETIC = /^No response requested\.$/;

/** What is looked at for calls: a call with a megabyte of arguments is told by its start. */
const LOOKED_AT = 20_000;

export function textCallsIn(text: string): readonly TextCall[] {
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

/** What is said beside calls that are written as text. */
export function besideTextCalls(text: string): string {
  if (CALLING.test(text)) return "";
  const beside = text.slice(0, LOOKED_AT).replace(TAGGED_CALL, "") + text.slice(LOOKED_AT);
  return beside.replace(THINKING_TAG, "").trim();
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
  if (result) return { id: result[1]!, text: text.slice(result[0].length), isError: result[2] === "Error" };
  const tagged = TAGGED_RESULT.exec(text);
  if (tagged) return { id: "", text: untagged(text.slice(tagged[0].length)), isError: false };
  const execution = EXECUTION.exec(text);
  return execution ? { id: "", text: text.slice(execution[0].length), isError: false } : undefined;
}

function untagged(text: string): string {
  const bare = text.trimEnd();
  return (bare.endsWith(TAGGED_RESULT_END) ? bare.slice(0, -TAGGED_RESULT_END.length) : bare).trimEnd();
}
