import { request as ask, createServer, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryArchive } from "../archive/memory.ts";
import { createCompactor } from "../compactor.ts";
import { assistant, rawConversation, user } from "../testing/builders.ts";
import { createAccess, oneTimeToken } from "./access.ts";
import { routeAnswers } from "./answer-route.ts";
import { createHandler } from "./http-handler.ts";
import { createInspector } from "./inspector.ts";
import { createLiveRows } from "./live-rows.ts";
import type { PageFiles } from "./page-files.ts";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

const page: PageFiles = new Map([
  ["index.html", { type: "text/html; charset=utf-8", bytes: Buffer.from("<p>the page</p>") }],
  ["page.js", { type: "text/javascript; charset=utf-8", bytes: Buffer.from("1") }],
]);
const messages = rawConversation(
  user("Build it."),
  ...Array.from({ length: 40 }, (_, at) => [
    assistant(`Done ${at}. `.repeat(60)),
    user(`Go on ${at}.`),
  ]).flat(),
);

/** A server with one conversation that was compacted, as `pith inspect` serves it. */
async function served({ readOnly = false } = {}) {
  const archive = memoryArchive();
  const compactor = createCompactor({ target: "50%", archive });
  const { report } = await compactor.compact(messages, { target: "50%", conversationId: "talk" });
  const inspector = createInspector({ archive, title: "t", version: "0", readOnly, live: true });
  const { token, check } = oneTimeToken("visitor");
  const handler = createHandler({
    access: createAccess({ cookieName: "pith_inspect", path: "/", check }),
    prefix: "/",
    isLoopback: true,
    page: () => page,
    answersFor: () => routeAnswers(inspector, () => Promise.reject(new Error("no cost here"))),
    liveFor: () => createLiveRows(inspector.conversations, () => {}),
    stopped: new AbortController().signal,
    entrance: "link",
    log: () => {},
  });
  const server = createServer((incoming, outgoing) => void handler(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const send = (path: string, headers: OutgoingHttpHeaders = {}, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? "GET" : "POST";
      const sent = ask({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      sent.once("error", reject).end(body);
    });
  const enter = async (): Promise<string> => {
    const { headers } = await send(`/?token=${token}`);
    return String(headers["set-cookie"]).split(";")[0]!;
  };
  const stop = () => void server.close().closeAllConnections();
  return {
    send,
    enter,
    token,
    stop,
    archive,
    port,
    origin: `http://127.0.0.1:${port}`,
    compaction: report.compaction!,
  };
}

type Served = Awaited<ReturnType<typeof served>>;

describe("who may look", () => {
  let world: Served;
  beforeAll(async () => {
    world = await served();
  });
  afterAll(() => world.stop());

  test("without the link there is neither an answer nor the page", async () => {
    const { send } = world;
    for (const path of [
      "/api/session",
      "/api/conversations",
      "/api/live",
      `/api/compactions/${world.compaction}`,
    ]) {
      const { status, text } = await send(path);
      expect(status, path).toBe(401);
      expect(JSON.parse(text).error.code).toBe("UNAUTHORIZED");
    }
    const page = await send("/");
    expect(page.status).toBe(401);
    expect(page.text).not.toContain("the page");
    expect((await send("/?token=guessed")).status).toBe(401);
    expect((await send("/api/session", { cookie: "pith_inspect=guessed" })).status).toBe(401);
  });

  test("the link works once, for a cookie that scripts and other sites never see", async () => {
    const { send, token } = world;
    const first = await send(`/?token=${token}`);
    expect(first.status).toBe(303);
    expect(first.headers.location).toBe("/");
    const cookie = String(first.headers["set-cookie"]);
    expect(cookie).toMatch(/^pith_inspect=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    expect(cookie).not.toContain(token);
    const session = cookie.split(";")[0]!;
    expect((await send("/", { cookie: session })).text).toBe("<p>the page</p>");
    expect((await send("/api/session", { cookie: session })).status).toBe(200);
    const second = await send(`/?token=${token}`);
    expect(second.status).toBe(401);
    expect(second.headers["set-cookie"]).toBeUndefined();
  });
});

describe("for a visitor", () => {
  let world: Served;
  let cookie: string;
  const preview = JSON.stringify({ conversation: "talk", target: "60%" });
  beforeAll(async () => {
    world = await served();
    cookie = await world.enter();
  });
  afterAll(() => world.stop());
  const json = { "content-type": "application/json" };

  test.each(["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example"])(
    "a name that is not this machine's is refused: %j (DNS rebinding)",
    async (host) => {
      const { status, text } = await world.send("/api/conversations", { cookie, host });
      expect(status).toBe(403);
      expect(text).not.toContain("talk");
    },
  );

  test.each(["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])(
    "a page of %s is refused",
    async (origin) => {
      expect((await world.send("/api/conversations", { cookie, origin })).status).toBe(403);
      expect((await world.send("/api/preview", { cookie, origin, ...json }, preview)).status).toBe(403);
    },
  );

  test("what a browser says to come from another site is refused, and a POST that says nothing", async () => {
    const { send } = world;
    for (const site of ["cross-site", "same-site", "none"])
      expect((await send("/api/conversations", { cookie, "sec-fetch-site": site })).status, site).toBe(403);
    expect((await send("/api/preview", { cookie, ...json }, preview)).status).toBe(403);
    expect((await send("/api/preview", { cookie, ...json, origin: world.origin }, preview)).status).toBe(200);
  });

  test("a form of another site cannot send what the API reads", async () => {
    const { status } = await world.send(
      "/api/undo",
      { cookie, origin: world.origin, "content-type": "text/plain" },
      JSON.stringify({ compaction: world.compaction }),
    );
    expect(status).toBe(400);
  });

  test("every answer, refusals too, forbids scripts of others, frames, sniffing and referrers", async () => {
    const answers = await Promise.all([
      world.send("/", { cookie }),
      world.send("/page.js", { cookie }),
      world.send("/api/conversations", { cookie }),
      world.send("/api/nothing", { cookie }),
      world.send("/nothing", { cookie }),
      world.send("/"),
      world.send("/api/session", { host: "evil.example" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 404, 401, 403]);
    for (const { headers } of answers) {
      const policy = String(headers["content-security-policy"]);
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|http/);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("no path leads out of the page's folder", async () => {
    for (const path of [
      "/../package.json",
      "/..%2fpackage.json",
      "/%2e%2e/%2e%2e/etc/passwd",
      "//etc/passwd",
      "/api/%ff",
    ])
      expect((await world.send(path, { cookie })).status, path).toBeGreaterThanOrEqual(400);
  });

  test("bad fields are refused with what is wrong, and the server goes on", async () => {
    const { send, origin } = world;
    const headers = { cookie, origin, ...json };
    for (const body of ["", "[]", "{", '{"conversation":1}', '{"conversation":"talk","target":"many"}'])
      expect((await send("/api/preview", headers, body)).status, body).toBe(400);
    expect((await send("/api/preview", headers, '{"conversation":"none","target":"50%"}')).status).toBe(404);
    expect((await send("/api/preview", headers, '{"conversation":"talk","target":1}')).status).toBe(422);
    expect((await send("/api/search?q=", { cookie })).status).toBe(400);
    expect((await send("/api/items/pith:000000000000", { cookie })).status).toBe(404);
    expect((await send("/api/conversations/talk/messages?count=100000", { cookie })).status).toBe(400);
    expect((await send("/api/preview", headers, `"${"x".repeat(9_000_000)}"`)).status).toBe(413);
    expect((await send("/api/apply", { cookie })).status).toBe(405);
    const faulty = await send("/api/cost/talk", { cookie });
    expect(faulty.status).toBe(500);
    expect(faulty.text).not.toContain("no cost here");
    expect((await send("/api/session", { cookie })).status).toBe(200);
  });
});

test("read-only is the server's own: neither apply nor undo changes a byte of the archive", async () => {
  const world = await served({ readOnly: true });
  const headers = { cookie: await world.enter(), origin: world.origin, "content-type": "application/json" };
  const state = async () =>
    JSON.stringify([await world.archive.conversations!(), await world.archive.checkpoint!("talk")]);
  const before = await state();
  const wish = JSON.stringify({ conversation: "talk", target: "60%" });
  for (const [path, body] of [
    ["/api/apply", wish],
    ["/api/undo", JSON.stringify({ compaction: world.compaction })],
  ] as const) {
    const { status, text } = await world.send(path, headers, body);
    expect(status).toBe(403);
    expect(JSON.parse(text).error.code).toBe("READ_ONLY");
  }
  expect((await world.send("/api/preview", headers, wish)).status).toBe(200);
  expect(await state()).toBe(before);
  world.stop();
});

test("live rows come as events while somebody listens: what is there, then what changes", async () => {
  const world = await served();
  const cookie = await world.enter();
  const compactor = createCompactor({ target: "50%", archive: world.archive });
  const addAnother = () => void compactor.compact(messages, { target: "30%", conversationId: "another" });
  const heard = await new Promise<string>((resolve, reject) => {
    const sent = ask(`${world.origin}/api/live`, { headers: { cookie } }, (answer) => {
      expect(answer.headers["content-type"]).toBe("text/event-stream");
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (!text.includes('"another"')) return;
        resolve(text);
        sent.destroy();
      });
      answer.once("data", () => setTimeout(addAnother, 500));
    });
    sent.once("error", reject).end();
  });
  const rows = [...heard.matchAll(/event: row\ndata: (.*)\n\n/g)].map(([, data]) => JSON.parse(data!));
  expect(rows.map(({ id }) => id)).toEqual(["talk", "another"]);
  expect(rows[1]).toMatchObject({ compactions: 1 });
  world.stop();
}, 20_000);
