/** `pith mcp`: the archive as tools for any MCP client, on stdin and stdout or over HTTP. */

import type { Archive } from "../archive/archive.ts";
import { OptionsError } from "../errors/options-error.ts";
import { createKeyring } from "../keys/keyring.ts";
import { DEFAULT_HOST, DEFAULT_PORT, type HttpOptions, serveOverHttp } from "../mcp/http.ts";
import { type MakeServer, serverMaker } from "../mcp/server.ts";
import { serveOnStdio } from "../mcp/stdio.ts";
import { mcpTools } from "../mcp/tools.ts";
import { packageVersion } from "../package-version.ts";
import { actsOnRequests } from "../policy/acts-on-requests.ts";
import type { PresetExpression } from "../policy/presets.ts";
import { resolvePolicy } from "../policy/resolve-policy.ts";
import { exitDone } from "./exit-codes.ts";
import { withGivenArchive } from "./open-archive.ts";
import { archiveName } from "./settings.ts";
import { writeStderr } from "./stderr.ts";

export interface McpFlags {
  readonly archive: string;
  readonly conversation?: string;
  readonly tenant?: string;
  readonly keys?: string;
  readonly preset?: string;
  readonly http?: boolean;
  readonly host?: string;
  readonly port?: string;
}

/** Runs until the client goes away or the process is told to stop. */
export function mcpCommand(flags: McpFlags): Promise<number> {
  const http = httpOptions(flags);
  const policy = resolvePolicy(flags.preset as PresetExpression | undefined);
  return withGivenArchive(archiveName(flags.archive), async (archive) => {
    const makerFor = (tenant = flags.tenant): MakeServer => {
      const tools = mcpTools(archive, {
        conversationId: flags.conversation,
        tenant,
        agentControlled: actsOnRequests(policy),
      });
      return serverMaker({ tools, version: packageVersion(), log });
    };
    const stopped = new AbortController();
    const stop = () => stopped.abort();
    process.once("SIGINT", stop).once("SIGTERM", stop);
    try {
      if (http) await serveUntil(stopped.signal, makerFor, http, archive);
      else await serveOnStdio(makerFor(), { signal: stopped.signal, log });
    } finally {
      process.off("SIGINT", stop).off("SIGTERM", stop);
    }
    return exitDone;
  });
}

async function serveUntil(
  signal: AbortSignal,
  makerFor: (tenant?: string) => MakeServer,
  options: HttpOptions,
  archive: Archive,
): Promise<void> {
  const door = await serveOverHttp(makerFor, options);
  log(`${archive.name} is served at ${door.url}${options.key || options.keys ? ", with a key" : ""}`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await door.stop();
}

/** Undefined where it speaks on stdin and stdout. The key comes from the environment alone. */
function httpOptions({ http, host, port, keys: file, tenant }: McpFlags): HttpOptions | undefined {
  if (file !== undefined && tenant !== undefined)
    throw new OptionsError("--tenant", "--tenant: with --keys, each key says which tenant it is.");
  if (http) {
    const key = process.env.PITH_MCP_KEY;
    const keys = file === undefined ? undefined : createKeyring(file, { onFault: log });
    if (key && keys)
      throw new OptionsError("--keys", "--keys: PITH_MCP_KEY is set, too. Give one of the two.");
    return { host: host ?? DEFAULT_HOST, port: portNumber(port), key, keys, log };
  }
  for (const [flag, value] of Object.entries({ "--host": host, "--port": port, "--keys": file })) {
    if (value !== undefined) throw new OptionsError(flag, `${flag} ${value}: this also needs --http.`);
  }
  return undefined;
}

function portNumber(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new OptionsError("--port", `--port ${text}: give a number up to 65535; 0 takes a free one.`);
}

/** stdout carries the protocol, so people read stderr. A client's text must not look like several lines, or move the cursor. */
function log(line: string): void {
  writeStderr(`pith mcp: ${line.replace(/\p{Cc}+/gu, " ").slice(0, 500)}\n`);
}
