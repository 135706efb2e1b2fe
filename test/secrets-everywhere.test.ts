/**
 * Every kind of secret in every place of a conversation, through a gateway and through the library, in every archive: none is
 * in an item, an index, a file, a log, a metric, a span, an event, a page or an export. A sample; all kinds with PITH_FULL=1.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Archive } from "../src/archive/archive.ts";
import { memoryArchive } from "../src/archive/memory.ts";
import { openArchive } from "../src/archive/open-archive.ts";
import { createCompactor } from "../src/index.ts";
import { createCostReader } from "../src/inspect/cost.ts";
import { exportPage } from "../src/inspect/export-page.ts";
import { createInspector } from "../src/inspect/inspector.ts";
import { readPageFiles } from "../src/inspect/page-files.ts";
import type { CompactionView, ConversationRow, ConversationView } from "../src/inspect/views.ts";
import { appendSessionLog } from "../src/report/session-log-file.ts";
import { createModelServer } from "../src/testing/model-server.ts";
import { scriptedSummarizer } from "../src/testing/scripted-summarizer.ts";
import { type Json, type Wire, wires } from "./gateway-wires.ts";
import {
  eventsOf,
  gatewayTo,
  outcomesOf,
  post,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";
import { foundIn } from "./planted-secrets-places.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";
import {
  KINDS,
  linesIn,
  PLACES,
  type PlacedSecret,
  secretsOf,
  toldOf,
  turnWith,
  withSystemText,
} from "./secret-conversation.ts";
import { inIndex, type Stored, storedInPostgres, storedInSqlite } from "./stored-texts.ts";
import { until } from "./until.ts";

const GROUPS = 16;
const full = Boolean(process.env.PITH_FULL);
const groups = full ? Array.from({ length: GROUPS }, (_, group) => group) : [4];
const TIMEOUT_MS = 300_000;

let postgres: PostgresServer;
let databases = 0;
const exporter = new InMemorySpanExporter();
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(async () => {
  trace.disable();
  await postgres?.stop();
});

interface Place {
  /** As `openArchive` takes it. */
  readonly where: string;
  readonly read: () => Stored | Promise<Stored>;
}

const stores: Readonly<Record<string, () => Place | Promise<Place>>> = {
  SQLite: () => {
    const folder = mkdtempSync(join(tmpdir(), "pith-secrets-"));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    const where = join(folder, "archive.sqlite");
    return { where, read: () => storedInSqlite(folder, where) };
  },
  PostgreSQL: async () => {
    const name = `everywhere_${databases++}`;
    return { where: await postgres.createDatabase(name), read: () => storedInPostgres(postgres, name) };
  },
};

/** Nothing of any of them, wherever it may be. */
function expectNone(planted: readonly PlacedSecret[], texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    expect(text.length, `${name} is not empty`).toBeGreaterThan(0);
    expect(toldOf(foundIn(text, planted)), name).toEqual([]);
  }
}

function expectNoneStored(planted: readonly PlacedSecret[], stored: Stored): void {
  for (const { name, text } of stored.texts) expect(toldOf(foundIn(text, planted)), name).toEqual([]);
  expect(toldOf(inIndex(planted, stored)), "index").toEqual([]);
}

test("every kind is planted once in every place, and the search finds them all in what is sent", () => {
  const all = Array.from({ length: GROUPS }, (_, group) => secretsOf(group, GROUPS)).flat();
  expect(all.flat()).toHaveLength(KINDS * PLACES.length);
  expect(KINDS).toBeGreaterThan(190);
  for (const group of groups) {
    const kinds = secretsOf(group, GROUPS);
    const { bodies } = conversationOf(wires[0]!, kinds);
    const sent = `${JSON.stringify(bodies.at(-1))}${JSON.stringify(linesIn("summary", kinds))}`;
    expect(toldOf(foundIn(sent, kinds.flat())).toSorted()).toEqual(toldOf(kinds.flat()).toSorted());
  }
});

/** The requests of an agent, each with all that was said before. */
function conversationOf(wire: Wire, kinds: ReturnType<typeof secretsOf>) {
  const bodies: Json[] = [];
  let messages: readonly Json[] = [];
  const ask = (): void => {
    const body = wire.body([...messages, wire.user("Go on.")]);
    bodies.push(withSystemText(body, linesIn("system text", kinds)));
  };
  for (const [turn, secrets] of kinds.entries()) {
    messages = [...messages, ...turnWith(wire, secrets, turn)];
    ask();
  }
  for (let turn = 0; turn < 4; turn++) {
    const text = Array.from({ length: 150 }, (_, line) => `note ${line} of ${turn}: ${line * 31}`).join("\n");
    messages = [...messages, wire.user(text), ...wire.heard(wire.answer({ text: "Read.", calls: [] }, "r"))];
    ask();
  }
  return { bodies };
}

const gatewayCases = groups.flatMap((group) =>
  Object.keys(stores).map((store, index) => ({ group, store, wire: wires[(group + index) % wires.length]! })),
);

test.each(gatewayCases)(
  "[R46] of the secrets of group $group none is in anything that a gateway on $store writes, over $wire.name",
  async ({ group, store, wire }) => {
    exporter.reset();
    const kinds = secretsOf(group, GROUPS);
    const planted = kinds.flat();
    const { where, read } = await stores[store]!();
    const provider = await startProvider((request, response, index) => {
      // What an upstream says of a request that it does not take quotes it.
      if (request.text.startsWith("{"))
        speaking(() => ({ text: "Noted.", calls: [] }))(request, response, index);
      else response.writeHead(400, { "content-type": "application/json" }).end(request.text);
    });
    closing.push(provider.close);
    const model = await createModelServer({
      reply: { type: "say", text: `The modules were deployed in order.\n${linesIn("summary", kinds)}` },
    });
    closing.push(model.close);
    const gateway = await gatewayTo(provider.url, {
      archive: where,
      window: 16_000,
      inspect: true,
      summarizer: [{ url: `${model.url}/v1`, model: "m", kind: "openai" }],
    });
    closing.push(gateway.stop);
    const url = `${gateway.url}${wire.path}`;
    for (const body of conversationOf(wire, kinds).bodies) expect((await post(url, body)).status).toBe(200);
    for (const secrets of kinds) await post(url, `broken ${secrets[0]!.line(secrets[0]!.secret)}`);
    await until(() => eventsOf(gateway, "summary").length >= eventsOf(gateway, "summary-due").length);
    expect(outcomesOf(gateway).filter((outcome) => outcome === "compacted").length).toBeGreaterThan(1);
    expect(eventsOf(gateway, "summary").length).toBeGreaterThan(0);
    const spans = exporter
      .getFinishedSpans()
      .map(({ name, attributes, status }) => ({ name, attributes, status }));
    expectNone(planted, {
      log: gateway.log.join(""),
      metrics: await (await fetch(`${gateway.url}/metrics`)).text(),
      spans: JSON.stringify(spans),
      pages: await pagesOf(gateway),
      export: await exportOf(where),
    });
    expectNoneStored(planted, await read());
  },
  TIMEOUT_MS,
);

/** All that the inspector shows of all conversations. */
async function pagesOf({ url, inspectorUrl }: TestGateway): Promise<string> {
  const entered = await fetch(inspectorUrl!, { redirect: "manual" });
  const cookie = entered.headers.get("set-cookie")!.split(";")[0]!;
  const pages: string[] = [];
  const read = async <View>(path: string): Promise<View> => {
    const answer = await fetch(`${url}/inspect/api/${path}`, { headers: { cookie } });
    expect(answer.status, path).toBe(200);
    pages.push(await answer.text());
    return JSON.parse(pages.at(-1)!) as View;
  };
  for (const { id } of await read<readonly ConversationRow[]>("conversations")) {
    const name = encodeURIComponent(id);
    const { compactions } = await read<ConversationView>(`conversations/${name}`);
    await read(`conversations/${name}/messages?from=0&count=200`);
    expect(compactions.length).toBeGreaterThan(0);
    for (const each of compactions) {
      const { rows } = await read<CompactionView>(`compactions/${encodeURIComponent(each.id)}`);
      for (const { originalId } of rows.slice(0, 20))
        if (originalId !== undefined) await read(`items/${encodeURIComponent(originalId)}`);
    }
  }
  await read("search?q=deploy");
  return pages.join("\n");
}

async function exportOf(where: string | Archive): Promise<string> {
  const archive = typeof where === "string" ? (await openArchive(where))! : where;
  const inspector = createInspector({ archive, title: "t", version: "0", readOnly: true });
  const cost = createCostReader({ look: inspector.look });
  const page = await exportPage({ inspector, cost, page: readPageFiles() });
  if (typeof where === "string") await archive.close!();
  return page;
}

const libraryCases = groups.flatMap((group) =>
  ["memory", ...Object.keys(stores)].map((store) => ({ group, store })),
);

test.each(libraryCases)(
  "[R46] of the secrets of group $group none is in anything that the library writes, with the archive in $store",
  async ({ group, store }) => {
    const kinds = secretsOf(group, GROUPS);
    const planted = kinds.flat();
    const place = store === "memory" ? undefined : await stores[store]!();
    const { archive, seen } = watched(place ? (await openArchive(place.where))! : memoryArchive());
    const folder = mkdtempSync(join(tmpdir(), "pith-session-log-"));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    const sessionLog = join(folder, "SESSION_LOG");
    const events: unknown[] = [];
    const compactor = createCompactor({
      window: 16_000,
      archive,
      summarizer: scriptedSummarizer([`The modules were deployed in order.\n${linesIn("summary", kinds)}`]),
      sessionLog: (text) => appendSessionLog(sessionLog, text),
      onEvent: (event) => events.push(event),
    });
    const wire = wires[group % wires.length]!;
    const reports: unknown[] = [];
    const call = { conversationId: "everywhere", summarize: true } as const;
    for (const body of conversationOf(wire, kinds).bodies.filter((_, at) => at % 4 === 3)) {
      const result = await compactor.compact(body, call);
      expect(result.report.error).toBe(undefined);
      reports.push(result.report);
    }
    for (const one of planted) await compactor.compact(`[{"role":"user","content":${one.line(one.secret)}`);
    const printed = planted.map((one) => one.line(one.secret)).join("\n\n");
    await compactor.receive(
      {
        toolName: "bash",
        toolArguments: "{}",
        isError: false,
        text: `${printed}\n${"x y\n".repeat(20_000)}`,
      },
      { conversationId: "received" },
    );
    const tools = await compactor.tools(wire.body([wire.user("hi")]), { conversationId: "everywhere" });
    const recalled = await tools.run("recall_search", { query: "deploy module settings" });
    expectNone(planted, {
      writes: JSON.stringify(seen),
      events: JSON.stringify(events),
      reports: JSON.stringify(reports),
      "session log": readFileSync(sessionLog, "utf8"),
      recalled: recalled!,
      items: JSON.stringify(await itemsOf(archive, seen)),
      messages: JSON.stringify(await archive.messages!("everywhere")),
      export: await exportOf(archive),
    });
    if (place) expectNoneStored(planted, await place.read());
    await archive.close!();
  },
  TIMEOUT_MS,
);

type Writes = Parameters<Archive["put"]>[0][];

/** The same archive; what it is given to store is seen. */
function watched(archive: Archive): { readonly archive: Archive; readonly seen: Writes } {
  const seen: Writes = [];
  const put: Archive["put"] = (write) => {
    seen.push(write);
    return archive.put(write);
  };
  return { archive: { ...archive, put }, seen };
}

async function itemsOf(archive: Archive, writes: Writes) {
  return archive.getMany!([...new Set(writes.flatMap(({ items }) => items.map(({ id }) => id)))]);
}
