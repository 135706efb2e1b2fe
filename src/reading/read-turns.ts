/** Reads a conversation by turns and steps: what was asked, what the agent said, what it called and how that ended. */
import { type Message, proseOf, toolCallsOf } from "../conversation/message.ts";
import type { ToolCallPart, ToolResultPart } from "../conversation/part.ts";
import {
  besideTextCalls,
  shownIn,
  type TextCall,
  type TextResult,
  textCallsIn,
  textResultIn,
} from "./agents/text-calls.ts";
import type { Action } from "./calls/action.ts";
import { type Deed, deedOf } from "./calls/deed.ts";
import { actionsOf } from "./calls/read-call.ts";
import { separateHandoff } from "./handoffs/separate.ts";
import { speechOf } from "./typed-words.ts";

/** A call, what it set out to do and what came of it. */
export interface ReadCall {
  readonly call: ToolCallPart;
  readonly actions: readonly Action[];
  /** Absent where nothing answered it. */
  readonly result?: ToolResultPart;
  readonly deed?: Deed;
  /** It was written as text: its answer may stand anywhere. */
  readonly isText?: boolean;
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
  readonly printed?: Printed;
}

export interface ReadTurn {
  /** What the person typed; empty where the agent began, or where an earlier hand-off goes on. */
  readonly ask: string;
  /** The message in which it was typed. */
  readonly asked?: Message;
  /** The message of the ask stays in the conversation: it need not be told. */
  readonly askStays: boolean;
  /** A summary or a hand-off that stands in place of everything before. */
  readonly earlier?: { readonly by: "summary" | "handoff"; readonly message: Message };
  readonly at: number;
  readonly steps: readonly ReadStep[];
  /** The user stopped the agent before it came to an end. */
  readonly interrupted: boolean;
  /** More that the agent said or did in it stands in messages that stay. */
  readonly goesOn: boolean;
}

interface Draft {
  ask: string;
  asked?: Message;
  askStays: boolean;
  earlier?: NonNullable<ReadTurn["earlier"]>;
  at: number;
  steps: ReadStep[];
  interrupted: boolean;
  goesOn: boolean;
}

/** `stays` says of a message that it is read for its place only: what it says and does is told by itself. */
export function readTurns(
  messages: readonly Message[],
  stays: (message: Message) => boolean = () => false,
): readonly ReadTurn[] {
  const turns: Draft[] = [];
  const open = (draft: Partial<Draft> & { at: number }): Draft => {
    const turn: Draft = { ask: "", askStays: false, steps: [], interrupted: false, goesOn: false, ...draft };
    turns.push(turn);
    return turn;
  };
  const current = (at: number) => turns.at(-1) ?? open({ at });
  const answers = answersTo(messages);
  for (let at = 0; at < messages.length; at++) {
    const whole = messages[at]!;
    if (whole.role === "system" || whole.role === "tool") {
      const found = whole.role === "system" ? separateHandoff(whole).handoff : undefined;
      if (found) open({ at, earlier: { by: "handoff", message: found } });
      continue;
    }
    if (stays(whole)) {
      if (whole.role === "assistant" && turns.length > 0) turns.at(-1)!.goesOn = true;
      const speech = speechOf(whole);
      if (speech.by === "person" && speech.words !== "") open({ at, askStays: true });
      continue;
    }
    const { own, handoff } = separateHandoff(whole);
    if (handoff) open({ at, earlier: { by: "handoff", message: handoff } });
    if (own === undefined) continue;
    const prose = proseOf(own);
    const answer = textResultIn(prose);
    if (answer) {
      answerText(turns, answer);
      continue;
    }
    const written = textCallsIn(prose);
    if (written.length > 0) {
      current(at).steps.push({
        at,
        message: whole,
        said: besideTextCalls(prose),
        calls: written.map(callOf),
      });
      continue;
    }
    if (own.role === "assistant" || own.role === "other") {
      const calls = toolCallsOf(own).map((call) => readCall(call, answers.get(call)));
      const { words: said, shown } = shownIn(prose.trim());
      const printed = shown === "" ? {} : { printed: { text: shown, origin: "", message: whole } };
      if (said !== "" || shown !== "" || calls.length > 0)
        current(at).steps.push({ at, message: whole, said, calls, ...printed });
      continue;
    }
    if (own.loaded !== undefined && own.loaded > 0) {
      const text = proseOf({
        ...own,
        parts: own.parts.filter(({ type }) => type === "text").slice(0, own.loaded),
      });
      const printed = { text, origin: LOADED, message: whole };
      current(at).steps.push({ at, message: whole, said: "", calls: [], printed });
    }
    const speech = speechOf(own);
    if (speech.by === "nobody") continue;
    if (speech.by === "summary") {
      open({ at, earlier: { by: "summary", message: own } });
    } else if (speech.by === "program") {
      const printed = { text: speech.words, origin: speech.origin, message: whole };
      current(at).steps.push({ at, message: whole, said: "", calls: [], printed });
    } else {
      if ("interrupts" in speech) current(at).interrupted = true;
      if (speech.words !== "") open({ at, ask: speech.words, asked: own });
    }
  }
  return turns;
}

/** Whether a message says anything besides calls and answers that are written as text. */
export function saysWords(message: Message): boolean {
  const prose = proseOf(message);
  if (textResultIn(prose)) return false;
  return (textCallsIn(prose).length > 0 ? besideTextCalls(prose) : shownIn(prose).words.trim()) !== "";
}

/** Where the text of a skill comes from. */
export const LOADED = "instructions that were loaded";

/** A call that was written as text. */
function callOf({ id, name, arguments: given }: TextCall): ReadCall {
  const call: ToolCallPart = { type: "tool-call", pairId: id, name, arguments: given, server: false };
  return { ...readCall(call, undefined), isText: true };
}

/** The newest step with a call of that id, or with any where there is none, has its answer. */
function answerText(turns: readonly Draft[], { id, text, isError }: TextResult): void {
  const steps = turns.at(-1)?.steps ?? [];
  const at = steps.findLastIndex(({ calls }) =>
    calls.some(({ call, result }) => !result && (id === "" || call.pairId === id)),
  );
  const step = steps[at];
  if (!step) return;
  const result: ToolResultPart = {
    type: "tool-result",
    pairId: id,
    text,
    isError,
    attachments: [],
    server: false,
  };
  const isAsked = ({ call, result: known }: ReadCall) => !known && (id === "" || call.pairId === id);
  const last = step.calls.findLastIndex(isAsked);
  steps[at] = { ...step, calls: step.calls.with(last, readCall(step.calls[last]!.call, result)) };
}

function readCall(call: ToolCallPart, result: ToolResultPart | undefined): ReadCall {
  const actions = actionsOf(call);
  if (result === undefined) return { call, actions };
  return { call, actions, result, deed: deedOf({ pairId: call.pairId, tool: call.name, actions }, result) };
}

/** A result belongs to the last call before it with its id that nothing has answered: ids may come again. */
function answersTo(messages: readonly Message[]): ReadonlyMap<ToolCallPart, ToolResultPart> {
  const waiting = new Map<string, ToolCallPart[]>();
  const answers = new Map<ToolCallPart, ToolResultPart>();
  for (const { parts } of messages) {
    for (const call of parts) {
      if (call.type !== "tool-call") continue;
      const calls = waiting.get(call.pairId);
      if (calls) calls.push(call);
      else waiting.set(call.pairId, [call]);
    }
    for (const result of parts) {
      if (result.type !== "tool-result") continue;
      const calls = waiting.get(result.pairId);
      // Calls without an id are answered in their order.
      const call = result.pairId === "" ? calls?.shift() : calls?.pop();
      if (call) answers.set(call, result);
    }
  }
  return answers;
}
