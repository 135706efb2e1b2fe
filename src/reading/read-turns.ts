/** Reads a conversation by turns and steps: what was asked, what the agent said, what it called and how that ended. */

import { holdsHandoff, separateHandoff } from "../conversation/handoffs/separate.ts";
import { agentOf, type Message, messageWith, proseOf } from "../conversation/message.ts";
import type { ToolCallPart, ToolResultPart } from "../conversation/part.ts";
import {
  shownIn,
  type TextCall,
  type TextResult,
  textCallsIn,
  textResultIn,
  textResultsIn,
} from "./agents/text-calls.ts";
import type { Action } from "./calls/action.ts";
import { type Deed, deedOf } from "./calls/deed.ts";
import { actionsOf } from "./calls/read-call.ts";
import { speechOf } from "./typed-words.ts";
import { userWordsOf } from "./user-words.ts";

/** A call, what it set out to do and what came of it. */
export interface ReadCall {
  readonly call: ToolCallPart;
  readonly actions: readonly Action[];
  /** Absent where nothing answered it. */
  readonly result?: ToolResultPart | undefined;
  readonly deed?: Deed | undefined;
  /** It was written as text: its answer may be anywhere. */
  readonly isText?: boolean | undefined;
}

/** What a program said, in which message and where that comes from. */
export interface Printed {
  readonly text: string;
  readonly origin: string;
  readonly message: Message;
}

/** What the agent said at once, and the calls that it made with it. */
export interface ReadStep {
  /** The message's place among those that were read. */
  readonly at: number;
  readonly message: Message;
  readonly said: string;
  readonly calls: readonly ReadCall[];
  /** What a program said in between. */
  readonly printed?: Printed | undefined;
}

export interface ReadTurn {
  /** What the person typed; empty where the agent began, or where an earlier hand-off goes on. */
  readonly ask: string;
  /** The message in which it was typed. */
  readonly asked?: Message | undefined;
  /** The message of the ask stays in the conversation: it need not be told. */
  readonly askStays: boolean;
  /** A summary or a hand-off that replaces everything before. */
  readonly earlier?: { readonly by: "summary" | "handoff"; readonly message: Message } | undefined;
  readonly at: number;
  readonly steps: readonly ReadStep[];
  /** The user stopped the agent before it came to an end. */
  readonly interrupted: boolean;
  /** More that the agent said or did in it is in messages that stay. */
  readonly goesOn: boolean;
  /** What follows the last of it, in messages that stay, is a result and nobody's words. */
  readonly resultFollows: boolean;
}

interface Draft {
  ask: string;
  asked: Message | undefined;
  askStays: boolean;
  earlier: ReadTurn["earlier"];
  at: number;
  steps: ReadStep[];
  interrupted: boolean;
  goesOn: boolean;
  resultFollows: boolean;
}

/** `stays` says of a message that it is read for its place only: what it says and does is told by itself. */
export function readTurns(
  messages: readonly Message[],
  stays: (message: Message) => boolean = () => false,
): readonly ReadTurn[] {
  const turns: Draft[] = [];
  const answers = answersTo(messages);
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    if (message.role === "tool") continue;
    if (message.role === "system") readHandoff(turns, message, at);
    else if (stays(message)) notePlace(turns, message, at);
    else readMessage(turns, message, at, answers);
  }
  return turns;
}

// Turns, steps and calls are made in one place each, with all fields in one order: there are many, and one shape is read quickest.

function openTurn(
  turns: Draft[],
  at: number,
  { ask = "", asked, askStays = false, earlier }: Partial<Draft> = {},
): Draft {
  const turn: Draft = {
    ask,
    asked,
    askStays,
    earlier,
    at,
    steps: [],
    interrupted: false,
    goesOn: false,
    resultFollows: false,
  };
  turns.push(turn);
  return turn;
}

function stepWith(
  at: number,
  message: Message,
  said: string,
  calls: readonly ReadCall[],
  printed?: Printed,
): ReadStep {
  return { at, message, said, calls, printed };
}

function callWith(call: ToolCallPart, result: ToolResultPart | undefined, isText?: true): ReadCall {
  const actions = actionsOf(call);
  const pending = { pairId: call.pairId, tool: call.name, actions };
  const deed = result === undefined ? undefined : deedOf(pending, result);
  return { call, actions, result, deed, isText };
}

/** Adds to the turn that is open; to one without an ask where the agent began. */
function addStep(turns: Draft[], step: ReadStep): void {
  currentTurn(turns, step.at).steps.push(step);
}

function currentTurn(turns: Draft[], at: number): Draft {
  return turns.at(-1) ?? openTurn(turns, at);
}

/** What the message says besides an earlier hand-off, which opens a turn. */
function readHandoff(turns: Draft[], message: Message, at: number): Message | undefined {
  if (!holdsHandoff(message)) return message;
  const { own, handoff } = separateHandoff(message);
  if (handoff) openTurn(turns, at, { earlier: { by: "handoff", message: handoff } });
  return own;
}

function notePlace(turns: Draft[], message: Message, at: number): void {
  if (message.role === "assistant" && turns.length > 0) turns.at(-1)!.goesOn = true;
  const speech = speechOf(message);
  const last = turns.at(-1);
  if (last && !last.goesOn && speech.by === "program" && isPrintedResult(speech.words, speech.origin))
    last.resultFollows = true;
  if (speech.by === "person" && speech.words !== "") openTurn(turns, at, { askStays: true });
}

type Answers = ReadonlyMap<ToolCallPart, ToolResultPart>;

function readMessage(turns: Draft[], message: Message, at: number, answers: Answers): void {
  const own = readHandoff(turns, message, at);
  if (own === undefined) return;
  const prose = proseOf(own);
  // Most of an agent's messages are calls and no words.
  // A person who says something beside calls and results shows them.
  const mayBeText = prose !== "" && userWordsOf(own) === "";
  const results = mayBeText ? textResultsIn(prose) : NO_RESULTS;
  const written = mayBeText && results.length === 0 ? textCallsIn(prose) : undefined;
  if (results.length > 0) {
    // If nobody called for it in a way that is known, a terminal ran code in an agent's words.
    for (const result of results)
      if (!answerText(turns, result))
        addStep(turns, stepWith(at, message, "", [], { text: result.text, origin: "", message }));
  } else if (written) {
    addStep(turns, stepWith(at, message, written.words, written.calls.map(callOf)));
  } else if (own.role === "assistant" || own.role === "other") {
    const calls = callsIn(own, answers);
    const { words, shown } = shownIn(prose.trim());
    const agent = words === "" ? undefined : agentOf(own);
    const said = agent === undefined ? words : `${agent}: ${words}`;
    const printed = shown === "" ? undefined : { text: shown, origin: "", message };
    if (said !== "" || shown !== "" || calls.length > 0)
      addStep(turns, stepWith(at, message, said, calls, printed));
  } else readUser(turns, message, own, at);
}

const NO_RESULTS: readonly TextResult[] = [];

function callsIn({ parts }: Message, answers: Answers): readonly ReadCall[] {
  const calls: ReadCall[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (part.type === "tool-call") calls.push(callWith(part, answers.get(part)));
  }
  return calls;
}

/** @param own the message without an earlier hand-off */
function readUser(turns: Draft[], message: Message, own: Message, at: number): void {
  const print = (text: string, origin: string) =>
    addStep(turns, stepWith(at, message, "", [], { text, origin, message }));
  if (own.loaded !== undefined && own.loaded > 0) {
    const texts = own.parts.filter(({ type }) => type === "text").slice(0, own.loaded);
    print(proseOf(messageWith(own, { parts: texts })), LOADED);
  }
  const speech = speechOf(own);
  if (speech.by === "nobody") return;
  if (speech.by === "summary") openTurn(turns, at, { earlier: { by: "summary", message: own } });
  else if (speech.by === "program") print(speech.words, speech.origin);
  else {
    if ("interrupts" in speech) currentTurn(turns, at).interrupted = true;
    if (speech.words !== "") openTurn(turns, at, { ask: speech.words, asked: own });
  }
}

/** Whether a message says anything besides calls and answers that are written as text. */
export function saysWords(message: Message): boolean {
  const prose = proseOf(message);
  if (textResultIn(prose)) return false;
  return (textCallsIn(prose)?.words ?? shownIn(prose).words.trim()) !== "";
}

/** What a terminal printed, and not what a program says of itself between tags. */
export function isPrintedResult(text: string, origin: string): boolean {
  return origin === "" && !/^\s*</.test(text);
}

/** Where the text of a skill comes from. */
export const LOADED = "instructions that were loaded";

/** A call that was written as text. */
function callOf({ id, name, arguments: given }: TextCall): ReadCall {
  const call: ToolCallPart = { type: "tool-call", pairId: id, name, arguments: given, server: false };
  return callWith(call, undefined, true);
}

/** The newest step with a call of that id, or with any where there is none, has its answer; false where there is no such step. */
function answerText(turns: readonly Draft[], { id, text, isError }: TextResult): boolean {
  const steps = turns.at(-1)?.steps ?? [];
  const at = steps.findLastIndex(({ calls }) =>
    calls.some(({ call, result }) => !result && (id === "" || call.pairId === id)),
  );
  const step = steps[at];
  if (!step) return false;
  const result: ToolResultPart = {
    type: "tool-result",
    pairId: id,
    text,
    isError,
    attachments: [],
    server: false,
  };
  const isAsked = ({ call, result: known }: ReadCall) => !known && (id === "" || call.pairId === id);
  // Calls without an id are answered in their order.
  const asked = step.calls.findIndex(isAsked);
  steps[at] = { ...step, calls: step.calls.with(asked, callWith(step.calls[asked]!.call, result)) };
  return true;
}

/** A result belongs to the last call before it with its id that nothing has answered: ids may come again. */
function answersTo(messages: readonly Message[]): Answers {
  const waiting = new Map<string, ToolCallPart[]>();
  const answers = new Map<ToolCallPart, ToolResultPart>();
  for (let at = 0; at < messages.length; at++) {
    const { parts } = messages[at]!;
    for (let each = 0; each < parts.length; each++) {
      const call = parts[each]!;
      if (call.type !== "tool-call") continue;
      const calls = waiting.get(call.pairId);
      if (calls) calls.push(call);
      else waiting.set(call.pairId, [call]);
    }
    for (let each = 0; each < parts.length; each++) {
      const result = parts[each]!;
      if (result.type !== "tool-result") continue;
      const calls = waiting.get(result.pairId);
      // Calls without an id are answered in their order.
      const call = result.pairId === "" ? calls?.shift() : calls?.pop();
      if (call) answers.set(call, result);
    }
  }
  return answers;
}
