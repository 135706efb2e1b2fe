/** Branch clients: the ways in which a client sends a conversation that was rewound, forked or retried, and asks recall. */
import { pithOpenAI } from "../src/adapters/openai.ts";
import type { Archive } from "../src/archive/archive.ts";
import { answerCalls } from "../src/gateway/offered-tools.ts";
import { createPreparer } from "../src/gateway/prepare.ts";
import { createCompactor } from "../src/index.ts";

export type Wire = Readonly<Record<string, unknown>>;

/** A client of one conversation; every list of messages is a whole branch, from its first message on. */
export interface BranchClient {
  /** Sends the branch, and gives what the model gets. */
  readonly send: (branch: readonly Wire[]) => Promise<string>;
  /** A tool's answer to the model in this branch; undefined where recall is not offered. */
  readonly recall: (branch: readonly Wire[], tool: string, given: object) => Promise<string | undefined>;
  /** Whether this client's model may look into other branches. */
  readonly mayAskOthers: boolean;
}

const NAME = "talk";
const WINDOW = 2_000;
const PRESET = "balanced";

/** The whole history each time; what was compacted is thrown away, the archive keeps the state. */
function resending(archive: Archive, clock: () => number): BranchClient {
  const compactor = createCompactor({ window: WINDOW, preset: PRESET, archive, clock });
  const call = { conversationId: NAME };
  return {
    mayAskOthers: true,
    send: async (branch) => JSON.stringify((await compactor.compact(branch, call)).messages),
    recall: async (branch, tool, given) => (await compactor.tools(branch, call)).run(tool, given),
  };
}

/** Goes on with what a compaction gave; going back, it takes the list as it was at that message. */
function continuing(archive: Archive, clock: () => number): BranchClient {
  const compactor = createCompactor({ window: WINDOW, preset: PRESET, archive, clock });
  const call = { conversationId: NAME };
  const lists = new Map<string, readonly Wire[]>();
  const key = (branch: readonly Wire[], length: number) => JSON.stringify(branch.slice(0, length));
  const listAt = (branch: readonly Wire[]): readonly Wire[] => {
    for (let length = branch.length; length > 0; length--) {
      const known = lists.get(key(branch, length));
      if (known) return [...known, ...branch.slice(length)];
    }
    return branch;
  };
  return {
    mayAskOthers: true,
    send: async (branch) => {
      const { messages } = await compactor.compact(listAt(branch), call);
      lists.set(key(branch, branch.length), messages);
      return JSON.stringify(messages);
    },
    recall: async (branch, tool, given) => (await compactor.tools(listAt(branch), call)).run(tool, given),
  };
}

/** Through the gateway. @param conversation the name that the client gives its conversation, where it gives one */
function throughGateway(archive: Archive, clock: () => number, conversation?: string): BranchClient {
  const preparer = createPreparer({
    archive,
    preset: PRESET,
    window: WINDOW,
    archiveTimeoutMs: 60_000,
    archiveWriteTimeoutMs: 60_000,
    clock,
  });
  const job = (messages: readonly Wire[]) => ({
    text: JSON.stringify({ model: "some-model", messages }),
    format: "openai-chat",
    tenant: "acme",
    conversation,
  });
  return {
    mayAskOthers: conversation !== undefined,
    send: async (branch) => (await preparer.prepare(job(branch))).text,
    recall: async (branch, name, given) => {
      const prepared = await preparer.prepare({ ...job(branch), replayOnly: true });
      if (prepared.conversation === undefined) return undefined;
      const asking = await preparer.asking(job(branch));
      const calls = [{ id: "c", name, arguments: JSON.stringify(given) }];
      const of = { conversation: prepared.conversation, asking, mayAskOthers: conversation !== undefined };
      return (await answerCalls(archive, calls, of))[0]!.text;
    },
  };
}

/** Through the OpenAI SDK's fetch. */
function throughAdapter(archive: Archive, clock: () => number): BranchClient {
  let sent = "";
  const pith = pithOpenAI({
    window: WINDOW,
    preset: PRESET,
    archive,
    clock,
    conversationId: NAME,
    fetch: async (_input, init) => {
      sent = String(init?.body);
      return Response.json({ choices: [{ message: { role: "assistant", content: "ok" } }] });
    },
  });
  const send = async (messages: readonly Wire[]): Promise<string> => {
    await pith.fetch("http://model/v1/chat/completions", {
      method: "POST",
      body: JSON.stringify({ model: "some-model", messages }),
    });
    return sent;
  };
  return {
    mayAskOthers: true,
    send,
    recall: async (branch, tool, given) => {
      await send(branch);
      return pith.runTool(tool, given);
    },
  };
}

export const branchClients: Readonly<
  Record<string, (archive: Archive, clock: () => number) => BranchClient>
> = {
  resending,
  continuing,
  "gateway, unnamed": (archive, clock) => throughGateway(archive, clock),
  "gateway, named": (archive, clock) => throughGateway(archive, clock, NAME),
  adapter: throughAdapter,
};
