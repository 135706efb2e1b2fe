/** answerLines: one question per line in, one answer per line out, in order, one at a time in memory. */

import { CompactionError, type ErrorCode } from "../errors/compaction-error.ts";
import { InputError } from "../errors/input-error.ts";
import { parsedObject } from "../json/wire-value.ts";
import { type InputLine, linesOf } from "./lines.ts";
import { createProgress } from "./progress.ts";
import { decodeText, inputLimitBytes, openInput } from "./read-input.ts";
import { writeStdout } from "./stdout.ts";
import { stageFile } from "./write-output.ts";

export interface LinesOptions {
  readonly file: string;
  /** Where the answers go; stdout when absent. */
  readonly output?: string | undefined;
  /** What a line is called in the plural: "jobs". */
  readonly called: string;
  /** The answer to a line's text, as JSON on one line. What it throws becomes the line's answer. */
  readonly answer: (text: string, line: number) => Promise<string>;
  /** After each answer was written. */
  readonly answered?: () => void;
}

export interface LinesAnswered {
  readonly answered: number;
  readonly failed: number;
}

export async function answerLines(options: LinesOptions): Promise<LinesAnswered> {
  const { stream, size } = await openInput(options.file);
  const staged = options.output === undefined ? undefined : await stageFile("-o", options.output);
  const write = staged ? staged.write : writeStdout;
  const progress = createProgress();
  let answered = 0;
  let failed = 0;
  let bytesRead = 0;
  try {
    for await (const line of linesOf(stream, inputLimitBytes)) {
      bytesRead += (line.bytes?.length ?? inputLimitBytes) + 1;
      if (isBlank(line)) continue;
      const answer = await answerTo(line, options);
      answered++;
      if (answer.failed) failed++;
      await write(`${answer.text}\n`);
      options.answered?.();
      progress.show(size ? bytesRead / size : 0, `${answered} ${options.called}`);
    }
  } catch (error) {
    await staged?.discard();
    throw error;
  }
  await staged?.commit();
  progress.clear();
  return { answered, failed };
}

async function answerTo(
  line: InputLine,
  { answer }: LinesOptions,
): Promise<{ readonly text: string; readonly failed: boolean }> {
  try {
    return { text: await answer(textOf(line), line.number), failed: false };
  } catch (error) {
    return { text: JSON.stringify({ id: idOf(line), error: describe(error, line) }), failed: true };
  }
}

function textOf({ number, bytes }: InputLine): string {
  if (bytes === undefined) {
    throw new InputError(`It is larger than the limit of ${inputLimitBytes / 1024 / 1024} MB.`);
  }
  return decodeText(bytes, `Line ${number}`);
}

function isBlank(line: InputLine): boolean {
  return line.bytes !== undefined && line.bytes.length < 1024 && line.bytes.toString("latin1").trim() === "";
}

/** The id of a line that got no further, as far as it can be read. */
function idOf({ bytes }: InputLine): string | number | null {
  // If the line is no JSON, its number in the message is all that names it.
  const { id } = parsedObject(String(bytes));
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function describe(
  error: unknown,
  { number }: InputLine,
): { code: ErrorCode; message: string; line?: number } {
  if (!(error instanceof CompactionError)) return { code: "COMPACTION_FAILED", message: String(error) };
  const { code, message } = error;
  if (!(error instanceof InputError)) return { code, message };
  const place = `Line ${number}`;
  return { code, message: message.startsWith(place) ? message : `${place}: ${message}`, line: number };
}
