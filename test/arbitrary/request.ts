/** Requests in which a provider finds no fault, in every wire format, and where they may be cut to be sent as they are. */
import fc from "fast-check";
import { anthropicTurn, anyTold, withTold } from "./anthropic-messages.ts";
import { openaiTurn } from "./openai-chat.ts";
import { responsesTurn } from "./openai-responses.ts";
import type { Wire } from "./pieces.ts";
import { prose } from "./texts.ts";
import { anyTurn, type Turn } from "./turn.ts";

export interface GeneratedRequest {
  readonly format: WireName;
  /** The body, all of it but the messages. */
  readonly rest: Wire;
  /** The key of the messages in the body. */
  readonly key: "messages" | "input";
  readonly messages: readonly Wire[];
  /** Its first so many messages are a request as well, and the rest goes on with it. */
  readonly cut: number;
}

export const wireNames = ["openai-chat", "anthropic-messages", "openai-responses"] as const;
export type WireName = (typeof wireNames)[number];

interface Settings {
  readonly turns: readonly Turn[];
  readonly system: string | undefined;
  readonly thinking: boolean;
  readonly cached: boolean;
  /** What a program says among the messages, place by place; where a format has such places. */
  readonly told: readonly (Wire | undefined)[];
}

const settings: fc.Arbitrary<Settings> = fc.record({
  turns: fc.array(anyTurn, { minLength: 1, maxLength: 6, size: "max" }),
  system: fc.option(prose, { nil: undefined }),
  thinking: fc.boolean(),
  cached: fc.boolean(),
  told: fc.oneof(fc.constant([]), fc.array(fc.option(anyTold, { nil: undefined }), { maxLength: 12 })),
});

export function anyRequest(format: WireName): fc.Arbitrary<GeneratedRequest> {
  return fc.tuple(settings, fc.double({ min: 0, max: 1, noNaN: true })).map(([given, share]) => {
    const request = writers[format](given);
    const places = request.messages.flatMap((_, at) => (mayEnd(request.messages, at) ? [at + 1] : []));
    return { format, ...request, cut: places[Math.floor(share * (places.length - 1))]! };
  });
}

/** The first `count` messages as a request. */
export function bodyOf({ rest, key, messages }: GeneratedRequest, count = messages.length): Wire {
  return { ...rest, [key]: messages.slice(0, count) };
}

type Written = Pick<GeneratedRequest, "rest" | "key" | "messages">;

const writers: Readonly<Record<WireName, (settings: Settings) => Written>> = {
  "openai-chat": ({ turns, system }) => ({
    rest: { model: "gpt-5", tools: names.map((name) => ({ type: "function", function: { name } })) },
    key: "messages",
    messages: [...(system ? [{ role: "system", content: system }] : []), ...turns.flatMap(openaiTurn)],
  }),
  "anthropic-messages": ({ turns, system, thinking, cached, told }) => {
    const mark = cached && { cache_control: { type: "ephemeral" } };
    const written = turns.map((turn, n) => anthropicTurn(turn, n, thinking));
    const last = written.at(-1)!;
    const said = [...written.slice(0, -1).flat(), ...(mark ? marked(last, mark) : last)];
    return {
      rest: {
        model: "claude-opus-4-1",
        max_tokens: 4096,
        ...(thinking && { thinking: { type: "enabled", budget_tokens: 1024 } }),
        ...(system && { system: [{ type: "text", text: system, ...mark }] }),
        tools: names.map((name) => ({ name, input_schema: { type: "object" } })),
      },
      key: "messages",
      messages: withTold(said, told),
    };
  },
  "openai-responses": ({ turns, system }) => ({
    rest: {
      model: "gpt-5",
      ...(system && { instructions: system }),
      tools: names.map((name) => ({ type: "function", name, parameters: {}, strict: false })),
    },
    key: "input",
    messages: turns.flatMap(responsesTurn),
  }),
};

const names = ["read_file", "run_tests", "write_file"];

/** The ask with a cache mark on its last block. */
function marked([ask, ...rest]: readonly Wire[], mark: Wire): readonly Wire[] {
  const blocks = ask!.content as readonly Wire[];
  return [{ ...ask, content: blocks.with(-1, { ...blocks.at(-1)!, ...mark }) }, ...rest];
}

/** After an ask, after the last of the results, with what a program says there, and after the last words of a turn. */
function mayEnd(messages: readonly Wire[], at: number): boolean {
  const [now, next] = [messages[at]!, messages[at + 1]];
  if (now.role === "system") return at > 0;
  if (next?.role === "system") return false;
  if (isResult(now)) return next === undefined || !isResult(next);
  return now.role === "user" || next === undefined || (next.role === "user" && !isCalling(now));
}

function isResult({ role, type }: Wire): boolean {
  return role === "tool" || String(type).endsWith("_output");
}

function isCalling({ content }: Wire): boolean {
  return Array.isArray(content) && content.some((block: Wire) => block.type === "tool_use");
}
