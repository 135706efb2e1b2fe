/** Requests that are wrong in every way: no crash, no hang, no leak, and the right status. A sample here, 10,000 in `npm run torture`. */
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { wires } from "./gateway-wires.ts";
import {
  gatewayTo,
  type Provider,
  post,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";

const REQUESTS = process.env.PITH_FULL ? 10_000 : 400;
const MAX_BODY = 300_000;
let provider: Provider;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await startProvider(speaking(() => ({ text: "Fine.", calls: [] })));
  gateway = await gatewayTo(provider.url, {
    window: 8_000,
    maxBodyBytes: MAX_BODY,
    maxHeaderBytes: 8_192,
    headersTimeoutMs: 2_000,
    requestTimeoutMs: 2_000,
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

/** The same numbers each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const turn = (at: number) => [
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: `c${at}`, type: "function", function: { name: "f", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: `c${at}`, content: "some output\n".repeat(40) },
];
const valid = JSON.stringify({
  model: "m",
  messages: [{ role: "user", content: "Hello." }, ...Array.from({ length: 80 }, (_, at) => turn(at)).flat()],
});

type Make = (random: (below: number) => number) => { readonly body: Buffer; readonly headers?: string };
const wrong: Readonly<Record<string, Make>> = {
  cut: (random) => ({ body: Buffer.from(valid.slice(0, random(valid.length))) }),
  bytes: (random) => ({ body: Buffer.from(Array.from({ length: random(2_000) }, () => random(256))) }),
  flipped: (random) => {
    const body = Buffer.from(valid);
    for (let count = 0; count < 5; count++) body[random(body.length)] = random(256);
    return { body };
  },
  types: (random) => {
    const things = [null, 1, "x", [], {}, [[]], [null], [{ role: 7 }], { messages: {} }, true];
    const thing = (): unknown => things[random(things.length)];
    const body = {
      model: thing(),
      messages: random(2) ? thing() : [thing(), thing()],
      tools: thing(),
      system: thing(),
    };
    return { body: Buffer.from(JSON.stringify(body)) };
  },
  deep: (random) => ({ body: Buffer.from(`{"messages":${"[".repeat(random(50_000))}`) }),
  large: () => ({ body: Buffer.alloc(MAX_BODY + 1, "x") }),
  bomb: () => ({ body: gzipSync(Buffer.alloc(MAX_BODY * 20)), headers: "Content-Encoding: gzip\r\n" }),
  encoding: (random) => ({
    body: Buffer.from(valid),
    headers: `Content-Encoding: ${["gzip", "br", "zstd", "x", "gzip, br", ""][random(6)]}\r\n`,
  }),
};
const broken: Readonly<Record<string, (random: (below: number) => number) => string>> = {
  "no request": (random) =>
    String.fromCharCode(...Array.from({ length: 200 }, () => 32 + random(90))).concat("\r\n\r\n"),
  "header injection": () =>
    "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: 1\nX-B: 2\r\n\0: 3\r\n\r\n",
  "two lengths": () =>
    "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde",
  smuggled: () =>
    "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
  "long header": () => `GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ${"y".repeat(9_000)}\r\n\r\n`,
  "bad chunk": () =>
    "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n",
};

/** The status of what comes back; 0 where the connection just ends. Ends it where nothing comes. */
function statusOf(bytes: Buffer | string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1", () => socket.write(bytes));
    let answer = "";
    const settle = (): void => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0));
    };
    socket.on("data", (chunk) => {
      answer += chunk;
      if (answer.includes("\r\n\r\n")) settle();
    });
    socket.on("error", settle);
    socket.on("close", settle);
  });
}

test(`${REQUESTS} wrong requests are each answered, and the next good one as ever`, async () => {
  const random = randomNumbers(7);
  const kinds = Object.keys(wrong);
  const seen = new Map<string, Set<number>>();
  for (let count = 0; count < REQUESTS; count++) {
    const kind = kinds[count % kinds.length]!;
    const { body, headers = "" } = wrong[kind]!(random);
    const wire = wires[random(wires.length)]!;
    const head = `POST ${wire.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${headers}Content-Length: ${body.length}\r\n\r\n`;
    const status = await statusOf(Buffer.concat([Buffer.from(head), body]));
    seen.set(kind, (seen.get(kind) ?? new Set()).add(status));
  }
  // What cannot be read goes on as it is, for the provider to refuse; what is too long does not.
  for (const [kind, statuses] of seen)
    expect([kind, [...statuses]]).toEqual([kind, kind === "large" ? [413] : [200]]);
  for (const [kind, make] of Object.entries(broken)) {
    const status = await statusOf(make(random));
    expect([kind, [0, 400, 431].includes(status)]).toEqual([kind, true]);
  }
  const restarts = gateway.log.filter((line) => line.includes("worker-restart"));
  expect(restarts).toEqual([]);
  const answer = await post(`${gateway.url}${wires[0]!.path}`, valid);
  expect(answer.status).toBe(200);
  expect(provider.received.at(-1)!.text.length).toBeLessThan(valid.length);
}, 900_000);

test("clients that send nothing, or their body drop by drop, are let go", async () => {
  const begun = Array.from({ length: 20 }, (_, at) =>
    statusOf(
      at % 2 === 0
        ? "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nX-"
        : "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
    ),
  );
  expect(new Set(await Promise.all(begun))).toEqual(new Set([408]));
});
