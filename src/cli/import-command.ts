/** `pith archive import`: whole conversations into an archive, nothing compacted. */
import { importConversation } from "../archive/import-conversation.ts";
import { InputError } from "../errors/input-error.ts";
import { schemaFault } from "../policy/schema-fault.ts";
import { answerLines } from "./answer-lines.ts";
import { exitDone, exitUsage } from "./exit-codes.ts";
import { withInputName } from "./input-name.ts";
import { idSchema } from "./job.ts";
import { splitLine } from "./jsonl-command.ts";
import { withGivenArchive } from "./open-archive.ts";
import { readInput } from "./read-input.ts";
import { archiveName } from "./settings.ts";
import { writeStderr } from "./stderr.ts";
import { writeStdout } from "./stdout.ts";

export interface ImportFlags {
  readonly archive: string;
  readonly jsonl?: boolean;
  readonly conversation?: string;
  readonly format: string;
}

export function importCommand(file: string, flags: ImportFlags): Promise<number> {
  const work = flags.jsonl ? importLines : importOne;
  return withGivenArchive(archiveName(flags.archive), (archive) => work(archive, file, flags), {
    readOnly: false,
  });
}

type OpenArchive = Parameters<typeof importConversation>[0];

async function importOne(archive: OpenArchive, file: string, flags: ImportFlags): Promise<number> {
  const body = await readInput(file);
  const conversation = flags.conversation ?? file;
  try {
    const messages = await importConversation(archive, {
      conversationId: conversation,
      body,
      at: Date.now(),
      format: flags.format,
      as: "whole",
    });
    await writeStdout(`${JSON.stringify({ id: conversation, messages })}\n`);
  } catch (error) {
    throw error instanceof InputError ? withInputName(error, file) : error;
  }
  return exitDone;
}

/** An archive that fails ends the import: the lines after it would fail as well. */
async function importLines(archive: OpenArchive, file: string, { format }: ImportFlags): Promise<number> {
  const { answered, failed } = await answerLines({
    file,
    called: "conversations",
    answer: async (text, number) => {
      const { header, messages: body } = splitLine(text);
      const id = idSchema.safeParse(header);
      if (!id.success)
        throw new InputError(
          `Line ${number} is not a conversation: ${schemaFault(id.error, header, ["id", "messages"])}.`,
        );
      const conversation = String(id.data.id);
      const messages = await importConversation(archive, {
        conversationId: conversation,
        body,
        at: Date.now(),
        format,
        as: "whole",
      });
      return JSON.stringify({ id: id.data.id, messages });
    },
  });
  writeStderr(`${answered - failed} conversations imported into ${archive.name}, ${failed} rejected\n`);
  return answered > 0 && failed === answered ? exitUsage : exitDone;
}
