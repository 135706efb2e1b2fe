/** `pith archive import`: whole conversations into an archive, nothing compacted. */
import { resolve } from "node:path";
import { type Imported, importConversation } from "../archive/import-conversation.ts";
import type { CompactionError } from "../errors/compaction-error.ts";
import { InputError } from "../errors/input-error.ts";
import { OptionsError } from "../errors/options-error.ts";
import { schemaFault } from "../policy/schema-fault.ts";
import { counted, thousands } from "../tokens/number-words.ts";
import { answerLines } from "./answer-lines.ts";
import { tellProblems } from "./compact-command.ts";
import { exitDone, exitUsage } from "./exit-codes.ts";
import { type InputFile, inputFiles } from "./input-files.ts";
import { withInputName } from "./input-name.ts";
import { idSchema } from "./job.ts";
import { splitLine } from "./jsonl-command.ts";
import { withGivenArchive } from "./open-archive.ts";
import { createProgress } from "./progress.ts";
import { readInput } from "./read-input.ts";
import { readSession } from "./session-input.ts";
import { archiveName } from "./settings.ts";
import { writeStderr } from "./stderr.ts";
import { writeStdout } from "./stdout.ts";

export interface ImportFlags {
  readonly archive: string;
  readonly jsonl?: boolean;
  readonly conversation?: string;
  readonly format: string;
}

export async function importCommand(paths: readonly string[], flags: ImportFlags): Promise<number> {
  const where = archiveName(flags.archive);
  const files = await inputFiles(paths.length === 0 ? ["-"] : paths);
  if (flags.conversation !== undefined && (flags.jsonl || files.length !== 1)) {
    throw new OptionsError(
      "--conversation",
      `--conversation ${flags.conversation}: this is the name of one conversation. Import one file alone, or leave it out.`,
    );
  }
  const work = flags.jsonl ? importLines : importFiles;
  return withGivenArchive(where, (archive) => work(archive, files, flags), { readOnly: false });
}

type OpenArchive = Parameters<typeof importConversation>[0];

/** A file that cannot be read is told and stops no other one; an archive that fails ends the import. */
async function importFiles(
  archive: OpenArchive,
  files: readonly InputFile[],
  flags: ImportFlags,
): Promise<number> {
  const progress = createProgress();
  const faults: CompactionError[] = [];
  const imported: Imported[] = [];
  let leftOut = 0;
  for (const [index, file] of files.entries()) {
    progress.show(index / files.length, file.path);
    try {
      imported.push(await importFile(archive, file, flags));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      if (file.isFound) leftOut++;
      else faults.push(withInputName(error, file.path));
    }
  }
  progress.clear();
  if (files.length === 1 && faults.length === 1) throw faults[0]!;
  const messages = imported.reduce((sum, each) => sum + each.messages, 0);
  const added = imported.reduce((sum, each) => sum + each.added, 0);
  writeStderr(
    `${counted(imported.length, "conversation")} of ${counted(messages, "message")}, ${thousands(added)} new, imported into ${archive.name}\n`,
  );
  if (leftOut > 0) writeStderr(`${counted(leftOut, "file")} left out: no conversation was found there\n`);
  for (const { message } of faults) writeStderr(`pith: ${message}\n`);
  return faults.length > 0 ? exitUsage : exitDone;
}

async function importFile(
  archive: OpenArchive,
  { path, isFound, changedAt }: InputFile,
  flags: ImportFlags,
): Promise<Imported> {
  const text = await readInput(path);
  const { body, format, session, times, problems } = await readSession(text, flags.format, {
    whole: true,
    isFound,
  });
  const file = path === "-" ? path : resolve(path);
  const conversation = flags.conversation ?? session?.id ?? file;
  const imported = await importConversation(archive, {
    conversationId: conversation,
    body,
    at: changedAt ?? Date.now(),
    ...(times && { times }),
    title: session?.title,
    format,
    as: "whole",
  });
  const { messages, added } = imported;
  const title = session?.title === undefined ? {} : { title: session.title };
  await writeStdout(`${JSON.stringify({ id: conversation, messages, new: added, ...title, file })}\n`);
  if (problems.length > 0) writeStderr(`${path}:\n`);
  tellProblems(problems);
  return imported;
}

/** An archive that fails ends the import: the lines after it would fail as well. */
async function importLines(
  archive: OpenArchive,
  files: readonly InputFile[],
  { format }: ImportFlags,
): Promise<number> {
  let answered = 0;
  let failed = 0;
  for (const { path } of files) {
    const lines = await answerLines({
      file: path,
      called: "conversations",
      answer: async (text, number) => {
        const { header, messages: body } = splitLine(text);
        const id = idSchema.safeParse(header);
        if (!id.success)
          throw new InputError(
            `Line ${number} is not a conversation: ${schemaFault(id.error, header, ["id", "messages"])}.`,
          );
        const { messages, added } = await importConversation(archive, {
          conversationId: String(id.data.id),
          body,
          at: Date.now(),
          format,
          as: "whole",
        });
        return JSON.stringify({ id: id.data.id, messages, new: added });
      },
    });
    answered += lines.answered;
    failed += lines.failed;
  }
  writeStderr(`${answered - failed} conversations imported into ${archive.name}, ${failed} rejected\n`);
  return answered > 0 && failed === answered ? exitUsage : exitDone;
}
