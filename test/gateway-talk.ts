/** A long talk through the gateway for tests of it: a history that must be compacted, asked and looked at as a client would. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { GatewaySettings } from "../src/gateway/settings.ts";
import { type Call, type Json, type Said, type Wire, wires } from "./gateway-wires.ts";
import {
  gatewayTo,
  type Provider,
  post,
  type Received,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";

export interface Talk {
  /** Of the archive that the gateways share. */
  readonly folder: string;
  readonly provider: Provider;
  readonly gateways: readonly TestGateway[];
  /** What the model says next; each test may set its own. */
  say: (request: Received, index: number) => Said;
}

/** A provider and gateways before it, for all tests of a file; the provider has received nothing when a test begins. */
export function talkThrough(count: number, settings: Partial<GatewaySettings>): Talk {
  const folder = mkdtempSync(join(tmpdir(), "pith-gateway-talk-"));
  const gateways: TestGateway[] = [];
  const fine = (): Said => ({ text: "Fine.", calls: [] });
  const talk: { -readonly [Key in keyof Talk]: Talk[Key] } = {
    folder,
    provider: { url: "", received: [], close: async () => {} },
    gateways,
    say: fine,
  };
  beforeAll(async () => {
    talk.provider = await startProvider(speaking((request, index) => talk.say(request, index)));
    const all = { archive: join(folder, "archive.sqlite"), ...settings };
    while (gateways.length < count) gateways.push(await gatewayTo(talk.provider.url, all));
  });
  beforeEach(() => {
    talk.provider.received.length = 0;
    talk.say = fine;
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await talk.provider.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return talk;
}

/** A call of a tool of the client's. */
export const read: Call = { id: "theirs_1", name: "read_file", arguments: '{"path":"src/new.ts"}' };

/** Every API, in one piece and as a stream. */
export const wireCases = wires.flatMap((wire) =>
  [false, true].map((stream) => ({ wire, stream, name: wire.name })),
);

export interface ModulesRead {
  /** What tells it from others. */
  readonly title: string;
  readonly turns?: number;
  /** What is in the module of a turn. */
  readonly textOf?: (turn: number) => string;
}

/** The user asks for modules to be read, and the model reads them one by one. */
export function modulesRead(
  wire: Wire,
  { title, turns = 60, textOf = zebras }: ModulesRead,
): readonly Json[] {
  const list = [wire.user(`${title}: read the modules. Never edit generated.ts.`)];
  for (let turn = 0; turn < turns; turn++) {
    const call = { id: `c${turn}`, name: "read_file", arguments: `{"path":"src/m${turn}.ts"}` };
    list.push(...wire.heard(wire.answer({ text: `Module ${turn}.`, calls: [call] }, `a${turn}`)));
    list.push(...wire.results([{ call, text: textOf(turn) }]));
  }
  list.push(...wire.heard(wire.answer({ text: "All are read.", calls: [] }, "last")), wire.user("And now?"));
  return list;
}

/** `const zebra17_5 = 39612;` is in the 17th. */
function zebras(turn: number): string {
  const lines = Array.from(
    { length: 12 },
    (_, line) => `const zebra${turn}_${line} = ${line * 7919 + turn};`,
  );
  return lines.join("\n");
}

/** The answer as the client puts it together. */
export async function answerTo(
  { url }: { readonly url: string },
  wire: Wire,
  messages: readonly Json[],
  stream: boolean,
): Promise<Json> {
  const response = await post(`${url}${wire.path}`, wire.body(messages, { stream }));
  expect(response.status).toBe(200);
  return stream ? wire.assembled(await response.text()) : ((await response.json()) as Json);
}

/** The messages of a request as the provider got it. */
export function listOf({ key }: Wire, { body }: Received): readonly Json[] {
  return body[key] as Json[];
}

/** Whether a request begins with all messages of an earlier one. */
export function begins(wire: Wire, later: Received, earlier: Received): boolean {
  const before = listOf(wire, earlier);
  return JSON.stringify(listOf(wire, later).slice(0, before.length)) === JSON.stringify(before);
}
