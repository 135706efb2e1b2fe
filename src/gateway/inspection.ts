/** Inspection: the inspector under /inspect, where each tenant sees what passed under its own key and nothing else. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createAccess, type Entering, oneTimeToken } from "../inspect/access.ts";
import type { AnswerRoute, ApiRequest } from "../inspect/answer-route.ts";
import { createHandler } from "../inspect/http-handler.ts";
import { createLiveRows, type LiveRows } from "../inspect/live-rows.ts";
import { type PageFiles, readPageFiles } from "../inspect/page-files.ts";
import { GivenRefusal } from "../inspect/refusal.ts";
import type { ConversationRow } from "../inspect/views.ts";
import type { Admitted } from "../keys/keyring.ts";
import { OPERATOR } from "../keys/read-keys.ts";
import { packageVersion } from "../package-version.ts";
import { startThread, type Thread } from "../threads/thread.ts";
import type { Account } from "./account.ts";
import { ONLY_TENANT } from "./caller.ts";
import type { InspectAnswers, InspectWorkerSettings } from "./inspect-worker.ts";
import type { Log } from "./log.ts";
import type { GatewaySettings } from "./settings.ts";
import { createTraffic } from "./traffic.ts";

const PREFIX = "/inspect/";

export interface Inspection {
  /** Whether it answered: the path is one of its own. */
  readonly answer: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** Hears of every exchange. */
  readonly note: (account: Account) => void;
  /** What opens the page once, below the gateway's address; absent where visitors bring their keys. */
  readonly link?: string;
  /** Pages that are open hear no more; then the server can end. */
  readonly stop: () => void;
  readonly close: () => Promise<void>;
}

export function createInspection(settings: GatewaySettings, log: Log): Inspection {
  const { keys, archive, preset, window, reserve } = settings;
  const worker = inspectWorker(
    { archive, preset, window, reserve, hasKeys: keys !== undefined, version: packageVersion() },
    log,
  );
  const { token, check } = oneTimeToken(ONLY_TENANT);
  const lives = new Map<string, LiveRows>();
  const say = (reason: string): void => log("error", "inspector-failed", { reason });
  const traffic = createTraffic();
  const stopped = new AbortController();
  const answersFor =
    (tenant: string): AnswerRoute =>
    async (request) => {
      const answer = await worker.ask(tenant, request);
      return request.path.join("/") === "api/conversations"
        ? traffic.onTopOf(answer as ConversationRow[])
        : answer;
    };
  const rowsOf = (tenant: string) => async (): Promise<readonly ConversationRow[]> =>
    (await answersFor(tenant)({
      method: "GET",
      path: ["api", "conversations"],
      query: {},
    })) as ConversationRow[];
  /** Read when it is first asked for: most gateways run for weeks without a look. */
  let page: PageFiles | undefined;
  const readPage = (): PageFiles => {
    page ??= readPageFiles();
    return page;
  };
  const handler = createHandler({
    access: createAccess({
      cookieName: "pith_inspect_gateway",
      path: PREFIX,
      isSecure: settings.tls !== undefined,
      check: keys ? (secret, from) => entering(keys.admit(secret, from)) : check,
    }),
    prefix: PREFIX,
    isLoopback: isLoopback(settings.host),
    allowHosts: settings.allowHosts ?? [],
    page: readPage,
    answersFor,
    liveFor: (tenant) => {
      const live = lives.get(tenant) ?? createLiveRows(rowsOf(tenant), say);
      lives.set(tenant, live);
      return live;
    },
    stopped: stopped.signal,
    entrance: keys ? "key" : "link",
    log: say,
  });

  return {
    ...(!keys && { link: `${PREFIX}?token=${token}` }),
    answer: (incoming, outgoing) => {
      const path = incoming.url?.split("?")[0] ?? "";
      if (!path.startsWith(PREFIX) && `${path}/` !== PREFIX) return false;
      void handler(incoming, outgoing);
      return true;
    },
    note: traffic.note,
    stop: () => stopped.abort(),
    close: worker.close,
  };
}

/** Whoever runs the gateway has no conversations to look at. */
function entering(admitted: Admitted): Entering | "limited" | undefined {
  if ("refused" in admitted) return admitted.refused === "limited" ? "limited" : undefined;
  return admitted.tenant !== OPERATOR ? admitted : undefined;
}

export function isLoopback(host: string): boolean {
  return /^(?:localhost|::1|127\..*)$/.test(host);
}

/** Started at the first question, and again at the next one should it end. */
function inspectWorker(settings: InspectWorkerSettings, log: Log) {
  let worker: Thread<InspectAnswers> | undefined;
  const start = (): Thread<InspectAnswers> => {
    const started = startThread<InspectAnswers>(import.meta.url, "inspect-worker", settings);
    void started.ended.then((reason) => {
      if (worker !== started) return;
      worker = undefined;
      log("error", "inspector-failed", { reason });
    });
    return started;
  };
  return {
    ask: async (tenant: string, request: ApiRequest): Promise<unknown> => {
      worker ??= start();
      const answer = await worker.ask("answer", { tenant, request });
      if ("value" in answer) return answer.value;
      if (answer.fault !== undefined) log("error", "inspector-failed", { reason: answer.fault });
      throw new GivenRefusal(answer.refused);
    },
    close: async (): Promise<void> => {
      const ending = worker;
      worker = undefined;
      await ending?.terminate();
    },
  };
}
