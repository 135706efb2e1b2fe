/** tokenjuice: every tool result reduced by its rules, and the most recent messages of that. */
import type { WireMessage } from "../measure/wire-message.ts";
import { recentWithin } from "../strategies/keep-recent.ts";
import type { Strategy } from "../strategies/strategy.ts";
import { loadPeer } from "./load-peer.ts";

interface Tokenjuice {
  readonly reduceExecution: (
    input: { toolName: string; command?: string; args?: Record<string, unknown>; combinedText: string },
    options: { recordStats: boolean; store: boolean },
  ) => Promise<{ readonly inlineText: string }>;
}

interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export async function tokenjuice(): Promise<Strategy> {
  const { reduceExecution } = await loadPeer<Tokenjuice>("tokenjuice");
  const reduce = async (message: WireMessage, call: Call): Promise<WireMessage> => {
    if (typeof message.content !== "string") return message;
    const command = commandOf(call.args);
    const { inlineText } = await reduceExecution(
      // Its rules know shells by one tool name.
      { toolName: command ? "exec" : call.name, ...(command && { command }), combinedText: message.content },
      { recordStats: false, store: false },
    );
    return { ...message, content: inlineText };
  };
  return {
    prepare: async (past) => {
      const calls = new Map<string, Call>();
      const reduced: WireMessage[] = [];
      for (const message of past) {
        for (const { id, function: called } of message.tool_calls ?? []) {
          calls.set(id, { name: called.name, args: argumentsOf(called.arguments) });
        }
        const call = message.role === "tool" ? calls.get(message.tool_call_id ?? "") : undefined;
        reduced.push(call ? await reduce(message, call) : message);
      }
      return (targetTokens) => recentWithin(reduced, targetTokens);
    },
  };
}

function commandOf(args: Record<string, unknown>): string | undefined {
  const command = args.command ?? args.cmd ?? args.script;
  if (Array.isArray(command)) return command.join(" ");
  return typeof command === "string" ? command : undefined;
}

function argumentsOf(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // A call whose arguments are no JSON has no command to read.
    return {};
  }
}
