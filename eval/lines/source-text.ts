/** SourceText: a conversation as something that whole lines, sentences and key/values can be looked up in. */
import { textOf, type WireMessage } from "../measure/wire-message.ts";

export type Unit = "line" | "sentence" | "key/value";

export interface SourceText {
  /** The largest unit that `quote` is in the source, or undefined where it is none. */
  readonly unitOf: (quote: string) => Unit | undefined;
  readonly holds: (quote: string) => boolean;
  /** Some call's arguments, or some answer in JSON, have exactly this value under this key, white space aside. */
  readonly hasLeaf: (key: string, value: string) => boolean;
  /** Some answer in JSON has an object or a list under this key. */
  readonly hasBranch: (key: string) => boolean;
  /** What a line may be labelled with: who said it, the tool that answered, or the end of the path of the file it was asked about. */
  readonly speakers: ReadonlySet<string>;
}

export function sourceText(messages: readonly WireMessage[]): SourceText {
  const given = messages.flatMap(argumentsOf);
  const answers = messages.filter(({ role }) => role === "tool").map((message) => leavesOf(textOf(message)));
  const leaves = [...given, ...answers.flatMap((answer) => answer.leaves)];
  const pairs = new Set(leaves.map(({ key, value }) => `${key}: ${oneLine(value)}`));
  const branches = new Set(answers.flatMap((answer) => answer.branches));
  const texts = [...messages.map(textOf), ...given.map(({ value }) => value)];
  const whole = `\n${texts.join("\n")}\n`;
  const lines = new Set(whole.split("\n").map(bare));
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  return {
    unitOf: (quote) => {
      if (lines.has(bare(quote))) return "line";
      return standsWhole(whole, quote.trim());
    },
    holds: (quote) => whole.includes(quote),
    hasLeaf: (key, value) => pairs.has(`${key}: ${oneLine(value)}`),
    hasBranch: (key) => branches.has(key),
    speakers: new Set([
      ...messages.map(({ role }) => role),
      "tool",
      ...calls.map((call) => call.function.name),
      ...given.flatMap(({ value }) => pathEnd(value)),
      ...calls.flatMap((call) => patchedFiles(call.function.arguments)),
    ]),
  };
}

/** The last three parts of a value that is a path of a file. */
function pathEnd(value: string): readonly string[] {
  const path = value.length <= 300 && !value.includes("\n") ? value.split(/(?<=[/\\])/) : [];
  return path.at(-1)?.includes(".") ? [path.slice(-3).join("")] : [];
}

function patchedFiles(json: string): readonly string[] {
  const files = json.matchAll(/\*\*\* (?:Add|Update|Delete) File: ([^\n\\"]{1,300})/g);
  return [...files].flatMap(([, file]) => pathEnd(file!));
}

/** A line without the marks of lists and quotes and the numbers of a file listing before it. */
function bare(line: string): string {
  return line.trim().replace(/^(?:[-*•>]|\d+[.)])\s+/, "");
}

const placesLooked = 200;

function standsWhole(whole: string, quote: string): Unit | undefined {
  if (quote === "") return undefined;
  let at = whole.indexOf(quote);
  let found: Unit | undefined;
  for (let places = 0; at >= 0 && places < placesLooked; places++) {
    const [before, after] = [
      whole.slice(Math.max(0, at - 40), at),
      whole.slice(at + quote.length).slice(0, 3),
    ];
    if (startsSentence(before) && endsSentence(quote, after)) return "sentence";
    if (startsValue(before, quote) && endsValue(quote, after)) found = "key/value";
    at = whole.indexOf(quote, at + 1);
  }
  return found;
}

/** After the end of a line or of a sentence, and after the mark of a list, a quote or a line number. */
function startsSentence(before: string): boolean {
  return /(?:\n|\\n|[.!?:;。！？]["'”)\]*`]{0,3}\s+|[。！？])\s*(?:(?:[-*•>]|#{1,6}|\d+[.):→|\t]|\w[.)]|\|)\s*)*$/.test(
    before,
  );
}

function endsSentence(quote: string, after: string): boolean {
  return /^\s*(?:\n|\\n)/.test(after) || /[.!?:;。！？]["'”)\]*`]{0,3}$/.test(quote);
}

/** Between the commas and brackets of JSON, or of code that looks like it. */
function startsValue(before: string, quote: string): boolean {
  return /^["'{[\w]/.test(quote) && /[{[,(]\s*$/.test(before);
}

function endsValue(quote: string, after: string): boolean {
  return /[:=]/.test(quote) && (/^\s*[,}\])]/.test(after) || /[,}\]]$/.test(quote));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

interface Leaf {
  readonly key: string;
  readonly value: string;
}

/** Every plain value in a call's arguments: a file that was written has lines, whatever JSON makes of them. */
function argumentsOf({ tool_calls }: WireMessage): readonly Leaf[] {
  return (tool_calls ?? []).flatMap((call) => leavesOf(call.function.arguments).leaves);
}

/** The plain values in a JSON text, what stands in a list under the list's key, and the keys of what holds them. */
function leavesOf(json: string): { readonly leaves: readonly Leaf[]; readonly branches: readonly string[] } {
  const leaves: Leaf[] = [];
  const branches: string[] = [];
  try {
    JSON.parse(json, (key, value: unknown) => {
      if (Array.isArray(value)) for (const each of value) leaves.push({ key, value: String(each) });
      if (value !== null && typeof value === "object") branches.push(key);
      else leaves.push({ key, value: String(value) });
      return value;
    });
  } catch {
    // What is no JSON stands in the message's own text already.
  }
  return { leaves, branches };
}
