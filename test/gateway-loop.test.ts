/** Agents that resend their whole history at each turn, through the gateway, for 200 turns. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConversation } from "../src/providers/detect.ts";
import { counterForModel } from "../src/tokens/counter.ts";
import { type Json, type Said, type Wire, wires } from "./gateway-wires.ts";
import {
  gatewayTo,
  post,
  type Received,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";

const WINDOW = 16_000;
const TURNS = 200;
const folder = mkdtempSync(join(tmpdir(), "pith-gateway-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A model that reads one file after the other, and reports now and then. */
const reading = (_: Received, index: number): Said =>
  index % 8 === 7
    ? { text: `Module ${index} is understood; its port is ${7000 + index}.`, calls: [] }
    : {
        text: index % 3 === 0 ? `Next is module ${index}.` : "",
        calls: [
          {
            id: `call_${index}`,
            name: "read_file",
            arguments: JSON.stringify({ path: `src/m${index}.ts` }),
          },
        ],
      };
const fileText = (path: string): string =>
  Array.from(
    { length: 14 },
    (_, line) => `export const value${line} = "${path}:${line * 37}"; // keep in order`,
  ).join("\n");

/** Streams every other answer. */
async function loop(wire: Wire, gatewayAt: (turn: number) => Promise<TestGateway>): Promise<void> {
  const history: Json[] = [wire.user("Read all modules and tell me their ports. Never edit generated.ts.")];
  for (let turn = 0; turn < TURNS; turn++) {
    const { url } = await gatewayAt(turn);
    const stream = turn % 2 === 1;
    const response = await post(`${url}${wire.path}`, wire.body(history, { stream }));
    expect(response.status).toBe(200);
    const answer = stream ? wire.assembled(await response.text()) : ((await response.json()) as Json);
    history.push(...wire.heard(answer));
    const { calls } = wire.saidIn(answer);
    if (calls.length === 0) history.push(wire.user(`Go on with the next modules, please (${turn}).`));
    else {
      const answers = calls.map((call) => ({ call, text: fileText(JSON.parse(call.arguments).path) }));
      history.push(...wire.results(answers));
    }
  }
}

const counter = counterForModel("some-model");
const formats = { chat: "openai-chat", messages: "anthropic-messages", responses: "openai-responses" };
function tokensOf({ name }: Wire, text: string): number {
  return counter.conversation(readConversation(text, { format: formats[name] }));
}

/** The turns whose body does not begin with the messages of the one before. */
function breaksIn({ key }: Wire, received: readonly Received[]): readonly number[] {
  return received.flatMap(({ body }, index) => {
    const before = (received[index - 1]?.body[key] ?? []) as Json[];
    const now = body[key] as Json[];
    return JSON.stringify(now.slice(0, before.length)) === JSON.stringify(before) ? [] : [index];
  });
}

test.each(wires)(
  "an agent on $name stays inside the window for 200 turns, and only a compaction changes what was sent before",
  async (wire) => {
    const provider = await startProvider(speaking(reading));
    const archive = join(folder, `${wire.name}.sqlite`);
    let gateway = await gatewayTo(provider.url, { window: WINDOW, archive, workers: 2 });
    const log: string[] = [];
    const restarting = async (turn: number): Promise<TestGateway> => {
      if (turn !== 77) return gateway;
      await gateway.stop();
      log.push(...gateway.log);
      gateway = await gatewayTo(provider.url, { window: WINDOW, archive });
      return gateway;
    };
    await loop(wire, restarting);
    await gateway.stop();
    await provider.close();
    log.push(...gateway.log);
    const { received } = provider;
    const compacted = log.filter((line) => line.includes('"outcome":"compacted"')).length;
    expect(received.length).toBe(TURNS);
    expect(compacted).toBeGreaterThan(2);
    expect(received.flatMap(({ body }) => wire.faults(body))).toEqual([]);
    expect(Math.max(...received.map(({ text }) => tokensOf(wire, text)))).toBeLessThan(WINDOW);
    expect(breaksIn(wire, received).length).toBe(compacted);
    // The user's constraint is in view to the last.
    expect(received.at(-1)!.text).toContain("Never edit generated.ts.");
  },
);
