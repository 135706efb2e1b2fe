/** `pith compact --jsonl`: one job per line in, one answer per line out, in order, one at a time in memory. */
import { CompactionError, type ErrorCode } from "../errors/compaction-error.ts";
import { InputError } from "../errors/input-error.ts";
import { readJsonSource } from "../formats/json-source.ts";
import { appendSessionLog } from "../report/session-log-file.ts";
import { compactOptions, compactorOptions } from "./engine-options.ts";
import { exitDone } from "./exit-codes.ts";
import { type JobHeader, jobHeaderSchema, whatIsWrong } from "./job.ts";
import { type Line, linesOf } from "./lines.ts";
import { createProgress } from "./progress.ts";
import { decodeText, inputLimitBytes, openInput } from "./read-input.ts";
import type { Settings } from "./settings.ts";
import { writeStdout } from "./stdout.ts";
import { stageFile } from "./write-output.ts";

export interface JsonlOptions {
  readonly file: string;
  readonly output: string | undefined;
  readonly sessionLog: string | undefined;
  readonly settings: Settings;
}

export async function jsonlCommand({ file, output, sessionLog, settings }: JsonlOptions): Promise<number> {
  const { createCompactor } = await import("../compactor.ts");
  createCompactor(compactorOptions(settings));
  const { stream, size } = await openInput(file);
  const staged = output === undefined ? undefined : await stageFile("-o", output);
  const write = staged ? staged.write : writeStdout;
  const progress = createProgress();
  const log: string[] = [];
  let answered = 0;
  let failed = 0;
  let bytesRead = 0;
  try {
    for await (const line of linesOf(stream, inputLimitBytes)) {
      bytesRead += (line.bytes?.length ?? inputLimitBytes) + 1;
      if (isBlank(line)) continue;
      const answer = await answerTo(line);
      answered++;
      if (answer.failed) failed++;
      await write(`${answer.text}\n`);
      if (sessionLog !== undefined) appendSessionLog(sessionLog, log.splice(0).join(""));
      progress.show(size ? bytesRead / size : 0, `${answered} jobs`);
    }
  } catch (error) {
    await staged?.discard();
    throw error;
  }
  await staged?.commit();
  progress.clear();
  process.stderr.write(`${answered} jobs answered, ${failed} of them with an error\n`);
  return exitDone;

  async function answerTo(line: Line): Promise<{ text: string; failed: boolean }> {
    try {
      const { header, messages } = splitLine(line);
      return { text: await carryOut(checkHeader(header, line), messages), failed: false };
    } catch (error) {
      return { text: JSON.stringify({ id: idOf(line), error: describe(error, line) }), failed: true };
    }
  }

  async function carryOut(job: JobHeader, messages: string): Promise<string> {
    const compactor = createCompactor({
      ...compactorOptions({ ...settings, preset: job.preset ?? settings.preset }),
      ...(job.window != null && { window: job.window }),
      sessionLog: (text) => log.push(text),
    });
    const target = job.targetTokens ?? settings.target;
    const result = await compactor.compact(messages, {
      ...compactOptions(settings),
      ...(target !== undefined && { target }),
      ...(job.tools != null && { tools: job.tools }),
    });
    if (result.report.error) throw result.report.error;
    const id = JSON.stringify(job.id);
    return `{"id":${id},"messages":${onOneLine(String(result.output))},"report":${JSON.stringify(result.report)}}`;
  }
}

function isBlank(line: Line): boolean {
  return line.bytes !== undefined && line.bytes.length < 1024 && line.bytes.toString("latin1").trim() === "";
}

/**
 * A job's messages stay text, so that what the engine leaves alone comes out as the very characters that came in; the
 * header is the rest of the line, parsed.
 */
function splitLine({ number, bytes }: Line): { header: unknown; messages: string } {
  if (bytes === undefined) {
    throw new InputError(`It is larger than the limit of ${inputLimitBytes / 1024 / 1024} MB.`);
  }
  const source = readJsonSource(decodeText(bytes, `Line ${number}`));
  const { text, list, rest } = source;
  return { header: rest, messages: `[${text.slice(list.start, list.end)}]` };
}

function checkHeader(header: unknown, { number }: Line): JobHeader {
  const checked = jobHeaderSchema.safeParse(header);
  if (checked.success) return checked.data;
  throw new InputError(`Line ${number} is not a job: ${whatIsWrong(checked.error)}.`);
}

/** The id of a line that got no further, as far as it can be read. */
function idOf({ bytes }: Line): string | number | null {
  try {
    const { id } = JSON.parse(String(bytes)) as { id?: unknown };
    return typeof id === "string" || typeof id === "number" ? id : null;
  } catch {
    // The line is no JSON: its number in the message is all that names it.
    return null;
  }
}

/** JSON has no line break inside its strings, so any that is left is only spacing. */
function onOneLine(json: string): string {
  return json.replace(/[\r\n]+/g, " ").trim();
}

function describe(error: unknown, { number }: Line): { code: ErrorCode; message: string; line?: number } {
  if (!(error instanceof CompactionError)) return { code: "COMPACTION_FAILED", message: String(error) };
  const { code, message } = error;
  if (!(error instanceof InputError)) return { code, message };
  const place = `Line ${number}`;
  return { code, message: message.startsWith(place) ? message : `${place}: ${message}`, line: number };
}
