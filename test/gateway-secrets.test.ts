/** Secrets of many kinds go through a gateway that compacts: nothing that it stores, indexes or logs holds one of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createModelServer } from "../src/testing/model-server.ts";
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
import { type PlantedSecret, plantedSecrets } from "./planted-secrets.ts";
import { foundIn } from "./planted-secrets-places.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";
import { inIndex, type Stored, storedInPostgres, storedInSqlite } from "./stored-texts.ts";
import { until } from "./until.ts";

const KINDS = new Set([
  "GitHub",
  "npm",
  "Slack",
  "Stripe",
  "OpenAI",
  "Anthropic",
  "AWS id",
  "AWS secret",
  "JWT",
  "RSA key",
  "OpenSSH key",
  "database password",
  "connection string",
  "bearer",
]);
/** Where each of them is planted, with secrets of its own. */
const PLACES = ["shell arguments", "user text", "error line", "tool result"] as const;
type Planted = PlantedSecret & { readonly place: string };
const planted: readonly Planted[] = PLACES.flatMap((place) =>
  plantedSecrets(`gateway ${place}`)
    .filter(({ kind }) => KINDS.has(kind))
    .map((secret) => ({ ...secret, place })),
);
const told = (found: readonly PlantedSecret[]): readonly string[] =>
  found.map((one) => `${one.kind} in ${(one as Planted).place}`);

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

const filler = (turn: number, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `step ${line} of module ${turn}: ${line * 7919 + turn}`).join(
    "\n",
  );

/** A turn in which the secrets of one kind are said, passed to a shell, shown by it and blamed for its failure. */
function turnWith(wire: Wire, kind: string, turn: number): readonly Json[] {
  const line = (place: (typeof PLACES)[number]): string => {
    const one = planted.find((each) => each.kind === kind && each.place === place)!;
    return one.line(one.secret);
  };
  const run = (id: string, command: string) => ({
    id: `call_${turn}_${id}`,
    name: "bash",
    arguments: JSON.stringify({ command }),
  });
  const [deploy, show] = [
    run("a", `deploy ${line("shell arguments")} --yes`),
    run("b", `cat notes-${turn}.txt`),
  ];
  return [
    wire.user(`Module ${turn} next. Never change this and always use it as it is: ${line("user text")}`),
    ...wire.heard(wire.answer({ text: `Deploying ${turn}.`, calls: [deploy] }, `a${turn}`)),
    ...wire.results([
      {
        call: deploy,
        text: `Exit code 1\n${filler(turn, 30)}\nError: cannot deploy with ${line("error line")}\nfatal: giving up`,
      },
    ]),
    ...wire.heard(wire.answer({ text: `Looking at ${turn}.`, calls: [show] }, `b${turn}`)),
    ...wire.results([
      { call: show, text: `${filler(turn, 40)}\n${line("tool result")}\n${filler(turn + 100, 40)}` },
    ]),
    ...wire.heard(wire.answer({ text: `Module ${turn} is done.`, calls: [] }, `c${turn}`)),
  ];
}

interface Conversed {
  readonly log: string;
  /** The last request as the client sent it. */
  readonly sent: string;
}

/** The whole conversation, request by request, as an agent would send it; a second gateway goes on with what the first kept. */
async function converse(wire: Wire, archive: string): Promise<Conversed> {
  const provider = await startProvider(speaking(() => ({ text: "Noted.", calls: [] })));
  onTestFinished(provider.close);
  const model = await createModelServer({
    reply: { type: "say", text: "The modules were deployed in order." },
  });
  onTestFinished(model.close);
  const start = async (): Promise<TestGateway> => {
    const gateway = await gatewayTo(provider.url, {
      archive,
      window: 16_000,
      summarizer: [{ url: `${model.url}/v1`, model: "m", kind: "openai" }],
    });
    onTestFinished(gateway.stop);
    return gateway;
  };
  const gateway = await start();
  const send = async ({ url }: TestGateway, messages: readonly Json[]): Promise<void> =>
    expect((await post(`${url}${wire.path}`, wire.body(messages))).status).toBe(200);
  let messages: readonly Json[] = [];
  for (const [turn, kind] of [...KINDS].entries()) {
    messages = [...messages, ...turnWith(wire, kind, turn)];
    await send(gateway, [...messages, wire.user("Go on.")]);
  }
  for (let turn = 0; turn < 8; turn++) {
    messages = [
      ...messages,
      wire.user(filler(turn, 90)),
      ...wire.heard(wire.answer({ text: "Read.", calls: [] }, "r")),
    ];
    await send(gateway, [...messages, wire.user("Go on.")]);
  }
  await until(() => eventsOf(gateway, "summary").length >= eventsOf(gateway, "summary-due").length);
  const other = await start();
  await send(other, [...messages, wire.user("Go on.")]);
  expect(outcomesOf(other)).toEqual(["replayed"]);
  expect(provider.received.at(-1)!.body).toEqual(provider.received.at(-2)!.body);
  expect(outcomesOf(gateway).filter((outcome) => outcome === "compacted").length).toBeGreaterThan(2);
  expect(eventsOf(gateway, "summary").length).toBeGreaterThan(0);
  return { log: [...gateway.log, ...other.log].join("\n"), sent: JSON.stringify(messages) };
}

test.each([wires[0]!, wires[2]!])(
  "[R46] of the secrets in a conversation over $name none is in the SQLite archive",
  async (wire) => {
    const folder = mkdtempSync(join(tmpdir(), "pith-gateway-secrets-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "archive.sqlite");
    const { log, sent } = await converse(wire, file);
    expect(foundIn(sent, planted)).toHaveLength(14 * 4);
    expect(told(foundIn(log, planted))).toEqual([]);
    expectNone(storedInSqlite(folder, file));
  },
);

test("[R46] of the secrets in a conversation over messages none is in the PostgreSQL archive", async () => {
  const name = "secrets";
  const { log } = await converse(wires[1]!, await postgres.createDatabase(name));
  expect(told(foundIn(log, planted))).toEqual([]);
  expectNone(await storedInPostgres(postgres, name));
}, 120_000);

function expectNone(stored: Stored): void {
  for (const { name, text } of stored.texts) expect(told(foundIn(text, planted)), name).toEqual([]);
  expect(told(inIndex(planted, stored))).toEqual([]);
}
