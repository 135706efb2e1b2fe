/** Answers of the Chat Completions API. */
import { isObject, type WireObject } from "../../json/wire-value.ts";
import type { OwnCall } from "../offered-tools.ts";
import {
  type AnswerApi,
  dataOf,
  eventText,
  objectsIn,
  type Round,
  type StreamJoiner,
  sumUsage,
} from "./answer-api.ts";

export const chatAnswers: AnswerApi = {
  results: (results) =>
    results.map(({ call, text }) => ({ role: "tool", tool_call_id: call.id, content: text })),
  mergedResults: false,
  readAnswer: (answer, own) => roundOf(messageOf(answer), own),
  joinAnswers: (answers, own) => {
    const last = answers.at(-1)!;
    const messages = answers.map(messageOf);
    const calls = visibleCalls(messages.at(-1)!, own);
    const content = messages
      .map(({ content }) => content)
      .filter((text) => typeof text === "string" && text !== "");
    const { tool_calls: _, ...message } = messages.at(-1)!;
    const visible = {
      ...message,
      content: content.length > 0 ? content.join(SEPARATOR) : null,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const [choice, ...others] = objectsIn(last.choices);
    const usage = answers.map((each) => each.usage).reduce(sumUsage);
    return { ...last, id: answers[0]!.id, choices: [{ ...choice, message: visible }, ...others], usage };
  },
  echoes: (answer) => {
    const message = messageOf(answer);
    const { role, content, tool_calls } = message;
    return [[message], [{ role, content, ...(tool_calls !== undefined && { tool_calls }) }]];
  },
  createJoiner,
};

const SEPARATOR = "\n\n";

function messageOf(answer: WireObject): WireObject {
  const [choice] = objectsIn(answer.choices);
  return isObject(choice?.message) ? choice.message : {};
}

function callOf(call: WireObject): OwnCall {
  const made = isObject(call.function) ? call.function : {};
  return { id: String(call.id), name: String(made.name), arguments: String(made.arguments ?? "") };
}

function visibleCalls(message: WireObject, own: ReadonlySet<string>): readonly WireObject[] {
  return objectsIn(message.tool_calls).filter((call) => !own.has(callOf(call).name));
}

function roundOf(message: WireObject, own: ReadonlySet<string>): Round {
  const calls = objectsIn(message.tool_calls).map(callOf);
  const ours = calls.filter(({ name }) => own.has(name));
  return { calls: ours, hasOthers: ours.length < calls.length, elements: [message] };
}

function createJoiner(own: ReadonlySet<string>): StreamJoiner {
  let first: WireObject | undefined;
  let message = emptyMessage();
  let visibleText = "";
  const visible: GatheredCall[] = [];
  /** Where the calls of this answer are for the client; -1 for own ones. */
  let places: number[] = [];
  let isLater = false;
  let needsSeparator = false;
  let held: string[] = [];
  let usage: unknown;
  let usageOfRound: unknown;

  const asFirst = (data: WireObject): WireObject =>
    first === undefined ? data : { ...data, id: first.id, created: first.created };

  const takeCalls = (
    parts: readonly WireObject[],
  ): { readonly shown: readonly WireObject[]; readonly isChanged: boolean } => {
    let isChanged = false;
    const shown = parts.flatMap((part): readonly WireObject[] => {
      const at = Number(part.index ?? 0);
      if (places[at] === undefined) {
        const isOwn = isObject(part.function) && own.has(String(part.function.name));
        places[at] = isOwn ? -1 : visible.length;
        message.calls[at] = { arguments: "" };
        if (!isOwn) visible.push(message.calls[at]);
      }
      const place = places[at]!;
      addCall(message.calls[at]!, part);
      isChanged ||= place !== at;
      return place < 0 ? [] : [{ ...part, index: place }];
    });
    return { shown, isChanged };
  };

  return {
    take: (raw, data) => {
      // From the end of the answer on, all waits until no other one follows.
      const hold = (): string => {
        held.push(raw);
        return "";
      };
      if (!data) return held.length > 0 || raw.includes("[DONE]") ? hold() : raw;
      first ??= data;
      const [choice] = objectsIn(data.choices);
      if (data.usage !== undefined && data.usage !== null) usageOfRound = data.usage;
      if (!choice) return held.length > 0 ? hold() : isLater ? "" : raw;
      const delta = isObject(choice.delta) ? choice.delta : {};
      const { tool_calls: parts, content, role: _role, ...others } = delta;
      const { shown, isChanged } = takeCalls(objectsIn(parts));
      if (typeof content === "string") message.content += content;
      addOthers(message.others, others);
      if (choice.finish_reason !== undefined && choice.finish_reason !== null) return hold();
      const hasText = typeof content === "string" && content !== "";
      if (!isLater && !isChanged) {
        if (hasText) visibleText += content;
        return raw;
      }
      if (!hasText && shown.length === 0 && Object.keys(others).length === 0) return "";
      const separator = needsSeparator && hasText ? SEPARATOR : "";
      if (hasText) needsSeparator = false;
      if (hasText) visibleText += separator + content;
      const next = {
        ...others,
        ...(hasText && { content: separator + content }),
        ...(shown.length > 0 && { tool_calls: shown }),
      };
      return eventText(asFirst({ ...data, choices: [{ ...choice, delta: next }] }));
    },
    endRound: () => {
      const round = roundOf(wholeMessage(message), own);
      usage = usage === undefined ? usageOfRound : sumUsage(usage, usageOfRound);
      usageOfRound = undefined;
      return round;
    },
    finish: () => {
      const isPlain = !isLater && places.every((place, at) => place === at);
      return held
        .map((raw) => {
          const data = isPlain ? undefined : dataOf(raw);
          if (!data) return raw;
          return eventText(asFirst({ ...data, ...(isObject(data.usage) && { usage: usage as WireObject }) }));
        })
        .join("");
    },
    heard: () => {
      const calls = visible.map(madeCall);
      const said = {
        role: "assistant",
        content: visibleText || null,
        ...(calls.length > 0 && { tool_calls: calls }),
      };
      return { choices: [{ message: said }] };
    },
    nextRound: () => {
      isLater = true;
      needsSeparator = visibleText !== "";
      message = emptyMessage();
      places = [];
      held = [];
    },
  };
}

interface Gathered {
  content: string;
  readonly others: Record<string, unknown>;
  readonly calls: GatheredCall[];
}

interface GatheredCall {
  id?: unknown;
  name?: unknown;
  arguments: string;
}

function emptyMessage(): Gathered {
  return { content: "", others: {}, calls: [] };
}

function addCall(call: GatheredCall, part: WireObject): void {
  const made = isObject(part.function) ? part.function : {};
  call.id ??= part.id;
  call.name ??= made.name;
  call.arguments += typeof made.arguments === "string" ? made.arguments : "";
}

/** Such as `reasoning_content`: texts and lists go on, anything else is replaced. */
function addOthers(known: Record<string, unknown>, others: WireObject): void {
  for (const [key, value] of Object.entries(others)) {
    const before = known[key];
    if (typeof before === "string" && typeof value === "string") known[key] = before + value;
    else if (Array.isArray(before) && Array.isArray(value)) known[key] = [...before, ...value];
    else if (value !== null) known[key] = value;
  }
}

function madeCall({ id, name, arguments: given }: GatheredCall): WireObject {
  return { id, type: "function", function: { name, arguments: given } };
}

function wholeMessage({ content, others, calls }: Gathered): WireObject {
  const made = calls.filter(Boolean).map(madeCall);
  return {
    role: "assistant",
    ...others,
    content: content || null,
    ...(made.length > 0 && { tool_calls: made }),
  };
}
