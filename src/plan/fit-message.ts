/** Fits a message into a number of tokens: what a tool said, what was called, what was written, each as far as it must. */
import { LONGEST_ID, type Marks } from "../archive/marks.ts";
import { type Message, messageOf, ownTextsOf, withParts } from "../conversation/message.ts";
import type { Part, TextPart, ToolCallPart, ToolResultPart } from "../conversation/part.ts";
import { type TextResult, textResultIn } from "../reading/agents/text-calls.ts";
import { plainText } from "../reading/handoffs/quoted.ts";
import { askOf, askSentences, userWordsOf } from "../reading/user-words.ts";
import { withoutShortened, writeExcerpts } from "../salience/shortened-words.ts";
import { fitText, notShown, SCRAP_TOKENS } from "../shapes/fit-text.ts";
import { shapeToolResult } from "../shapes/shape-tool-result.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { argumentsLeftOut, shrinkArguments } from "./stages/shrink-call-arguments.ts";

export interface FitContext {
  readonly counter: TokenCounter;
  /** The calls that results answer, by pairId: they tell what kind of output it is. */
  readonly calls: ReadonlyMap<string, ToolCallPart>;
  /** Gives an id to what is taken away; absent where nothing is archived. */
  readonly marks?: Marks | undefined;
  /** What results said and calls were given before anything was taken from them, by type and pairId. */
  readonly whole?: ReadonlyMap<string, string>;
  /** A call that stays a call keeps its arguments whole: a model imitates what it sees of its own calls. */
  readonly keepsArguments?: boolean;
  /** Stays as it is, and the counter does not count it. */
  readonly inView?: ReadonlySet<Part> | undefined;
}

/** No text is fitted below this: to say that it is not shown takes as much. */
function leastTokens({ counter, marks }: FitContext): number {
  return counter.text(notShown(marks && LONGEST_ID));
}

/** At most `maxTokens` where that can be; otherwise the smallest form the message has: its envelope. */
export function fitMessage(message: Message, maxTokens: number, context: FitContext): Message {
  if (context.counter.message(message) <= maxTokens) return message;
  const fitted = fitLarge(message, maxTokens, context);
  // What has nothing to let go of goes out as it came in.
  const { parts } = message;
  return fitted.parts.length === parts.length && fitted.parts.every((part, at) => part === parts[at])
    ? message
    : fitted;
}

function fitLarge(message: Message, maxTokens: number, given: FitContext): Message {
  const context = { ...given, whole: wholeTexts(message) };
  const { counter } = context;
  const kept = message.parts.flatMap((part) => shrinkGently(part, context));
  // A message must say something.
  const gentle = withParts(
    message,
    kept.length < message.parts.length && kept.every(isBlank)
      ? [{ type: "text", text: "[thinking not shown]" }]
      : kept,
  );
  if (counter.message(gentle) <= maxTokens) return gentle;
  const light = withParts(gentle, withoutMedia(gentle, context));
  if (counter.message(light) <= maxTokens) return light;
  // Two rounds: what the first cap left unused by short fitted parts, or overshot by joins, the second corrects.
  let room = maxTokens;
  let fitted = light;
  for (let pass = 0; pass < 3; pass++) {
    fitted = fitParts(light, room, context);
    const over = counter.message(fitted) - maxTokens;
    if (over <= 0) return fitted;
    room -= over + 1;
  }
  return fitParts(light, 0, context);
}

function wholeTexts({ parts }: Message): ReadonlyMap<string, string> {
  const whole = new Map<string, string>();
  for (const part of parts) {
    if (part.type === "tool-result") whole.set(wholeKey(part), part.text);
    if (part.type === "tool-call") whole.set(wholeKey(part), part.arguments);
  }
  return whole;
}

function wholeKey({ type, pairId }: ToolCallPart | ToolResultPart): string {
  return `${type} ${pairId}`;
}

function isBlank(part: Part): boolean {
  return part.type === "text" && part.text.trim() === "";
}

/** Lets go of what costs least to lose: unsigned reasoning, the bulk of results, long argument values. */
function shrinkGently(part: Part, { counter, calls, marks, keepsArguments }: FitContext): readonly Part[] {
  switch (part.type) {
    case "reasoning":
      return part.signed ? [part] : [];
    case "tool-result": {
      if (part.server) return [part];
      const call = calls.get(part.pairId);
      const output = {
        text: part.text,
        toolName: call?.name ?? "",
        toolArguments: call?.arguments ?? "",
        isError: part.isError,
      };
      const shaped = shapeToolResult(output, { counter, handle: marks?.text(part.text) });
      return [shaped ? { ...part, text: shaped.text } : part];
    }
    case "tool-call": {
      const shrunk = part.server || keepsArguments ? undefined : shrinkArguments(part.arguments, 200, marks);
      return [shrunk === undefined ? part : { ...part, arguments: shrunk }];
    }
    default:
      return [part];
  }
}

/** A remark in place of each image, sound or unknown piece, unless that is as small; the remark can be cut further. */
function withoutMedia(message: Message, context: FitContext): readonly Part[] {
  const { counter, marks, inView } = context;
  const cost = (part: Part) => counter.message(messageOf({ role: "other", parts: [part], position: -1 }));
  return message.parts.map((part) => {
    const bare = withoutMediaOf(part, () => (marks ? `: ${marks.message(message)}` : ""), inView);
    const isSmall =
      cost(part) <=
      counter.message(messageOf({ role: "other", parts: [], position: -1 })) + leastTokens(context);
    return bare === part || (isSmall && cost(bare) >= cost(part)) ? part : bare;
  });
}

function withoutMediaOf(part: Part, handle: () => string, inView: FitContext["inView"]): Part {
  if (inView?.has(part)) return part;
  if (part.type === "media") return { type: "text", text: `[${part.kind} not shown${handle()}]` };
  if (part.type !== "tool-result" || part.server || part.shaped) return part;
  const gone = part.attachments.filter((each) => !inView?.has(each));
  if (gone.length === 0) return part;
  const note = gone.map((each) => `[${each.kind} not shown${handle()}]`).join(" ");
  const attachments = part.attachments.filter((each) => inView?.has(each));
  return { ...part, attachments, text: part.text ? `${part.text}\n${note}` : note };
}

/** Shares the room among the parts: small ones stay whole, large ones get an equal cap. */
function fitParts(message: Message, maxTokens: number, context: FitContext): Message {
  const { counter } = context;
  const sizes = message.parts.map((part) => (isFittable(part, context) ? tokensOfPart(part, counter) : 0));
  const fixed = counter.message(message) - sizes.reduce((sum, size) => sum + size, 0);
  const cap = Math.max(leastTokens(context), equalCap(sizes, maxTokens - fixed));
  // In the least room a call says only that its arguments are left out, where that is shorter.
  const callCap =
    cap > leastTokens(context) ? cap : counter.text(argumentsLeftOut(context.marks && LONGEST_ID));
  // A few words say more than that they are not shown.
  const textCap = Math.max(cap, leastTokens(context) + SCRAP_TOKENS);
  const parts = message.parts.map((part, at) =>
    sizes[at]! > (part.type === "tool-call" ? callCap : textCap)
      ? fitPart(part, cap, message, context)
      : part,
  );
  return withParts(message, parts);
}

/** Signed reasoning, what the provider ran itself, and what has a shape of the provider's own may not be edited. */
function isFittable(part: Part, { inView, keepsArguments }: FitContext): boolean {
  if (inView?.has(part) || part.type === "reasoning") return false;
  if (part.type !== "tool-call" && part.type !== "tool-result") return true;
  return !(part.server || part.shaped || (part.type === "tool-call" && keepsArguments));
}

function tokensOfPart(part: Part, counter: TokenCounter): number {
  if (part.type === "tool-call") return counter.text(part.arguments);
  return part.type === "media" ? 0 : counter.text(part.text);
}

function fitPart(part: Part, cap: number, message: Message, context: FitContext): Part {
  const { counter, marks, whole } = context;
  switch (part.type) {
    case "text":
      return { ...part, text: fittedText(part, cap, message, context) };
    case "tool-result":
      return { ...part, text: fittedResult(part, cap, context) };
    case "tool-call":
      return {
        ...part,
        arguments: argumentsLeftOut(marks?.text(whole?.get(wholeKey(part)) ?? part.arguments)),
      };
    case "opaque": {
      const handle = marks?.message(message);
      const named = `[${part.kind} not shown${handle === undefined ? "" : `: ${handle}`}]`;
      return { ...part, text: counter.text(named) <= cap ? named : notShown(handle) };
    }
    default:
      return part;
  }
}

function fittedText(part: TextPart, cap: number, message: Message, context: FitContext): string {
  const { text } = part;
  const answer = textResultIn(text);
  if (answer) return fittedAnswer(answer, cap, context);
  return message.role === "user" && ownTextsOf(message).includes(part)
    ? fitUserText(text, cap, message, context)
    : fitText(text, cap, { counter: context.counter, handle: context.marks?.text(text), again: SAID });
}

/** An answer that is written as text is shaped as any other, between what marks it as one. */
function fittedAnswer(
  { text, isError, opening, closing }: TextResult,
  cap: number,
  { counter, marks }: FitContext,
): string {
  const whole = `${opening}${text}${closing}`;
  const handle = marks?.text(whole);
  const room = cap - counter.text(opening) - counter.text(closing) - 2;
  const output = { text, isError, toolName: "", toolArguments: "" };
  const shaped = shapeToolResult(output, { counter, handle, maxTokens: room })?.text;
  const fitted = shaped && `${opening}${shaped}${closing}`;
  return fitted && counter.text(fitted) <= cap ? fitted : fitText(whole, cap, { counter, handle });
}

/** By its kind, from the whole. */
function fittedResult(part: ToolResultPart, cap: number, context: FitContext): string {
  const { pairId, isError } = part;
  const { counter, calls, marks, whole } = context;
  const text = whole?.get(wholeKey(part)) ?? part.text;
  const call = calls.get(pairId);
  const output = { text, isError, toolName: call?.name ?? "", toolArguments: call?.arguments ?? "" };
  const handle = marks?.text(text);
  return (
    shapeToolResult(output, { counter, handle, maxTokens: cap })?.text ??
    fitText(text, cap, { counter, handle })
  );
}

/** No tool brings back what somebody said. */
const SAID = "there is no archive";

/** A user's text keeps its asking and binding sentences whatever the cap; the rest is fitted around them. */
function fitUserText(whole: string, maxTokens: number, message: Message, context: FitContext): string {
  const { counter, marks } = context;
  const text = plainText(whole);
  const alone = askOf(text);
  // What binds only by what another part of the message says ("Constraints:") stays too.
  const joint = askSentences(userWordsOf(message)).filter(
    (sentence) => text.includes(sentence) && !alone.includes(sentence),
  );
  const ask = [alone, ...joint].filter(Boolean).join("\n\n");
  const handle = marks?.text(whole);
  if (ask === "") return fitText(text, maxTokens, { counter, handle, again: SAID });
  const askTokens = counter.text(ask);
  if (askTokens >= counter.text(whole)) return whole;
  const room = maxTokens - askTokens - 2;
  const excerpts = (most: number) => fitText(withoutShortened(text), most, { counter, handle, again: SAID });
  const least = marks ? EXCERPT_WITH_ID_TOKENS : EXCERPT_TOKENS;
  if (room >= least) {
    const cut = `${ask}\n\n${excerpts(room)}`;
    if (saysNoMore(cut, ask)) return cut;
  }
  if (room - FENCE_TOKENS >= least) {
    return `${ask}\n\n${writeExcerpts(excerpts(room - FENCE_TOKENS))}`;
  }
  return handle === undefined ? ask : `${ask}\n\n[the whole message: ${handle}]`;
}

/** Less than this is no excerpt; the note below it needs more where it names an id. */
const EXCERPT_TOKENS = 12;
const EXCERPT_WITH_ID_TOKENS = 30;
/** What `writeExcerpts` adds. */
const FENCE_TOKENS = 10;

/** Pieces of sentences, and sentences out of their company, may read as if the user bound or asked by them. */
function saysNoMore(cut: string, ask: string): boolean {
  const said = new Set(askSentences(ask));
  return askSentences(cut).every((sentence) => said.has(sentence));
}

/** The largest cap so that parts of these sizes, none above the cap, fit into `room`. */
export function equalCap(sizes: readonly number[], room: number): number {
  const sorted = sizes.toSorted((a, b) => a - b);
  let left = Math.max(0, room);
  for (let at = 0; at < sorted.length; at++) {
    const share = Math.floor(left / (sorted.length - at));
    if (sorted[at]! > share) return share;
    left -= sorted[at]!;
  }
  return sorted.at(-1) ?? 0;
}
