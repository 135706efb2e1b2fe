/** runAgentTool: answers a call of one of the tools that Pith offers to an agent. */

import type { Archive } from "../archive/archive.ts";
import type { AskingMessages } from "../archive/branch.ts";
import { reasonOf } from "../errors/reason-of.ts";
import { parsedJson } from "../json/wire-value.ts";
import { outsideOf } from "../recall/asked-branch.ts";
import { oneConversation } from "../recall/one-conversation.ts";
import { recallTools, runRecallTool } from "../recall/tools.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";
import { answerCompress, COMPRESS_CONTEXT } from "./compress-context.ts";
import { answerWithFill, type ContextFill } from "./fill-note.ts";

export interface ToolMeans {
  readonly archive: Archive | undefined;
  readonly conversationId: string | undefined;
  /** The messages that the call answers, the same branch in one way to put it or more. @default unknown */
  readonly asking?: readonly AskingMessages[] | undefined;
  /** Whether other branches may be asked for: the caller gave the conversation its name. @default true */
  readonly mayAskOthers?: boolean;
  readonly offersCompress: boolean;
  /** Where the agent may compact by itself, and so must know. */
  readonly fill: ContextFill | undefined;
}

/** Undefined for a tool that is not Pith's, or that was not offered. `given` is the arguments, parsed or as JSON text. */
export async function runAgentTool(
  name: string,
  given: unknown,
  { archive, conversationId, asking, mayAskOthers = true, offersCompress, fill }: ToolMeans,
): Promise<string | undefined> {
  // What is no JSON goes to the tool as it is, which says what is wrong with it.
  const values = typeof given === "string" ? (parsedJson(given) ?? given) : given;
  if (name === COMPRESS_CONTEXT) {
    return offersCompress ? answerWithFill(answerCompress(values).text, fill) : undefined;
  }
  if (!archive) return undefined;
  try {
    const tools =
      conversationId === undefined
        ? recallTools(archive)
        : recallTools(oneConversation(archive, conversationId), {
            conversationId,
            outside: outsideOf(archive, asking, conversationId),
            mayAskOthers,
          });
    const answer = await runRecallTool(tools, name, values);
    return answer && answerWithFill(answer.text, fill);
  } catch (cause) {
    // What an archive says of itself may hold its address and password.
    const why = reasonOf(cause);
    return `${name} failed: ${redactSecrets(why).text}`;
  }
}
