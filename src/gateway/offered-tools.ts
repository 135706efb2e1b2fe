/** The gateway's own tools: offered to the model in the request itself, and answered. */
import {
  answerCompress,
  COMPRESS_CONTEXT,
  compressContextDescription,
  compressContextParameters,
} from "../agent-control/compress-context.ts";
import { answerWithFill, type ContextFill } from "../agent-control/fill-note.ts";
import type { Archive } from "../archive/archive.ts";
import type { AskingMessages } from "../archive/branch.ts";
import { elementsAt, findValue, skipSpace, textStart } from "../json/scan.ts";
import { isObject, type WireObject } from "../json/wire-value.ts";
import { formatNamed } from "../providers/detect.ts";
import { outsideOf } from "../recall/asked-branch.ts";
import type { EmbeddedMedia } from "../recall/embedded-media.ts";
import { oneConversation } from "../recall/one-conversation.ts";
import { type RecallTool, recallTools, runRecallTool } from "../recall/tools.ts";

export interface OwnCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

export interface OwnResult {
  readonly call: OwnCall;
  readonly text: string;
  readonly isError: boolean;
  /** What the text has notes of, for APIs in which a result may show it. */
  readonly media?: readonly EmbeddedMedia[] | undefined;
}

export interface Offer {
  readonly text: string;
  /** The names of the tools that are in it now. */
  readonly tools: readonly string[];
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: WireObject;
}

/** Its description has no live fill: it is before all messages, and what changes there empties the provider's cache. */
export const compressTool: OfferedTool = {
  name: COMPRESS_CONTEXT,
  description: compressContextDescription(undefined),
  parameters: compressContextParameters,
};

/** The body with the tools behind the client's own; those that the client has by the same name stay the client's. */
export function offerTools(
  text: string,
  rest: WireObject,
  format: string,
  offered: readonly OfferedTool[],
): Offer {
  if (!mayOffer(rest, format)) return { text, tools: [] };
  const taken = new Set((Array.isArray(rest.tools) ? rest.tools : []).map(nameOf));
  const tools = offered.filter(({ name }) => !taken.has(name));
  if (tools.length === 0) return { text, tools: [] };
  const { toolDefinition } = formatNamed(format);
  const definitions = tools.map(({ name, description, parameters }) =>
    JSON.stringify(toolDefinition({ name, description, parameters })),
  );
  return { text: withTools(text, definitions.join(",")), tools: tools.map(({ name }) => name) };
}

/** Not where no call is wanted, several answers are, or the provider would remember an answer that the client never saw. */
function mayOffer(rest: WireObject, format: string): boolean {
  const { tool_choice: choice, n, store, tools } = rest;
  // The provider says what is wrong with those.
  if (tools !== undefined && tools !== null && !Array.isArray(tools)) return false;
  const isNone = choice === "none" || (isObject(choice) && choice.type === "none");
  const isMany = typeof n === "number" && n > 1;
  return !isNone && !isMany && (format !== "openai-responses" || store === false);
}

function nameOf(tool: unknown): unknown {
  if (!isObject(tool)) return undefined;
  return isObject(tool.function) ? tool.function.name : tool.name;
}

/** Every other byte of the body stays. @param definitions JSON texts with commas between them */
function withTools(text: string, definitions: string): string {
  const start = skipSpace(text, textStart(text));
  const tools = findValue(text, start, ["tools"]);
  if (tools === undefined)
    return `${text.slice(0, start + 1)}"tools":[${definitions}],${text.slice(start + 1)}`;
  if (text[tools.start] !== "[")
    return `${text.slice(0, tools.start)}[${definitions}]${text.slice(tools.end)}`;
  const { end } = tools;
  const isEmpty = elementsAt(text, tools.start).length === 0;
  return `${text.slice(0, end - 1)}${isEmpty ? "" : ","}${definitions}${text.slice(end - 1)}`;
}

/** The request that calls answer. */
export interface CallsOf {
  readonly conversation?: string | undefined;
  /** Its messages, as the client has them and as they go upstream. @default as the last compaction left them */
  readonly asking?: readonly AskingMessages[] | undefined;
  /** The client gave the conversation its name: its branches are all of one client. @default false */
  readonly mayAskOthers?: boolean;
  readonly fill?: ContextFill | undefined;
}

/**
 * Answers calls, recall out of one conversation. Never rejects: what failed is an answer too. With a fill, each answer
 * tells it: of the request that the calls answer.
 */
export async function answerCalls(
  archive: Archive | undefined,
  calls: readonly OwnCall[],
  { conversation, asking, mayAskOthers = false, fill }: CallsOf,
): Promise<readonly OwnResult[]> {
  const tools =
    archive && conversation !== undefined
      ? recallTools(oneConversation(archive, conversation), {
          conversationId: conversation,
          outside: outsideOf(archive, asking, conversation),
          mayAskOthers,
        })
      : [];
  const results = await Promise.all(
    calls.map((call) =>
      call.name === COMPRESS_CONTEXT ? { call, ...answerCompress(call.arguments) } : answerCall(tools, call),
    ),
  );
  return results.map((result) => ({ ...result, text: answerWithFill(result.text, fill) }));
}

async function answerCall(tools: readonly RecallTool[], call: OwnCall): Promise<OwnResult> {
  try {
    const given: unknown = call.arguments.trim() === "" ? {} : JSON.parse(call.arguments);
    const answer = await runRecallTool(tools, call.name, given);
    if (!answer) return { call, text: `There is no tool ${call.name}.`, isError: true };
    return { call, ...answer };
  } catch (error) {
    const why = error instanceof SyntaxError ? "its arguments are no JSON" : "the archive does not answer";
    return { call, text: `${call.name} failed: ${why}. Go on without it.`, isError: true };
  }
}
