/** answerRoute: from a route of the API to the inspector's answer, whatever carries the request. */
import type { CostReader } from "./cost.ts";
import type { Inspector } from "./inspector.ts";
import { InspectRefusal } from "./refusal.ts";
import {
  costFields,
  itemFields,
  pageFields,
  planFields,
  readFields,
  searchFields,
  undoFields,
} from "./request-fields.ts";

export interface ApiRequest {
  readonly method: string;
  /** Below the prefix, decoded piece by piece: ["api", "items", "pith:…"]. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  /** The parsed body of a POST. */
  readonly body?: unknown;
}

export type AnswerRoute = (request: ApiRequest) => Promise<unknown>;

export function routeAnswers(inspector: Inspector, cost: CostReader): AnswerRoute {
  const routes: readonly Route[] = [
    ["GET", "session", () => inspector.session()],
    ["GET", "conversations", () => inspector.conversations()],
    ["GET", "conversations/:", ({ name }) => inspector.conversation(name)],
    [
      "GET",
      "conversations/:/messages",
      ({ name, query }) => inspector.messages(name, readFields(pageFields, query)),
    ],
    ["GET", "compactions/:", ({ name }) => inspector.compaction(name)],
    ["GET", "items/:", ({ name, query }) => inspector.item(name, readFields(itemFields, query))],
    ["GET", "search", ({ query }) => inspector.search(searchOptions(query))],
    ["GET", "cost/:", ({ name, query }) => cost(name, readFields(costFields, query))],
    ["POST", "preview", ({ body }) => inspector.preview(readFields(planFields, body))],
    ["POST", "apply", ({ body }) => inspector.apply(readFields(planFields, body))],
    ["POST", "undo", ({ body }) => inspector.undo(readFields(undoFields, body).compaction)],
  ];
  return async ({ method, path: [api, ...rest], query, body }) => {
    const shape = rest.map((piece, order) => (order === 1 ? ":" : piece)).join("/");
    const matching = api === "api" ? routes.filter(([, route]) => route === shape) : [];
    if (matching.length === 0) throw new InspectRefusal("NOT_FOUND", "There is nothing at this address.");
    const found = matching.find(([needed]) => needed === method);
    if (!found) throw new InspectRefusal("WRONG_METHOD", `This address takes ${matching[0]![0]}.`);
    return found[2]({ name: rest[1] ?? "", query, body });
  };
}

type Route = readonly [method: "GET" | "POST", route: string, answer: (asked: Asked) => unknown];

interface Asked {
  /** The second piece of the route: a conversation, a compaction, an item. */
  readonly name: string;
  readonly query: ApiRequest["query"];
  readonly body: unknown;
}

/** Fields that were left empty in a form mean nothing. */
function searchOptions(query: ApiRequest["query"]): Parameters<Inspector["search"]>[0] {
  const said = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
  const { q, role, conversation, tool, since, until, limit } = readFields(searchFields, said);
  return {
    query: q,
    limit,
    ...(role && { roles: [role] }),
    ...(conversation !== undefined && { conversationId: conversation }),
    ...(tool !== undefined && { tool }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}
