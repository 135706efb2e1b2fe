/** Agents definitions: what an agent of the OpenAI Agents SDK sends besides its items: tools, hand-offs, the output's schema. */
import { isObject, type WireObject } from "../json/wire-value.ts";
import { definitionOf } from "./tool-definitions.ts";

interface Agent {
  readonly tools?: readonly WireObject[];
  readonly handoffs?: readonly WireObject[];
  readonly outputType?: unknown;
  readonly mcpServers?: readonly unknown[];
  readonly getMcpTools?: (context: unknown) => Promise<readonly WireObject[]>;
}

/** Those that are switched off for this run are counted as well: nobody asks them here. */
export async function agentsDefinitions(agent: unknown, context: unknown): Promise<readonly unknown[]> {
  if (!isObject(agent)) return [];
  const { tools = [], handoffs = [], outputType } = agent as Agent;
  const served = await servedTools(agent as Agent, context);
  return [
    ...[...tools, ...served].map((tool) => definitionOf(tool, readTool)),
    ...handoffs.map((handoff) => definitionOf(handoff, readHandoff)),
    ...(isObject(outputType) ? [definitionOf(outputType, (schema) => ({ name: "output", schema }))] : []),
  ];
}

/** Asked of its servers once for each agent: the SDK asks with every call. */
const served = new WeakMap<object, Promise<readonly WireObject[]>>();

function servedTools(agent: Agent, context: unknown): Promise<readonly WireObject[]> {
  if (!agent.mcpServers?.length || !agent.getMcpTools) return Promise.resolve([]);
  // Where a server does not answer, the SDK finds out by itself and says so; it is asked again with the next call.
  const unanswered = () => {
    served.delete(agent);
    return [];
  };
  const tools = served.get(agent) ?? agent.getMcpTools({ context }).catch(unanswered);
  served.set(agent, tools);
  return tools;
}

/** The API runs some tools itself: of these there is what the provider is told. */
function readTool({ name, description, parameters, providerData, type }: WireObject) {
  return { name: String(name ?? type), description, schema: parameters ?? providerData };
}

/** Another agent, or a hand-off to one. */
function readHandoff({ name, toolName, handoffDescription, toolDescription, inputJsonSchema }: WireObject) {
  return {
    name: String(toolName ?? `transfer_to_${name}`),
    description:
      toolDescription ?? `Handoff to the ${name} agent to handle the request. ${handoffDescription ?? ""}`,
    schema: inputJsonSchema ?? { type: "object", properties: {}, required: [], additionalProperties: false },
  };
}
