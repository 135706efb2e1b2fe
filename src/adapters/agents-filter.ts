/**
 * Agents filter: the `callModelInputFilter` of the OpenAI Agents SDK. What it gives is also what the SDK puts into the run's
 * Session as the user's input, so what the user said in this run comes out as the very items that came in.
 */

import type { WireObject } from "../json/wire-value.ts";
import { agentsDefinitions } from "./agents-definitions.ts";
import { agentsView } from "./agents-items.ts";
import { ownAgentsModel } from "./agents-own-model.ts";
import { isSystemMessage, systemApart, withSystem } from "./body-view.ts";
import { modelNameOf } from "./model-name.ts";
import type { Own } from "./own-summaries.ts";
import type { Placed, Sessions } from "./sessions.ts";
import type { Whose } from "./whose.ts";

export interface AgentsModelData {
  readonly input: readonly unknown[];
  readonly instructions?: string;
}

export interface AgentsCall<Data extends AgentsModelData> {
  readonly modelData: Data;
  readonly agent?: unknown;
  readonly context?: unknown;
}

/** What the user said last stays whole while it takes no more of the budget than this. */
const LARGEST_ASK = 0.5;

/** The context of a run, which is the user's own, may say whose the run is; a tool gets it inside the SDK's. */
export function whoseRun(context: unknown): Whose {
  const inner = isItem(context) && isItem(context.context) ? context.context : context;
  const said = isItem(inner) ? inner.pith : undefined;
  return isItem(said) ? { conversationId: textOf(said.conversationId), user: textOf(said.user) } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** @param of whose the runs are that do not say it. @default the adapter's */
export function agentsFilter({ compactor, send }: Pick<Sessions, "compactor" | "send">, of: Whose = {}) {
  return async <Data extends AgentsModelData>({
    modelData,
    agent,
    context,
  }: AgentsCall<Data>): Promise<Data> => {
    const { input, instructions } = modelData;
    // The SDK knows what is given back by the objects that it gave: those may be changed in place, so they are not kept.
    const copies = input.map((item) => (isItem(item) ? { ...item } : item));
    const history = withSystem(instructions, copies);
    const { model: called } = (agent ?? {}) as { readonly model?: unknown };
    const model = modelNameOf(called);
    const asked = lastAsked(copies);
    const { conversationId = of.conversationId, user = of.user } = whoseRun(context);
    let given = modelData;
    const share = asked.length === 0 ? 0 : compactor.health({ input: asked, model }).utilisation;
    return send({
      history,
      view: agentsView,
      whose: { conversationId, user },
      model,
      tools: await agentsDefinitions(agent, context),
      pinned: (share ?? 0) <= LARGEST_ASK ? asked : [],
      own: ownAgentsModel(called, () => given) as Own<Data> | undefined,
      call: async (_messages, placed) => {
        const shift = history.length - input.length;
        const [system] = systemApart(placed.map(({ message }) => message));
        const items = placed.filter(({ message }) => !isSystemMessage(message));
        given = {
          ...modelData,
          input: items.map((each) => restored(each, copies, input, shift)),
          ...(system !== undefined && { instructions: system }),
        };
        return given;
      },
    });
  };
}

/** The SDK's own object, with what was changed; a new item as it is. */
function restored(
  { message, from }: Placed<unknown>,
  copies: readonly unknown[],
  input: readonly unknown[],
  shift: number,
): unknown {
  const given = input[from - shift];
  if (from < 0 || !isItem(given) || !isItem(message)) return message;
  if (message === copies[from - shift]) return given;
  for (const key of Object.keys(given)) if (!(key in message)) delete (given as Record<string, unknown>)[key];
  return Object.assign(given, message);
}

/** The user's last words, one or more messages in a row; the model may be working on them already. */
function lastAsked(items: readonly unknown[]): readonly unknown[] {
  const end = items.findLastIndex(isUsers) + 1;
  const start = items.slice(0, end).findLastIndex((item) => !isUsers(item)) + 1;
  return items.slice(start, end);
}

function isUsers(item: unknown): boolean {
  return isItem(item) && item.role === "user";
}

function isItem(item: unknown): item is WireObject {
  return typeof item === "object" && item !== null;
}
