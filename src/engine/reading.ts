/**
 * Reading: what a message says, once. Structure decides before wording: what answers a call is a tool's, whatever it
 * says; text under role user that a program put there is not a person's.
 */
import { CONTINUED } from "../conversation/handoffs/other-summaries.ts";
import { separateHandoffs } from "../conversation/handoffs/separate.ts";
import { agentOf, type Message, makesCalls } from "../conversation/message.ts";
import type { Part, ToolCallPart, ToolResultPart } from "../conversation/part.ts";
import { BRIDGE } from "./bridges.ts";
import { type Call, newCall, readCall, readWrittenCall } from "./calls.ts";
import { once } from "./once.ts";
import { outcomeOf, type Verdict } from "./outcome.ts";
import { unwrapped } from "./records.ts";
import { thinkingEnd } from "./thinking.ts";
import { isHandoff, readHandoff, type WrittenItem } from "./write.ts";

/** A stretch of text with one speaker. */
export interface Utterance {
  readonly speaker: "person" | "agent" | "program" | "handoff";
  readonly text: string;
}

/** What answers a call: a result, or a message that is all answer. */
export interface AnsweredCall {
  readonly call: Call;
  readonly part: ToolResultPart | undefined;
}

export interface Reading {
  /** The position of the message. */
  readonly at: number;
  readonly source: Message;
  readonly words: readonly Utterance[];
  /** The calls that it makes, and those that nobody made whose results it has. */
  readonly calls: readonly Call[];
  readonly answers: readonly AnsweredCall[];
  /** An earlier hand-off of ours, read back. */
  readonly earlier: readonly WrittenItem[];
}

/**
 * The messages in order; system messages say nothing here, as they stay what they are.
 *
 * @param ours the hand-offs that are known to be ours, word for word: any other is quoted, and nothing in it is a rule or a deed
 */
export function readConversation(
  messages: readonly Message[],
  ours: ReadonlySet<string> = NONE,
): readonly Reading[] {
  const read = () => readMessages(messages, ours);
  return ours.size === 0 ? readingsOnce(messages, read) : read();
}

const readingsOnce = once<readonly Message[], readonly Reading[]>();

function readMessages(messages: readonly Message[], ours: ReadonlySet<string>): readonly Reading[] {
  const protocol = textProtocolOf(messages);
  const open = new Map<string, Call>();
  const left = new Set(ours);
  let written: Call | undefined;
  return messages.map((source, at): Reading => {
    const nothing: Reading = { at: source.position, source, words: [], calls: [], answers: [], earlier: [] };
    if (source.role === "system") return nothing;
    const separated = separateHandoffs(source);
    // The same words again are a copy.
    const mine = separated.handoffs.filter(({ framed }) => left.delete(framed));
    // What answers a call is a tool's, whatever it begins with.
    const isForeign = separated.handoffs.length > 0 && mine.length === 0;
    const isPrinted = isForeign && protocol.isAnswer(at, textOf(source), written !== undefined);
    const { own, handoffs } = isPrinted ? { own: source, handoffs: [] } : separated;
    const earlier = mine.flatMap(({ body }) => readHandoff(body));
    const framed = handoffs.flatMap((found): Utterance[] =>
      mine.includes(found) ? [] : [{ speaker: "handoff", text: quoted(found.body) }],
    );
    if (own === undefined) return { ...nothing, words: framed, earlier };
    const text = textOf(own);
    if (protocol.isAnswer(at, text, written !== undefined)) {
      const call = answered(written, { text, position: source.position });
      const calls = call === written ? [] : [call];
      written = undefined;
      return { ...nothing, words: framed, calls, answers: [{ call, part: undefined }], earlier };
    }
    const name = source.role === "assistant" ? protocol.answers(text) : undefined;
    if (name !== undefined) {
      const call = answered(newCall(name, ""), { text, position: source.position });
      return { ...nothing, words: framed, calls: [call], answers: [{ call, part: undefined }], earlier };
    }
    const block = protocol.isCalling(at) && !makesCalls(own) ? readWrittenCall(text) : undefined;
    const said = wordsOnce(handoffs.length > 0 || block ? undefined : own.parts, () =>
      wordsOf(own, block?.words ?? text),
    );
    const results = resultsIn(own, open);
    written = block?.call;
    return {
      ...nothing,
      words: [...framed, ...said],
      calls: [...results.calls, ...(block ? [block.call] : [])],
      answers: results.answers,
      earlier,
    };
  });
}

const NONE: ReadonlySet<string> = new Set();

/** What looks like a hand-off of ours and is not known: what it says, without the words on how to read it. */
function quoted(body: string): string {
  return isHandoff(body) ? body.slice(body.indexOf("\n") + 1) : body;
}

/** The text that somebody says in a message, in words: of media and unknown parts their kind. */
function textOf({ parts }: Message): string {
  if (parts.length === 1 && parts[0]!.type === "text") return parts[0]!.text;
  return parts.flatMap(textIn).join("\n");
}

function textIn(part: Part): string[] {
  if (part.type === "text") return [part.text];
  if (part.type === "media") return [`[${part.kind}]`];
  return part.type === "opaque" && part.text !== "" ? [part.text] : [];
}

/** The calls and results of a message, in their order; a result that nobody asked for is a call without a name. */
function resultsIn(
  { parts, position }: Message,
  open: Map<string, Call>,
): Pick<Reading, "calls" | "answers"> {
  const calls: Call[] = [];
  const answers: AnsweredCall[] = [];
  for (const part of parts) {
    if (part.type === "tool-call") {
      const asking = callOf(part);
      const call: Call = { ...asking, asking };
      calls.push(call);
      open.set(part.pairId, call);
    } else if (part.type === "tool-result") {
      const asked = open.get(part.pairId);
      open.delete(part.pairId);
      const text =
        part.attachments.length === 0
          ? part.text
          : [part.text, ...part.attachments.flatMap(textIn)].filter((each) => each !== "").join("\n");
      const call = answered(asked, { text, position, part });
      if (asked === undefined) calls.push(call);
      answers.push({ call, part });
    }
  }
  return { calls, answers };
}

const wordsOnce = once<readonly Part[], readonly Utterance[]>();
const callOnce = once<ToolCallPart, Call>();

/** What is asked, without what came of it. */
export function callOf(part: ToolCallPart): Call {
  return callOnce(part, () => readCall(part.name, part.arguments));
}

interface Answered {
  readonly text: string;
  readonly position: number;
  readonly part?: ToolResultPart;
}

/** What a result says of a call with this name and this command. */
interface Answer {
  readonly verb: string;
  readonly command: string;
  readonly output: string;
  readonly outcome: Verdict;
  readonly handsOn: boolean;
}

/** The call with what came of it. */
function answered(asked: Call | undefined, { text, position, part }: Answered): Call {
  const call = asked ?? newCall("", "");
  const { command } = call;
  let answer = part && answers.get(part);
  if (answer?.verb !== call.verb || answer.command !== command) {
    answer = readAnswer(text, { verb: call.verb, command, isError: part?.isError ?? false });
    if (part) answers.set(part, answer);
  }
  call.output = answer.output;
  call.handsOn = answer.handsOn;
  call.outcome = answer.outcome;
  call.answeredAt = position;
  if (part) call.answer = answer;
  return call;
}

const answers = new WeakMap<ToolResultPart, Answer>();

function readAnswer(
  text: string,
  { verb, command, isError }: Pick<Answer, "verb" | "command"> & { readonly isError: boolean },
): Answer {
  const told = text.replace(RESULT_LINES, "").replace(REMINDER, "");
  const end = Math.max(0, told.length - NOTE);
  const note = SHAPED.exec(told.slice(end));
  const whole = note ? told.slice(0, end + note.index) : told;
  const inner = unwrapped(whole);
  const handsOn = (ASKING.test(verb) || REFUSED.test(inner)) && THROUGH.test(inner.slice(0, 2000));
  return {
    verb,
    command,
    output: inner,
    handsOn,
    outcome: outcomeOf({ command, output: inner, whole, isError }),
  };
}

// ---- protocols that are text ----

interface TextProtocol {
  /** Does this message answer a call that was written as text? */
  readonly isAnswer: (at: number, text: string, isOpen: boolean) => boolean;
  /** Is a call that closes this message's text answered? */
  readonly isCalling: (at: number) => boolean;
  /** Whoever speaks here after another agent turned to them. */
  readonly answers: (text: string) => string | undefined;
}

/** How an answer begins in protocols that are text, and the lines that only say that it is one. */
const RESULT_MARK = new RegExp(
  String.raw`^\s*(?:${[
    "tool-response:",
    String.raw`call id: \S{1,80}\s`,
    "<(?:tool|function)[_-](?:response|results?|output)>",
    "<output>",
    "observation:",
    "tool result:",
    "here's the result of running",
    "execution result of",
    String.raw`exit ?code: \d+ \(execution`,
    String.raw`\*{3,} ?response from calling`,
    String.raw`\[[\w-]{1,60}(?: for '[^\n]*)?\] result:`,
    "i ran this command:",
    // A protocol's list of texts, as JSON or as a program printed its objects.
    String.raw`(?:meta=\S{1,20} content=)?\[?(?:TextContent\(|\{\s*"type":\s*"text")`,
    String.raw`\{\s*"content":\s*\[\s*\{\s*"type":`,
  ].join("|")})`,
  "i",
);
const RESULT_LINES =
  /^\s*(?:(?:tool-response:[^\n]*|call id: [^\n]*|<(?:tool|function)[_-](?:response|results?|output)>|observation:|tool result:|<output>)\s*\n?)+/i;

/** A conversation with calls of its own has none in text. */
function textProtocolOf(messages: readonly Message[]): TextProtocol {
  const isText = !messages.some(makesCalls);
  const byTurn = isText && closesInCalls(messages);
  const named = addressedIn(messages);
  const isMarked = (text: string) => isText && RESULT_MARK.test(text.slice(0, 200));
  return {
    isAnswer: (at, text, isOpen) => {
      const { role } = messages[at]!;
      // Whoever tells it: some programs tell what a tool said in the agent's name.
      if (isMarked(text)) return isOpen || role !== "assistant";
      return byTurn && isOpen && role === "user";
    },
    isCalling: (at) => {
      const next = messages[at + 1];
      if (!isText || messages[at]!.role !== "assistant" || next === undefined) return false;
      return isMarked(textOf(next)) || (byTurn && next.role !== "assistant");
    },
    answers: (text) => {
      const name = SPEAKER.exec(text.slice(0, 100))?.[1];
      return name !== undefined && named.has(name) ? name : undefined;
    },
  };
}

/**
 * Nearly every turn of the agent closes with a written call: then what follows such a turn is a tool's. People are answered with code
 * as well, but not in every turn.
 */
function closesInCalls(messages: readonly Message[]): boolean {
  const turns = messages.filter(({ role }, at) => role === "assistant" && messages[at + 1]?.role === "user");
  const calls = turns.flatMap((turn) => readWrittenCall(textOf(turn)) ?? []);
  const isCode = calls.some(({ isFence }) => isFence);
  return turns.length >= 2 && calls.length >= turns.length * (isCode ? 0.9 : 0.6);
}

/** Several speakers under one role: `Planner (-> Browser): …`. What one says whom another turned to is an answer. */
const SPEAKER = /^([A-Z][\w.-]{1,30})(?: \((?:->|to) ?([A-Z][\w.-]{1,30})\))?: /;

function addressedIn(messages: readonly Message[]): ReadonlySet<string> {
  const names = messages.flatMap((message) =>
    message.role === "assistant" ? (SPEAKER.exec(textOf(message).slice(0, 100))?.[2] ?? []) : [],
  );
  return new Set(names);
}

// ---- who speaks ----

function wordsOf(message: Message, text: string): readonly Utterance[] {
  const { role, parts, loaded = 0 } = message;
  if (text.trim() === "" || text.trim() === BRIDGE) return [];
  if (role === "assistant") return spoken("agent", text.slice(thinkingEnd(text)));
  // One of several agents, with its name.
  const agent = agentOf(message);
  if (agent !== undefined) return [{ speaker: "agent", text: `${agent}: ${text}` }];
  if (role !== "user") return [{ speaker: "program", text }];
  // What a program put into one part says nothing of the others.
  const texts = parts.length > 1 ? parts.flatMap(textIn) : [text];
  const skills = texts.slice(0, loaded).map((text): Utterance => ({ speaker: "program", text }));
  return [...skills, ...texts.slice(loaded).flatMap(wordsOfUser)];
}

function spoken(speaker: Utterance["speaker"], text: string): readonly Utterance[] {
  return text.trim() === "" ? [] : [{ speaker, text }];
}

/**
 * An answer that hands on what a person typed: the reason of a refusal, answers to questions. It begins with the user. It is worth as
 * much, and is told as what the tool said, which could have made it up.
 */
const THROUGH =
  /^\s*(?:the )?user\b[^\n]{0,400}?(?:the user said|(?:answered|responded|replied)[^:\n]{0,60}):\s*/i;
/** What a program adds to an answer for the agent alone. */
const REMINDER = /<system-reminder>[\s\S]{0,4000}?<\/system-reminder>/g;
/** Our own note under a result that was shortened before. */
const SHAPED = /\n?\[pith shaped: [^\n\]]*\]\s*$/;
/** It is not longer than this. */
const NOTE = 400;

/** Tools by which the agent asks a person, and how programs begin an answer when a person did not let a call happen. */
const ASKING = /ask|question|confirm|approv|elicit/i;
const REFUSED = /^\s*The user doesn't want to (?:proceed|take)/;

/** Texts that programs put under role user: an earlier hand-off of another program, a skill, a notice. */
const PROGRAM =
  /^\s*(?:Base directory for this skill|Caveat: The messages below|\[Request interrupted|# \w+ Command|Operation stopped by hook|I have \*added these files to the chat\*|Here are summaries of some files|# Fix any errors below|\w{1,40} hook (?:feedback|blocking error|additional context))/;
/**
 * A block of a program: `<system-reminder>…</system-reminder>`. It goes on to the last close before the next of its name opens: what it
 * holds may say `</system-reminder>` as well.
 */
const BLOCK = /<(\/?)([a-z]+(?:[-_][a-z]+)+)(?:\s[^<>\n]{0,300})?>/g;

function wordsOfUser(text: string): Utterance[] {
  if (CONTINUED.test(text)) return [{ speaker: "handoff", text }];
  if (PROGRAM.test(text)) return [{ speaker: "program", text }];
  const words: Utterance[] = [];
  const add = (speaker: Utterance["speaker"], from: number, to: number) => {
    if (text.slice(from, to).trim() !== "") words.push({ speaker, text: text.slice(from, to) });
  };
  let from = 0;
  for (const [start, end] of blocksIn(text)) {
    if (start < from) continue;
    add("person", from, start);
    add("program", start, end);
    from = end;
  }
  add("person", from, text.length);
  return words;
}

/** In the order in which they open. */
function blocksIn(text: string): readonly (readonly [start: number, end: number])[] {
  const blocks: [number, number][] = [];
  const open = new Map<string, [number, number]>();
  for (const { 0: tag, 1: slash, 2: name = "", index } of text.matchAll(BLOCK)) {
    const last = open.get(name);
    if (slash !== "") {
      if (last) last[1] = index + tag.length;
    } else if (last === undefined || last[1] > 0) {
      const block: [number, number] = [index, 0];
      open.set(name, block);
      blocks.push(block);
    }
  }
  return blocks.filter(([, end]) => end > 0);
}
