/** `pith compact --jsonl`: one job per line in, one answer per line out. */
import type { Archive } from "../archive/archive.ts";
import { InputError } from "../errors/input-error.ts";
import { readAnySource } from "../json/source.ts";
import { schemaFault } from "../policy/schema-fault.ts";
import { appendSessionLog } from "../report/session-log-file.ts";
import { initialState } from "../state/compaction-state.ts";
import { counted } from "../tokens/number-words.ts";
import { answerLines } from "./answer-lines.ts";
import { compactOptions, compactorOptions } from "./engine-options.ts";
import { exitDone } from "./exit-codes.ts";
import { ALIKE_KEYS, JOB_KEYS, type JobHeader, jobHeaderSchema } from "./job.ts";
import type { Settings } from "./settings.ts";
import { writeStderr } from "./stderr.ts";
import { createStrayKeys, type StrayKeys } from "./stray-keys.ts";

export interface JsonlOptions {
  readonly file: string;
  readonly output: string | undefined;
  readonly sessionLog: string | undefined;
  readonly settings: Settings;
  readonly archive: Archive | undefined;
}

export async function jsonlCommand(options: JsonlOptions): Promise<number> {
  const { file, output, sessionLog, settings, archive } = options;
  const { doorCompactor } = await import("../compactor.ts");
  doorCompactor(compactorOptions(settings, archive));
  const log: string[] = [];
  const strayKeys = createStrayKeys("a job", JOB_KEYS, ALIKE_KEYS);
  const { answered, failed } = await answerLines({
    file,
    output,
    called: "jobs",
    answer: (text, number) => {
      const { header, messages } = splitLine(text);
      return carryOut(checkHeader(header, number, strayKeys), messages);
    },
    answered: () => {
      if (sessionLog !== undefined) appendSessionLog(sessionLog, log.splice(0).join(""));
    },
  });
  writeStderr(`${strayKeys.told()}${counted(answered, "job")} answered, ${failed} of them with an error\n`);
  return exitDone;

  async function carryOut(job: JobHeader, messages: string): Promise<string> {
    const compactor = doorCompactor({
      ...compactorOptions({ ...settings, preset: job.preset ?? settings.preset }, archive),
      ...(job.window != null && { window: job.window }),
      sessionLog: (text) => log.push(text),
    });
    const target = job.targetTokens ?? settings.target;
    const result = await compactor.compact(messages, {
      ...compactOptions(settings),
      // A job stands for itself: the same line gives the same answer, whatever the archive knows of its id.
      conversationId: String(job.id),
      state: initialState,
      ...(target !== undefined && { target }),
      ...(job.tools != null && { tools: job.tools }),
    });
    if (result.report.error) throw result.report.error;
    const id = JSON.stringify(job.id);
    return `{"id":${id},"messages":${onOneLine(result.body)},"report":${JSON.stringify(result.report)}}`;
  }
}

/**
 * A job's messages stay text, so that what the engine leaves alone comes out as the very characters that came in; the
 * header is the rest of the line, parsed.
 */
export function splitLine(line: string): { readonly header: unknown; readonly messages: string } {
  const { text, list, rest } = readAnySource(line);
  return { header: rest, messages: `[${text.slice(list.start, list.end)}]` };
}

function checkHeader(header: unknown, number: number, strayKeys: StrayKeys): JobHeader {
  const { data, error } = jobHeaderSchema.safeParse(header);
  const fault = error ? schemaFault(error, header, JOB_KEYS) : strayKeys.faultIn(header as object);
  if (fault !== undefined || !data) throw new InputError(`Line ${number} is not a job: ${fault}.`);
  return data;
}

/** JSON has no line break inside its strings, so any that is left is only spacing. */
function onOneLine(json: string): string {
  return json.replace(/[\r\n]+/g, " ").trim();
}
