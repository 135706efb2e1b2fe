/** What the tests of the MCP server share: an archive with two conversations, and the official client in both protocol eras. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Archive } from "../src/archive/archive.ts";
import { importConversation } from "../src/archive/import-conversation.ts";
import { archiveItem } from "../src/archive/item-id.ts";
import { writeTo } from "../src/archive/ready-write.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { assistant, call, rawConversation, result, system, user } from "../src/testing/builders.ts";
import { program } from "./run-pith.ts";

/** 2025's handshake, which most clients speak, and 2026's way without one. */
export const eras = ["legacy", "auto"] as const;
export type Era = (typeof eras)[number];

/** A build log that no single answer has room for. */
export const buildLog = Array.from({ length: 3_000 }, (_, line) =>
  line % 500 === 77
    ? `${line}: ERROR cannot link module kestrel-${line}`
    : `${line}: compiled src/part-${line}.c in ${(line * 37) % 900} ms`,
).join("\n");

export const session = rawConversation(
  system("You are a build engineer."),
  user("The nightly build is broken. The artefacts must stay below 40 MB."),
  assistant("I will look at the log.", call("Bash", { command: "cat build.log" }, "c1")),
  result(buildLog, { id: "c1" }),
  assistant("The linker cannot find kestrel; the bucket is called heron-artifacts-7."),
);

export const otherSession = rawConversation(
  user("Please water the pelargoniums on the balcony every Tuesday."),
  assistant("Noted: pelargoniums, Tuesdays."),
);

/** The log as it stands in the archive when it was offloaded on arrival. */
const offloadedLog = archiveItem("text", buildLog);
export const logId = offloadedLog.id;

/** Writes both into an archive, such as a new file, and closes it. */
export async function fillArchive(where: string | Archive): Promise<void> {
  const archive = typeof where === "string" ? sqliteArchive({ file: where }) : where;
  await importConversation(archive, { conversationId: "build", body: session, at: 1_700_000_000_000 });
  await writeTo(archive, { conversation: "build", at: 1_700_000_000_000, items: [offloadedLog] });
  await importConversation(archive, { conversationId: "garden", body: otherSession, at: 1_700_000_100_000 });
  await archive.close!();
}

function newClient(era: Era = "legacy"): Client {
  return new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: era } });
}

export interface StdioSessionOptions {
  readonly era?: Era;
  readonly environment?: Record<string, string>;
}

/** A client with a `pith mcp` of its own, in a process of its own. */
export async function overStdio(
  parameters: readonly string[],
  { era = "legacy", environment = {} }: StdioSessionOptions = {},
): Promise<Client> {
  const client = newClient(era);
  const server = { command: process.execPath, args: [program, "mcp", ...parameters], env: environment };
  await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
  return client;
}

export async function overHttp(
  url: string,
  { era = "legacy", headers = {} }: { readonly era?: Era; readonly headers?: Record<string, string> } = {},
): Promise<Client> {
  const client = newClient(era);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

export async function ask(client: Client, name: string, given: Record<string, unknown>): Promise<Answer> {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  const texts = content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`));
  return { text: texts.join("\n"), isError };
}

export function idsIn(text: string): readonly string[] {
  return [...new Set(text.match(/pith:[0-9a-z]{8,}/g))];
}
