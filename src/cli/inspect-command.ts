/** `pith inspect`: what was cut, and why, in the browser: of a session file, or of all conversations of an archive. */
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Archive } from "../archive/archive.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import { OptionsError } from "../errors/options-error.ts";
import type { InspectorOptions } from "../inspect/inspector.ts";
import type { EngineSettings, GivenSession } from "../inspect/profile.ts";
import { packageVersion } from "../package-version.ts";
import type { PresetExpression } from "../policy/presets.ts";
import { exitDone } from "./exit-codes.ts";
import { withInputName } from "./input-name.ts";
import { withGivenArchive } from "./open-archive.ts";
import { openBrowser } from "./open-browser.ts";
import { readInput } from "./read-input.ts";
import { readSession } from "./session-input.ts";
import { archiveName, resolveSettings } from "./settings.ts";
import { writeStderr } from "./stderr.ts";
import { writeStdout } from "./stdout.ts";
import { checkOutputs, stageFile } from "./write-output.ts";

/** The flags as they were typed. */
export interface InspectFlags {
  readonly archive: string;
  readonly format: string;
  readonly model?: string;
  readonly window?: string;
  readonly reserve?: string;
  readonly preset?: string;
  readonly target?: string;
  readonly conversation?: readonly string[];
  readonly readOnly?: boolean;
  readonly port?: string;
  readonly open: boolean;
  readonly export?: string;
  readonly json?: boolean;
}

/** Next to the ports of the gateway and of the MCP server. */
const DEFAULT_PORT = 7485;

/** Runs until it is told to stop; with --export it writes the page and is done. */
export async function inspectCommand(file: string | undefined, flags: InspectFlags): Promise<number> {
  const settings = await engineSettings(flags);
  const port = portNumber(flags.port);
  await checkOutputs(file ?? "-", { "--export": flags.export });
  const readOnly = flags.readOnly === true || flags.export !== undefined;
  if (file !== undefined) return inspectFile(file, flags, { settings, port, readOnly });
  if (flags.target !== undefined)
    throw new OptionsError(
      "--target",
      "--target compacts a file before showing it; change an archive on the page.",
    );
  const where = archiveName(flags.archive);
  // One that is not there is not made: opened to be written to, it would be.
  await withGivenArchive(where, async (archive) => archive.conversations?.());
  return withGivenArchive(
    where,
    (archive) => run({ archive, title: archive.name, readOnly, settings }, flags, port),
    { readOnly },
  );
}

interface Inspecting {
  readonly settings: EngineSettings;
  readonly port: number;
  readonly readOnly: boolean;
}

/** The file is read into memory; nothing that is done to it here is written anywhere. */
async function inspectFile(
  file: string,
  flags: InspectFlags,
  { settings, port, readOnly }: Inspecting,
): Promise<number> {
  const { memoryArchive } = await import("../archive/memory.ts");
  const archive = memoryArchive();
  const given = await importFile(file, flags, archive);
  const options = { archive, title: given.conversation, readOnly, settings, given };
  if (flags.target !== undefined) {
    const { createInspector } = await import("../inspect/inspector.ts");
    const { target } = resolveSettings({ target: flags.target });
    await createInspector({ ...options, readOnly: false, version: packageVersion() }).apply({
      conversation: given.conversation,
      target,
      pins: given.pins,
    });
  }
  return run(options, flags, port);
}

async function importFile(file: string, flags: InspectFlags, archive: Archive): Promise<GivenSession> {
  const { importSession } = await import("../inspect/import-session.ts");
  const text = await readInput(file);
  try {
    const session = await readSession(text, flags.format);
    const conversation = file === "-" ? "stdin" : basename(file);
    return await importSession(archive, {
      ...session,
      conversation,
      model: flags.model,
      at: await writtenAt(file),
    });
  } catch (error) {
    throw error instanceof CompactionError ? withInputName(error, file) : error;
  }
}

/** A conversation is as old as its file. */
async function writtenAt(file: string): Promise<number> {
  return file === "-" ? Date.now() : Math.floor((await stat(file)).mtimeMs);
}

async function run(
  options: Omit<InspectorOptions, "version">,
  flags: InspectFlags,
  port: number,
): Promise<number> {
  const inspector = { ...options, version: packageVersion() };
  if (flags.export !== undefined) return exportTo(flags.export, inspector, flags);
  const { serveInspector } = await import("../inspect/serve.ts");
  const stopped = Promise.withResolvers<void>();
  const stop = () => stopped.resolve();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const served = await serveInspector({ ...inspector, live: options.given === undefined, port, log });
  await writeStdout(
    flags.json ? `${JSON.stringify({ url: served.url, title: options.title })}\n` : `${served.url}\n`,
  );
  if (!flags.json) log("This link works once. Press Ctrl-C to stop.");
  if (flags.open) openBrowser(served.url, log);
  await stopped.promise;
  process.off("SIGINT", stop).off("SIGTERM", stop);
  await served.stop();
  return exitDone;
}

async function exportTo(file: string, options: InspectorOptions, flags: InspectFlags): Promise<number> {
  const { createInspector } = await import("../inspect/inspector.ts");
  const { createCostReader } = await import("../inspect/cost.ts");
  const { exportPage } = await import("../inspect/export-page.ts");
  const { readPageFiles } = await import("../inspect/page-files.ts");
  const page = readPageFiles();
  const inspector = createInspector(options);
  const cost = createCostReader({ look: inspector.look });
  const text = await exportPage({ inspector, cost, page, conversations: flags.conversation });
  const output = await stageFile("--export", file);
  await output.write(text);
  await output.commit();
  if (flags.json) await writeStdout(`${JSON.stringify({ file, bytes: Buffer.byteLength(text) })}\n`);
  else log(`${file} shows ${options.title}; secrets are masked in it. Look at it before you send it.`);
  return exitDone;
}

async function engineSettings(flags: InspectFlags): Promise<EngineSettings> {
  const { model, window, reserve } = resolveSettings({
    ...(flags.model !== undefined && { model: flags.model }),
    ...(flags.window !== undefined && { window: flags.window }),
    ...(flags.reserve !== undefined && { reserve: flags.reserve }),
  });
  if (flags.preset !== undefined) {
    const { resolvePolicy } = await import("../policy/resolve-policy.ts");
    resolvePolicy(flags.preset as PresetExpression);
  }
  return { model, window, reserve, preset: flags.preset };
}

function portNumber(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new OptionsError("--port", `--port ${text}: give a number up to 65535; 0 takes a free one.`);
}

/** stdout carries the address, so people read stderr. */
function log(line: string): void {
  writeStderr(`pith inspect: ${line}\n`);
}
