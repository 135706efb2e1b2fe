/** `pith mcp` on stdin and stdout, spoken to by the official client. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  COMPRESS_CONTEXT,
  compressContextDescription,
  compressContextParameters,
  compressContextResult,
} from "../src/agent-control/compress-context.ts";
import { importConversation } from "../src/archive/import-conversation.ts";
import { itemId } from "../src/archive/item-id.ts";
import { memoryArchive } from "../src/archive/memory.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { recallTools } from "../src/recall/tools.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { ask, buildLog, fillArchive, idsIn, logId, otherSession, overStdio, session } from "./mcp-session.ts";

const counter = createTokenCounter();
const folder = mkdtempSync(join(tmpdir(), "pith-test-"));
const file = join(folder, "a.sqlite");
let client: Client;

beforeAll(async () => {
  await fillArchive(file);
  client = await overStdio(["--archive", file]);
});

afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a message is found by a question and opened by its id, in the newest protocol too", async () => {
  const newest = await overStdio(["--archive", file], { era: "auto" });
  expect(newest.getNegotiatedProtocolVersion()).not.toBe(client.getNegotiatedProtocolVersion());
  for (const each of [client, newest]) {
    expect(each.getServerVersion()).toMatchObject({ name: "pith" });
    expect(each.getInstructions()).toContain("recall_expand");
    const found = await ask(each, "recall_search", { query: "what is the name of the bucket?" });
    expect(found.isError).toBe(false);
    expect(found.text).toContain("heron-artifacts-7");
    const opened = await Promise.all(idsIn(found.text).map((id) => ask(each, "recall_expand", { id })));
    expect(opened.some(({ text }) => text.includes(String(session[4]!.content)))).toBe(true);
  }
  await newest.close();
});

test("a picture is opened as a picture, a sound as a sound, a file as a resource", async () => {
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(20_000, "pixels ")]);
  const picture = png.toString("base64");
  const noise = Buffer.alloc(900, "noise ").toString("base64");
  const pdf = Buffer.alloc(900, "%PDF-1.7 ").toString("base64");
  const content = [
    { type: "image_url", image_url: { url: `data:image/png;base64,${picture}` } },
    { type: "input_audio", input_audio: { data: noise, format: "wav" } },
    { type: "file", file: { file_data: `data:application/pdf;base64,${pdf}` } },
    { type: "text", text: "The lighthouse at dusk." },
  ];
  const archive = sqliteArchive({ file });
  await importConversation(archive, { conversationId: "photos", body: [{ role: "user", content }], at: 1 });
  await archive.close!();
  const found = await ask(client, "recall_search", { query: "lighthouse at dusk", conversation: "photos" });
  const [id] = idsIn(found.text);
  const opened = await client.callTool({ name: "recall_expand", arguments: { id } });
  expect(opened.content).toMatchObject([
    { type: "text", text: expect.stringContaining(`[image/png, 20,008 bytes, ${id}]`) },
    { type: "image", mimeType: "image/png", data: picture },
    { type: "audio", mimeType: "audio/wav", data: noise },
    { type: "resource", resource: { mimeType: "application/pdf", blob: pdf } },
  ]);
  expect(JSON.stringify(opened.content).split(picture)).toHaveLength(2);
});

test("the tools are the library's: the same names, descriptions and schemas", async () => {
  const { tools } = await client.listTools();
  const offered = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const own = recallTools(memoryArchive()).map(({ name, description, parameters }) => ({
    name,
    description,
    inputSchema: parameters,
  }));
  expect(offered).toEqual(own);
  expect(offered.map(({ name }) => name)).toEqual(["recall_search", "recall_expand"]);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
});

test("a long original comes page by page, each within its budget, and the pages are the whole", async () => {
  const pages: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { text } = await ask(client, "recall_expand", { id: logId, max_tokens: 8_000, offset });
    expect(counter.text(text)).toBeLessThanOrEqual(8_000);
    const footer = text.slice(text.lastIndexOf("\n[showing"));
    expect(footer).toMatch(/showing \d+ of \d+ characters/);
    pages.push(text.slice(0, -footer.length));
    const next = /offset (\d+)/.exec(footer)?.[1];
    offset = next === undefined ? undefined : Number(next);
  }
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.join("")).toBe(buildLog);
});

test("grep gives the lines that match, and a range the messages by their numbers", async () => {
  const lines = await ask(client, "recall_expand", { id: logId, grep: "error.*kestrel" });
  expect(lines.text.match(/ERROR cannot link/g)).toHaveLength(6);
  expect(lines.text).toContain("[showing 6 of 6 matching lines]");
  const none = await ask(client, "recall_expand", { id: logId, grep: "(((" });
  expect(none.text).toContain("no line matches");
  const within = await ask(client, "recall_expand", { conversation: "build", grep: "error.*kestrel" });
  expect(within.text).toContain("[showing 6 of 6 matching lines]");
  const range = await ask(client, "recall_expand", { conversation: "build", from: 1, to: 2 });
  expect(range.text).toContain("The artefacts must stay below 40 MB.");
  expect(range.text).toContain("I will look at the log.");
  expect(range.text).not.toContain("You are a build engineer.");
  expect(range.text).not.toContain("heron-artifacts-7");
});

test("a search is narrowed by conversation, time, role and tool", async () => {
  const search = async (scope: Record<string, unknown>) =>
    (await ask(client, "recall_search", { query: "kestrel bucket pelargoniums", ...scope })).text;
  expect(await search({ conversation: "garden" })).not.toContain("kestrel");
  expect(await search({ until: "2023-11-14" })).toContain("kestrel");
  expect(await search({ since: "2023-11-15T00:00:00Z" })).toContain("nothing found");
  expect(await search({ roles: ["user"] })).not.toContain("heron-artifacts-7");
  expect(await search({ tool: "Bash" })).not.toContain("pelargoniums");
  for (const [wrong, words] of [
    [{ since: "yesterday" }, "give a date such as 2026-01-31"],
    [{ roles: ["nobody"] }, '"assistant"'],
  ] as const) {
    const answer = await ask(client, "recall_search", { query: "x", ...wrong });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer)).toContain(words.replaceAll('"', '\\"'));
    expect(JSON.stringify(answer).length).toBeLessThan(300);
  }
});

test("every answer keeps the budget that it was given", async () => {
  for (const max_tokens of [100, 300, 1_000, 5_000]) {
    for (const [name, given] of [
      ["recall_expand", { id: logId }],
      ["recall_expand", { id: logId, grep: "compiled" }],
      ["recall_expand", { conversation: "build" }],
      ["recall_search", { query: "compiled part error kestrel pelargoniums" }],
    ] as const) {
      const { text } = await ask(client, name, { ...given, max_tokens });
      expect(counter.text(text)).toBeLessThanOrEqual(max_tokens);
      expect(text).toMatch(/showing (?:all|\d+ of) \d+/);
    }
  }
});

test("[F75 F83] compress_context is offered where somebody acts on it, answers that it was asked, and refuses a blank reason", async () => {
  await expect(client.callTool({ name: COMPRESS_CONTEXT, arguments: { reason: "r" } })).rejects.toThrow();
  const agent = await overStdio(["--archive", file, "--preset", "synthorg-agent"]);
  const { tools } = await agent.listTools();
  expect(tools.at(-1)).toMatchObject({
    name: COMPRESS_CONTEXT,
    description: compressContextDescription(undefined),
    inputSchema: compressContextParameters,
  });
  const reason = "the survey is done";
  const answer = await ask(agent, COMPRESS_CONTEXT, { reason, strategy: "archive" });
  expect(answer).toEqual({ text: compressContextResult({ reason }), isError: false });
  for (const blank of [{}, { reason: "" }, { reason: " \n\t" }])
    expect((await ask(agent, COMPRESS_CONTEXT, blank)).isError).toBe(true);
  await agent.close();
  const other = await overStdio(["--archive", file, "--preset", "synthorg"]);
  expect((await other.listTools()).tools.map(({ name }) => name)).toEqual(["recall_search", "recall_expand"]);
  await other.close();
});

test("what a model gets wrong is answered so that it can do better, an unknown tool by the protocol", async () => {
  const unknown = await ask(client, "recall_expand", { id: "pith:zzzzzzzzzzzz" });
  expect(unknown).toMatchObject({ isError: true });
  expect(unknown.text).toContain("pith:zzzzzzzzzzzz");
  for (const given of [{ query: 7 }, {}, { query: "" }, { query: "x", limit: -3 }]) {
    const { isError, text } = await ask(client, "recall_search", given);
    expect(isError).toBe(true);
    expect(text).toMatch(/query|limit/);
  }
  expect((await ask(client, "recall_expand", {})).isError).toBe(true);
  expect((await ask(client, "recall_expand", { id: logId, offset: "many" })).isError).toBe(true);
  await expect(client.callTool({ name: "forget", arguments: {} })).rejects.toMatchObject({ code: -32602 });
});

test("hostile input finds nothing that it should not, and the server goes on", async () => {
  for (const text of [
    '" OR 1=1 --',
    "'; DROP TABLE items; --",
    'NEAR("a" "b") AND * NOT ^',
    "../../../../etc/passwd",
    "\0",
    "\ud800 lone",
    "<|endoftext|>",
    "__proto__",
    "((((((((((a+)+)+)+)+)+$",
    "a".repeat(200_000),
    "漢字".repeat(50_000),
  ]) {
    const answers = [
      await ask(client, "recall_search", { query: text }),
      await ask(client, "recall_expand", { id: text }),
      await ask(client, "recall_expand", { id: logId, grep: text }),
      await ask(client, "recall_expand", { conversation: text, from: 0, to: 9 }),
    ];
    expect(answers[1]!.isError).toBe(true);
    for (const answer of answers) expect(counter.text(answer.text)).toBeLessThanOrEqual(2_000);
  }
  await ask(client, "recall_expand", { id: logId, offset: Number.MAX_SAFE_INTEGER });
  await ask(client, "recall_expand", { conversation: "build", from: 9, to: 0 });
  expect((await ask(client, "recall_search", { query: "pelargoniums" })).text).toContain("Tuesday");
});

test("with --conversation there is no other, by search, by range or by id", async () => {
  const limited = await overStdio(["--archive", file, "--conversation", "build"]);
  const other = itemId("message", JSON.stringify(otherSession[0]));
  expect((await ask(client, "recall_expand", { id: other })).text).toContain("balcony");
  for (const [name, given] of [
    ["recall_search", { query: "pelargoniums on the balcony" }],
    ["recall_search", { query: "pelargoniums on the balcony", conversation: "garden" }],
    ["recall_expand", { id: other }],
    ["recall_expand", { conversation: "garden", from: 0, to: 5 }],
  ] as const) {
    expect((await ask(limited, name, given)).text).not.toContain("every Tuesday");
  }
  expect((await ask(limited, "recall_search", { query: "bucket" })).text).toContain("heron-artifacts-7");
  expect((await ask(limited, "recall_expand", { id: logId })).isError).toBe(false);
  await limited.close();
});

test("two clients, each with a server of its own, and a writer work on one file at once", async () => {
  const second = await overStdio(["--archive", file]);
  const archive = sqliteArchive({ file });
  const write = async () => {
    for (let at = 0; at < 20; at++) {
      const body = [{ role: "user", content: `The osprey number ${at} has landed.` }];
      await importConversation(archive, { conversationId: `new-${at}`, body, at });
    }
  };
  const asking = [client, second].flatMap((each) =>
    Array.from({ length: 10 }, () => ask(each, "recall_expand", { id: logId, grep: "kestrel" })),
  );
  const [answers] = await Promise.all([Promise.all(asking), write()]);
  for (const { text } of answers) expect(text).toContain("6 of 6 matching lines");
  await archive.close!();
  for (const each of [client, second]) {
    expect((await ask(each, "recall_search", { query: "osprey landed" })).text).toContain("osprey number");
  }
  await second.close();
});

test("an archive that is not there yet is a clear answer, and is found once it is there", async () => {
  const later = join(folder, "later.sqlite");
  const early = await overStdio(["--archive", later]);
  const { isError, text } = await ask(early, "recall_search", { query: "bucket" });
  expect(isError).toBe(true);
  expect(text).toContain("later.sqlite");
  await fillArchive(later);
  expect((await ask(early, "recall_search", { query: "bucket" })).text).toContain("heron-artifacts-7");
  await early.close();
});
