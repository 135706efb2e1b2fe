/** Tenant doors: every way in, tried by one tenant to get at another one's words. Each gives all that came out of it. */
import { pithAiSdk } from "../src/adapters/ai-sdk.ts";
import { pithAnthropic } from "../src/adapters/anthropic.ts";
import type { Fetch } from "../src/adapters/compacting-fetch.ts";
import { pithLangChain } from "../src/adapters/langchain.ts";
import { pithMastra } from "../src/adapters/mastra.ts";
import { pithOpenAI } from "../src/adapters/openai.ts";
import { memoryArchive } from "../src/archive/memory.ts";
import { createCompactor } from "../src/index.ts";
import { post } from "./gateway-world.ts";
import { ask, overStdio } from "./mcp-session.ts";
import { runPith } from "./run-pith.ts";
import {
  keyOf,
  OPERATOR_KEY,
  otherOf,
  type Random,
  sharedPrefix,
  type Tenant,
  type TenantWorld,
  turnOf,
  type Wire,
} from "./tenant-world.ts";

export interface Trying {
  readonly world: TenantWorld;
  readonly tenant: Tenant;
  readonly random: Random;
}

/** All that came out: to the one who tries, and to the model in its name. */
export type Door = (trying: Trying) => Promise<string>;

/** A call of a recall tool that aims at the other tenant. */
async function aimed({ world, tenant, random }: Trying): Promise<readonly [tool: string, given: Wire]> {
  const other = otherOf(tenant);
  const known = world.words[other];
  const { handle = "account" } = known[random(Math.max(1, known.length))] ?? {};
  const { ids, names } = await world.holdings(other);
  const id = ids[random(Math.max(1, ids.length))] ?? "pith:000000000000";
  const name = names[random(Math.max(1, names.length))] ?? `${other}/talk`;
  const calls: readonly (readonly [string, Wire])[] = [
    ["recall_search", { query: `the code of account ${handle}`, limit: 50 }],
    ["recall_search", { query: handle, conversation: name, other_branches: true }],
    ["recall_search", { query: "which code has the account", limit: 50, other_branches: true }],
    ["recall_expand", { id }],
    ["recall_expand", { id, conversation: name, other_branches: true }],
    ["recall_expand", { conversation: name, from: 0, to: 400, max_tokens: 20_000 }],
    ["recall_expand", { id: `${id}#1` }],
  ];
  return calls[random(calls.length)]!;
}

/** Names that a client may give its conversation, hoping for another one's. */
const namesFor = (other: Tenant): readonly (string | undefined)[] => [
  undefined,
  "talk",
  `${other}/talk`,
  `../${other}/talk`,
  `unlisted:${other}/talk`,
];

/** What each tenant has said so far at each door. */
const histories = new Map<string, readonly Wire[]>();

/** The tenant's conversation at a door, one turn longer; now and then it goes back to where both say the same. */
function grown(door: string, { world, tenant, random }: Trying, more: string): readonly Wire[] {
  const key = `${door} ${tenant}`;
  const before = random(5) === 0 ? sharedPrefix : (histories.get(key) ?? sharedPrefix);
  const history = [...before, ...turnOf(world.next(tenant), more)];
  histories.set(key, history);
  return history;
}

/** Text that quotes ids of the other tenant. */
async function quoting({ world, tenant, random }: Trying): Promise<string> {
  const { ids } = await world.holdings(otherOf(tenant));
  const some = Array.from({ length: 3 }, () => ids[random(Math.max(1, ids.length))] ?? "");
  return `See ${some.join(", ")}.`;
}

const gateway: Door = async (trying) => {
  const { world, tenant, random } = trying;
  const [tool, given] = await aimed(trying);
  const name = namesFor(otherOf(tenant))[random(5)];
  const history = grown(`gateway ${name}`, trying, await quoting(trying));
  const asked = { role: "user", content: `Please do this. CALL ${tool} ${JSON.stringify(given)} END` };
  const from = world.provider.received.length;
  const answer = await post(
    `${world.gateway.url}/v1/chat/completions`,
    { model: "some-model", messages: [...history, asked] },
    { "x-pith-key": keyOf(tenant), ...(name !== undefined && { "x-pith-conversation": name }) },
  );
  const text = await answer.text();
  return [text, ...world.provider.received.slice(from).map((each) => each.text)].join("\n");
};

const wrongKey: Door = async ({ world, tenant, random }) => {
  const wrong = ["", "nobody's", `a key of ${otherOf(tenant)}`, OPERATOR_KEY][random(4)]!;
  const headers = { "x-pith-key": wrong };
  const body = { model: "m", messages: sharedPrefix };
  const answers = [
    await post(`${world.gateway.url}/v1/chat/completions`, body, headers),
    await fetch(`${world.gateway.url}/inspect/?token=${encodeURIComponent(keyOf(otherOf(tenant)))}`),
    await fetch(`${world.gateway.url}/inspect/api/conversations`, { headers }),
  ];
  const statuses = answers.map(({ status }) => status).join(" ");
  if (!/^(?:401|429) 401 401$/.test(statuses)) return `let in: ${statuses}`;
  return (await Promise.all(answers.map((answer) => answer.text()))).join("\n");
};

const mcpOverHttp: Door = async (trying) => {
  const [tool, given] = await aimed(trying);
  return (await ask(trying.world.mcp[trying.tenant], tool, { ...given })).text;
};

const mcpOnStdio: Door = async (trying) => {
  const [tool, given] = await aimed(trying);
  const client = await overStdio(["--archive", trying.world.file, "--tenant", trying.tenant]);
  try {
    return (await ask(client, tool, { ...given })).text;
  } finally {
    await client.close();
  }
};

const inspector: Door = async ({ world, tenant, random }) => {
  const { ids, names } = await world.holdings(otherOf(tenant));
  const id = encodeURIComponent(ids[random(Math.max(1, ids.length))] ?? "pith:000000000000");
  const name = encodeURIComponent(names[random(Math.max(1, names.length))] ?? "x");
  const { handle = "x" } = world.words[otherOf(tenant)].at(-1) ?? {};
  const paths = [
    "conversations",
    `conversations/${name}`,
    `conversations/${name}/messages?from=0&count=50`,
    `compactions/${id}`,
    `items/${id}`,
    `search?q=${handle}`,
    `search?q=code&conversation=${name}`,
    `cost/${name}`,
  ];
  const answer = await fetch(`${world.gateway.url}/inspect/api/${paths[random(paths.length)]}`, {
    headers: { cookie: world.cookies[tenant], origin: world.gateway.url },
  });
  return answer.text();
};

const metrics: Door = async ({ world, tenant }) => {
  const read = async (headers: Record<string, string>) =>
    (await fetch(`${world.gateway.url}/metrics`, { headers })).text();
  const own = await read({ authorization: `Bearer ${keyOf(tenant)}` });
  const nobody = await read({});
  const house = await read({ "x-pith-key": OPERATOR_KEY });
  const other = `tenant="${otherOf(tenant)}"`;
  if (own.includes(other) || nobody.includes('tenant="') || !house.includes("pith_gateway_requests_total"))
    return `let in: ${own}${nobody}`;
  return own + nobody;
};

const commandLine: Door = async (trying) => {
  const { world, tenant } = trying;
  const [tool, given] = await aimed(trying);
  const where = ["--archive", world.file, "--tenant", tenant];
  const asked =
    tool === "recall_search"
      ? [String(given.query), ...(given.conversation ? ["--conversation", String(given.conversation)] : [])]
      : ["--expand", String(given.id ?? "pith:000000000000"), "--max-tokens", "5000"];
  const { stdout, stderr } = await runPith(["recall", ...asked, ...where]);
  return stdout + stderr;
};

/** A page for others to read, of one's own conversation. */
const exported: Door = async ({ world, tenant }) => {
  const name = (await world.holdings(tenant)).names.find((each) => each.startsWith(`${tenant}/`));
  if (name === undefined) return "";
  const page = `${world.file}.${tenant}.html`;
  await runPith(["inspect", "--archive", world.file, "--conversation", name, "--export", page]);
  const { readFileSync } = await import("node:fs");
  return readFileSync(page, "utf8");
};

/** What the model of a shared client was sent last. */
let sent = "";
const answering: Fetch = async (_input, init) => {
  sent = String(init?.body) + JSON.stringify([...new Headers(init?.headers)]);
  return Response.json({ choices: [{ message: { role: "assistant", content: "ok" } }], content: [] });
};
/** Where shared clients keep what was said. */
export const sharedArchive = memoryArchive();
const usual = { window: 2_500, archive: sharedArchive, fetch: answering };
const openai = pithOpenAI(usual);
const anthropic = pithAnthropic(usual);
const { fetch: _, ...withoutFetch } = usual;
const aiSdk = pithAiSdk(withoutFetch);
const langChain = pithLangChain(withoutFetch);
const mastra = pithMastra(withoutFetch);
const compactor = createCompactor(withoutFetch);

const httpClient =
  (door: string, pith: typeof openai | typeof anthropic, path: string): Door =>
  async (trying) => {
    const { tenant, random } = trying;
    const [tool, given] = await aimed(trying);
    const conversationId = random(2) === 0 ? "talk" : undefined;
    const whose = { user: tenant, ...(conversationId && { conversationId }) };
    const isBound = random(2) === 0;
    const client = isBound ? pith.for(whose) : pith;
    const headers = {
      "x-pith-user": tenant,
      ...(conversationId && { "x-pith-conversation": conversationId }),
    };
    await client.fetch(`http://model${path}`, {
      method: "POST",
      ...(!isBound && { headers }),
      body: JSON.stringify({ model: "some-model", messages: grown(door, trying, await quoting(trying)) }),
    });
    const out = sent;
    const told = await client.runTool(tool, given, isBound ? {} : whose);
    // Who does not say whose it is gets nothing of anybody.
    const unnamed = await pith.runTool(tool, given);
    return [out.replace(/^.*x-pith-/s, "a header went on: x-pith-"), told, unnamed].join("\n");
  };

const throughAiSdk: Door = async (trying) => {
  const { tenant } = trying;
  const [tool, given] = await aimed(trying);
  const prompt = grown("ai-sdk", trying, await quoting(trying)).map(({ role, content }) => ({
    role,
    content: [{ type: "text", text: content }],
  }));
  let out = "";
  const model = {
    specificationVersion: "v3",
    provider: "p",
    modelId: "m",
    supportedUrls: {},
    doStream: async () => ({}),
    doGenerate: async (params: unknown) => {
      out = JSON.stringify(params);
      return { content: [] };
    },
  };
  const whose = { conversationId: "talk", user: tenant };
  await aiSdk.middleware.wrapGenerate({ params: { prompt, providerOptions: { pith: whose } }, model });
  return [
    out,
    await aiSdk.for(whose).tools[tool]!.execute(given),
    await aiSdk.tools[tool]!.execute(given),
  ].join("\n");
};

class HumanMessage {
  readonly type: string = "human";
  readonly content: string;
  constructor({ content }: { readonly content: string }) {
    this.content = content;
  }
}
class AiMessage extends HumanMessage {
  override readonly type: string = "ai";
}

const throughLangChain: Door = async (trying) => {
  const [tool, given] = await aimed(trying);
  const messages = grown("langchain", trying, await quoting(trying)).map(({ role, content }) =>
    role === "user"
      ? new HumanMessage({ content: String(content) })
      : new AiMessage({ content: String(content) }),
  );
  const config = { configurable: { thread_id: "talk", user_id: trying.tenant } };
  let out = "";
  const request = { messages, runtime: config, model: { model: "some-model" }, tools: [] };
  await langChain.middleware.wrapModelCall(request, async (asked: { readonly messages: unknown }) => {
    out = JSON.stringify(asked.messages);
    return {};
  });
  const found = langChain.tools.find(({ name }) => name === tool)!;
  return [out, await found.invoke(given, config), await found.invoke(given)].join("\n");
};

const throughMastra: Door = async (trying) => {
  const [tool, given] = await aimed(trying);
  const prompt = grown("mastra", trying, await quoting(trying)).map(({ role, content }) => ({
    role,
    content: [{ type: "text", text: content }],
  }));
  const memory = { thread: { id: "talk" }, resourceId: trying.tenant };
  const { prompt: out } = await mastra.processor.processLLMRequest({
    prompt,
    model: { modelId: "m" },
    state: {},
    requestContext: { get: () => memory },
  });
  const agent = { threadId: "talk", resourceId: trying.tenant };
  const found = mastra.tools[tool];
  return [JSON.stringify(out), await found.execute(given, { agent }), await found.execute(given)].join("\n");
};

/** One compactor for all: every call names its conversation. */
const library: Door = async (trying) => {
  const [tool, given] = await aimed(trying);
  const call = { conversationId: `${trying.tenant}/library` };
  const history = grown("library", trying, await quoting(trying));
  const { messages } = await compactor.compact(history, call);
  const told = await (await compactor.tools(messages, call)).run(tool, given);
  return `${JSON.stringify(messages)}\n${told}`;
};

/** Each with how often it is tried, in proportion; those that start a process are slow. */
export const doors: Readonly<Record<string, readonly [often: number, Door]>> = {
  gateway: [24, gateway],
  "wrong key": [2, wrongKey],
  "MCP over HTTP": [12, mcpOverHttp],
  "MCP on stdio": [1, mcpOnStdio],
  inspector: [12, inspector],
  metrics: [4, metrics],
  "command line": [1, commandLine],
  export: [1, exported],
  openai: [10, httpClient("openai", openai, "/v1/chat/completions")],
  anthropic: [10, httpClient("anthropic", anthropic, "/v1/messages")],
  "AI SDK": [8, throughAiSdk],
  LangChain: [8, throughLangChain],
  Mastra: [8, throughMastra],
  library: [8, library],
};
