/** `pith undo`: what a compaction was made of, from what it made. */
import type { Archive } from "../archive/archive.ts";
import { MARKER } from "../archive/item-id.ts";
import { idsOfItem } from "../archive/named-ids.ts";
import { InputError } from "../errors/input-error.ts";
import { UndoError } from "../errors/undo-error.ts";
import { undoNewest } from "../run/undo.ts";
import { counted } from "../tokens/number-words.ts";
import { bodyMember, transcriptMember } from "./compact-command.ts";
import { exitDone } from "./exit-codes.ts";
import { sayingInputName } from "./input-name.ts";
import { withGivenArchive } from "./open-archive.ts";
import { readInput } from "./read-input.ts";
import { readSession } from "./session-input.ts";
import { archiveName } from "./settings.ts";
import { writeStderr } from "./stderr.ts";
import { writeStdout } from "./stdout.ts";
import { fileBefore } from "./way-back.ts";
import { checkOutputs, stageFile } from "./write-output.ts";

export interface UndoFlags {
  readonly archive: string;
  readonly format: string;
  readonly output?: string;
  readonly json?: boolean;
}

export async function undoCommand(file: string, { archive: where, ...flags }: UndoFlags): Promise<number> {
  const output = flags.output === "-" ? undefined : flags.output;
  await checkOutputs(file, { "-o": output });
  const text = await readInput(file);
  const { before, isBody, compaction, masked } = await withGivenArchive(archiveName(where), (archive) =>
    sayingInputName(file, () => undone(archive, { file, text, format: flags.format })),
  );
  if (output !== undefined) {
    const staged = await stageFile("-o", output);
    await staged.write(before);
    await staged.commit();
  }
  if (flags.json) {
    const member = isBody ? bodyMember(before) : transcriptMember(before);
    const shown = output === undefined ? `${member},` : "";
    await writeStdout(`{${shown}"compaction":${JSON.stringify(compaction)},"maskedSecrets":${masked}}\n`);
  } else if (output === undefined) await writeStdout(before);
  const secrets = masked > 0 ? `; ${counted(masked, "secret")} masked in what comes back` : "";
  writeStderr(`Compaction ${compaction} is undone${secrets}.\n`);
  return exitDone;
}

interface Given {
  readonly file: string;
  readonly text: string;
  readonly format: string;
}

interface Undone {
  readonly before: string;
  /** A list of messages or a request body, not the file of a program. */
  readonly isBody: boolean;
  readonly compaction: string;
  /** How many secrets are masked in what comes back. */
  readonly masked: number;
}

async function undone(archive: Archive, { file, text, format }: Given): Promise<Undone> {
  const known = await fileBefore(archive, text);
  if (known) return { ...known, before: known.text, isBody: false };
  const { transcript } = await readSession(text, format);
  const body = transcript === undefined ? undoNewest(archive, text, format) : undoSession(archive, text);
  const found = await body;
  const compaction = found?.compactions[0];
  if (!found || compaction === undefined) throw new UndoError(await whyNot(archive, file, text));
  const masked = await maskedIn(archive, compaction);
  return { before: String(found.body ?? found.messages), isBody: true, compaction, masked };
}

/** The file of a program may be a request as well. */
async function undoSession(archive: Archive, text: string) {
  try {
    return await undoNewest(archive, text, "auto");
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

async function maskedIn(archive: Archive, compaction: string): Promise<number> {
  const record = await archive.compaction!(compaction);
  const request = record && (await archive.get(record.before));
  const pieces = request ? await archive.getMany!(idsOfItem(request)) : [];
  return pieces.reduce((sum, piece) => sum + (piece?.masked.length ?? 0), 0);
}

/** What to do depends on what the archive has of it. */
async function whyNot({ name, getMany }: Archive, file: string, text: string): Promise<string> {
  const ids = [...new Set(text.match(MARKER))];
  const input = file === "-" ? "The input" : file;
  if (ids.length === 0)
    return `${input} names no original: Pith did not write it, or had no archive (--archive none). There is no way back but a copy of your own.`;
  const items = await getMany!(ids);
  const held = ids.find((_, index) => items[index] && items[index].forgotten === undefined);
  if (held === undefined)
    return `${input} names originals, and the archive ${name} has none of them. Give the archive that it was compacted with (--archive FILE).`;
  return (
    `The archive ${name} has originals that ${input} names, but not what it was made of: it was changed since Pith wrote it, or another program wrote it. ` +
    `Undo it as Pith wrote it, or open what was left out: pith recall --expand ${held}`
  );
}
