/** `pith compact`: one conversation in, a smaller one out; or many jobs, one per line, with --jsonl. */
import type { Archive } from "../archive/archive.ts";
import { OptionsError } from "../errors/options-error.ts";
import { maskJson } from "../redact/mask-json.ts";
import type { CompactionEvent } from "../report/event.ts";
import { appendSessionLog } from "../report/session-log-file.ts";
import type { CompactorOptions } from "../run/options.ts";
import { bodyOf, type Result } from "../run/result.ts";
import { colored } from "./colored.ts";
import { compactOptions, compactorOptions } from "./engine-options.ts";
import { exitDone } from "./exit-codes.ts";
import { withInputName } from "./input-name.ts";
import { withArchive } from "./open-archive.ts";
import { createProgress } from "./progress.ts";
import { readInput } from "./read-input.ts";
import { readSession, type SessionInput } from "./session-input.ts";
import { type Flags, resolveSettings, type Settings } from "./settings.ts";
import { writeStderr } from "./stderr.ts";
import { writeStdout } from "./stdout.ts";
import { keepWayBack } from "./way-back.ts";
import { checkOutputs, type StagedFile, stageFile } from "./write-output.ts";

export async function compactCommand(file: string, flags: Flags): Promise<number> {
  const settings = resolveSettings(flags);
  const output = outputFile(flags);
  await checkOutputs(file, {
    "-o": output,
    "--report": flags.report,
    "--session-log": flags.sessionLog,
  });
  if (flags.jsonl) refuseBesideJsonl(flags);
  if (flags.dryRun) {
    const { planCommand } = await import("./plan-command.ts");
    return planCommand(file, flags);
  }
  return withArchive(settings.archive, async (archive) => {
    if (!flags.jsonl) return compactOne(file, flags, settings, archive);
    const { jsonlCommand } = await import("./jsonl-command.ts");
    return jsonlCommand({ file, output, sessionLog: flags.sessionLog, settings, archive });
  });
}

async function compactOne(
  file: string,
  flags: Flags,
  settings: Settings,
  archive: Archive | undefined,
): Promise<number> {
  const { doorCompactor } = await import("../compactor.ts");
  const progress = createProgress();
  const sessionLog: string[] = [];
  const options: CompactorOptions = {
    ...compactorOptions(settings, archive),
    onEvent: (event) => progress.show(shareDone(event), labelOf(event)),
    sessionLog: (text) => sessionLog.push(text),
  };
  // What is wrong with the flags is said before anything is read.
  doorCompactor({ ...options, format: "auto" });
  const session = await readSession(await readInput(file), settings.format);
  const { body, format, pins, problems } = session;
  const compactor = doorCompactor({ ...options, format });
  const result = await compactor.compact(body, { ...compactOptions(settings), pins });
  progress.clear();
  if (result.report.error) {
    if (flags.sessionLog !== undefined) appendSessionLog(flags.sessionLog, sessionLog.join(""));
    throw withInputName(result.report.error, file);
  }
  const { text, back } = session.write(bodyOf(result), result.conversation);
  const { report, state } = result;
  if (archive && back && report.compacted) {
    const { compaction } = report;
    await keepWayBack(archive, { text, back, compaction, conversation: state.conversationId });
  }
  await writeResult(result, { text, isBody: session.transcript === undefined }, flags, sessionLog.join(""));
  const { printReport } = await import("../report/print-report.ts");
  writeStderr(`${printReport(result.report, { color: colored(process.stderr) })}\n`);
  tellProblems(problems);
  return exitDone;
}

const SHOWN_PROBLEMS = 5;

/** Lines of a session file that could not be read: they stay where they are. */
export function tellProblems(problems: SessionInput["problems"]): void {
  for (const { line, message } of problems.slice(0, SHOWN_PROBLEMS))
    writeStderr(`line ${line}: ${message}\n`);
  if (problems.length > SHOWN_PROBLEMS)
    writeStderr(`and ${problems.length - SHOWN_PROBLEMS} more lines that were skipped\n`);
}

/** Everything is staged before anything shows: a failure leaves no file behind. */
async function writeResult(
  result: Result,
  { text, isBody }: { readonly text: string; readonly isBody: boolean },
  flags: Flags,
  log: string,
): Promise<void> {
  const output = outputFile(flags);
  const staged: StagedFile[] = [];
  try {
    if (output !== undefined) {
      staged.push(await stageFile("-o", output));
      await staged[0]!.write(text);
    }
    if (flags.report !== undefined) {
      const report = await stageFile("--report", flags.report);
      staged.push(report);
      await report.write(maskJson(`${JSON.stringify(result.report, null, 2)}\n`).text);
    }
    if (flags.sessionLog !== undefined) appendSessionLog(flags.sessionLog, log);
  } catch (error) {
    await Promise.all(staged.map((file) => file.discard()));
    throw error;
  }
  for (const file of staged) await file.commit();
  if (flags.json) {
    const report = JSON.stringify(result.report);
    const compacted = output === undefined ? `${isBody ? bodyMember(text) : transcriptMember(text)},` : "";
    await writeStdout(`{${compacted}"report":${report}}\n`);
  } else if (output === undefined) {
    await writeStdout(text);
  }
}

/** By the library's names: `messages` for a list, `body` for a request body. */
export function bodyMember(text: string): string {
  const json = text.trimStart();
  return `${json.startsWith("[") ? '"messages"' : '"body"'}:${json}`;
}

/** A session file is text of its own kind. */
export function transcriptMember(text: string): string {
  return `"transcript":${JSON.stringify(text)}`;
}

/** Where -o sends the conversation; absent for stdout. */
function outputFile({ output }: Flags): string | undefined {
  return output === "-" ? undefined : output;
}

function refuseBesideJsonl(flags: Flags): void {
  if (flags.report !== undefined) {
    throw new OptionsError(
      "--report",
      "--report with --jsonl: every answer carries its own report. Leave --report out.",
    );
  }
  if (flags.dryRun) {
    throw new OptionsError(
      "--dry-run",
      "--dry-run with --jsonl: plan one conversation at a time with `pith plan FILE`.",
    );
  }
}

const stageOrder = [
  "strip-reasoning",
  "drop-duplicates",
  "shape-tool-results",
  "shrink-call-arguments",
  "extract-sentences",
  "hand-off",
  "trim",
];

function shareDone(event: CompactionEvent): number {
  if (event.type === "stage-end") return (stageOrder.indexOf(event.stage) + 1) / (stageOrder.length + 1);
  return event.type === "compaction-start" ? 0 : 1;
}

function labelOf(event: CompactionEvent): string {
  return event.type === "stage-end" ? `${event.stage}: ${event.tokensAfter} tokens` : event.type;
}
