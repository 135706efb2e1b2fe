/** `pith gateway`: runs the gateway until the process is told to stop. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { OptionsError } from "../errors/options-error.ts";
import { startGateway } from "../gateway/gateway.ts";
import { readAllowedHosts } from "../gateway/guard.ts";
import { isLoopback } from "../gateway/inspection.ts";

import { createLog } from "../gateway/log.ts";
import { type GatewaySettings, gatewayDefaults } from "../gateway/settings.ts";
import { readTls } from "../gateway/tls.ts";
import { readUpstreams } from "../gateway/upstream.ts";
import { readWindows } from "../gateway/windows.ts";
import { readProxies } from "../http/proxies.ts";
import { createKeyring } from "../keys/keyring.ts";
import type { PresetExpression } from "../policy/presets.ts";
import { resolvePolicy } from "../policy/resolve-policy.ts";
import type { SummarizerAddress } from "../summarizer/summarizer-at.ts";
import { exitDone } from "./exit-codes.ts";
import { defaultArchive } from "./open-archive.ts";
import { bodyBytes, durationMs, graceMs, memoryBytes, portNumber, workerCount } from "./quantities.ts";
import { archiveName, wholeNumber, withoutPassword } from "./settings.ts";
import { readSummarizers, summaryWish, withApiKeys } from "./summarizer-flags.ts";

const text = z.string().optional();
const number = z.union([z.string(), z.number().transform(String)]).optional();
/** Several, in a list or set apart by spaces. */
const words = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat().flatMap((each) => each.split(/\s+/)))
  .optional();
/** A number for all models, or several words. */
const windows = z.union([z.number().transform((tokens) => [String(tokens)]), words]).optional();
/** As typed, as set in the environment, or as written in the file. */
const flagsSchema = z.strictObject({
  upstream: words,
  host: text,
  allowHost: words,
  port: number,
  tlsCert: text,
  tlsKey: text,
  keys: text,
  window: windows,
  reserve: number,
  preset: text,
  tools: z.enum(["all", "recall", "none"]).optional(),
  summarizer: words,
  summarizerModel: words,
  template: text,
  summaryTokens: number,
  inspect: z.enum(["on", "off"]).optional(),
  deadline: number,
  grace: number,
  memory: number,
  maxBody: number,
  workers: number,
  archive: text,
});

export type GatewayFlags = z.input<typeof flagsSchema> & { readonly config?: string };

/** Settles when the gateway was told to stop and all is closed. */
export async function gatewayCommand(flags: GatewayFlags): Promise<number> {
  const log = createLog((line) => process.stderr.write(line));
  const settings = gatewaySettings(flags, (reason) => log("error", "keys", { reason }));
  const stopped = new Promise<string>((resolve) => {
    process.once("SIGINT", resolve).once("SIGTERM", resolve);
  });
  const gateway = await startGateway(settings, log);
  // Without a certificate, the signal ends the process, as it does when a terminal is closed.
  if (gateway.reload) process.on("SIGHUP", gateway.reload);
  log("info", "listening", { url: gateway.url, archive: withoutPassword(settings.archive) });
  if (gateway.inspectorUrl !== undefined) process.stderr.write(inspectorLine(gateway.inspectorUrl));
  if (!settings.keys && !isLoopback(settings.host))
    log("warn", "open", { reason: "Other machines can use this gateway without a key. See --keys." });
  const signal = await stopped;
  log("info", "stopping", { signal });
  // Whoever presses a key waits for it; whoever runs replicas sends SIGTERM.
  await (signal === "SIGINT" ? gateway.stopNow() : gateway.stop());
  return exitDone;
}

/** Not by the log, which would mask the token: it opens the page once, for whoever started this. */
function inspectorLine(url: string): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level: "info", event: "inspector", url })}\n`;
}

/**
 * Throws OptionsError, naming the flag and what it may be.
 *
 * @param onFault hears what is wrong with a file of keys that changed
 */
export function gatewaySettings(
  { config, ...typed }: GatewayFlags,
  onFault: (reason: string) => void = () => {},
): GatewaySettings {
  const given = { ...(config !== undefined && readConfig(config)), ...read(typed, "the flags") };
  const preset = given.preset ?? gatewayDefaults.preset;
  resolvePolicy(preset as PresetExpression);
  const host = given.host ?? gatewayDefaults.host;
  if (given.keys === undefined && !isLoopback(host)) throw openToAll(host);
  const isKeyed = given.keys !== undefined && given.keys !== NO_KEYS;
  const keys = isKeyed ? createKeyring(given.keys!, { onFault }) : undefined;
  const archive = archiveName(given.archive ?? defaultArchive);
  const proxies = readProxies(process.env);
  return Object.freeze({
    ...gatewayDefaults,
    upstreams: readUpstreams(given.upstream ?? []),
    ...(proxies && { proxies }),
    host,
    ...(given.allowHost && { allowHosts: readAllowedHosts(given.allowHost) }),
    port: given.port === undefined ? gatewayDefaults.port : portNumber(given.port),
    ...tlsOf(given),
    ...(keys && { keys }),
    archive,
    preset,
    tools: given.tools ?? gatewayDefaults.tools,
    ...summarizerOf(given, archive),
    ...summaryWish(given),
    inspect: given.inspect !== "off",
    ...readWindows(given.window ?? []),
    ...(given.reserve !== undefined && { reserve: wholeNumber("--reserve", given.reserve) }),
    ...(given.deadline !== undefined && { deadlineMs: durationMs(given.deadline) }),
    ...(given.grace !== undefined && { graceMs: graceMs(given.grace) }),
    ...(given.memory !== undefined && { memoryBytes: memoryBytes(given.memory) }),
    ...(given.workers !== undefined && { workers: workerCount(given.workers) }),
    ...(given.maxBody !== undefined && { maxBodyBytes: bodyBytes(given.maxBody) }),
  });
}

/** What --keys says where everybody who reaches the gateway may use it. */
const NO_KEYS = "none";

function openToAll(host: string): OptionsError {
  return new OptionsError(
    "--keys",
    `--host ${host}: other machines could use this gateway, and read what passes, without a key. Give --keys FILE, ` +
      `or --keys ${NO_KEYS} where whatever is before it lets in the right ones only.`,
  );
}

function tlsOf({ tlsCert, tlsKey }: z.output<typeof flagsSchema>): Pick<GatewaySettings, "tls"> {
  if (tlsCert === undefined && tlsKey === undefined) return {};
  if (tlsCert === undefined || tlsKey === undefined)
    throw new OptionsError("--tls-cert", "--tls-cert and --tls-key: give both, or neither.");
  const tls = { cert: tlsCert, key: tlsKey };
  readTls(tls);
  return { tls };
}

function summarizerOf(
  given: z.output<typeof flagsSchema>,
  archive: string,
): Pick<GatewaySettings, "summarizer"> {
  const summarizers = readSummarizers(given);
  if (summarizers.length === 0) return {};
  if (archive === "none")
    throw new OptionsError(
      "--summarizer",
      "--summarizer: summaries are kept in the archive, but --archive is none.",
    );
  return { summarizer: withApiKeys(summarizers) };
}

function readConfig(file: string) {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new OptionsError("--config", `--config ${file}: ${(cause as Error).message}.`);
  }
  return read(value, `--config ${file}`);
}

function read(value: unknown, where: string): z.output<typeof flagsSchema> {
  const { success, data, error } = flagsSchema.safeParse(value);
  if (success) return data;
  throw new OptionsError("--config", `${where}: ${z.prettifyError(error).replaceAll("\n", " ")}`);
}

/** The settings as people may see them: without keys and passwords. */
export function shownGatewaySettings({
  upstreams,
  keys,
  archive,
  summarizer,
  proxies,
  ...rest
}: GatewaySettings): Readonly<Record<string, unknown>> {
  return {
    upstreams: { openai: upstreams.openai?.href, anthropic: upstreams.anthropic?.href },
    ...rest,
    ...(proxies && { proxies: shownProxies(proxies) }),
    archive: withoutPassword(archive),
    tenants: keys?.tenants() ?? "everybody",
    summarizer: summarizer?.map(shownSummarizer) ?? "none",
  };
}

function shownProxies({ except, ...proxies }: NonNullable<GatewaySettings["proxies"]>): unknown {
  const hosts = Object.entries(proxies).map(([protocol, address]) => [
    protocol.slice(0, -1),
    new URL(address).host,
  ]);
  return { ...Object.fromEntries(hosts), except };
}

function shownSummarizer(summarizer: "same" | SummarizerAddress): unknown {
  if (summarizer === "same") return summarizer;
  return { ...summarizer, key: summarizer.key === undefined ? "not set" : "set" };
}
