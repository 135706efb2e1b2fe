/** `pith archive forget`: erases a conversation, or single originals, from an archive for good. */
import type { Archive, Forget } from "../archive/archive.ts";
import { ArchiveError } from "../errors/archive-error.ts";
import { OptionsError } from "../errors/options-error.ts";
import { exitDone } from "./exit-codes.ts";
import { withGivenArchive } from "./open-archive.ts";
import { archiveName } from "./settings.ts";
import { writeStdout } from "./stdout.ts";

export interface ForgetFlags {
  readonly archive: string;
  readonly conversation?: string;
}

export async function forgetCommand(
  ids: readonly string[],
  { archive, conversation }: ForgetFlags,
): Promise<number> {
  if ((conversation === undefined) === (ids.length === 0))
    throw new OptionsError(
      "--conversation",
      "Say what to forget: ids, or one conversation with --conversation.",
    );
  const where = archiveName(archive);
  // Looks first: an archive that is not there is not made.
  await withGivenArchive(where, ({ get }) => get(""));
  const what = conversation === undefined ? { ids } : { conversation };
  return withGivenArchive(where, (open) => forget(open, what), { readOnly: false });
}

async function forget(archive: Archive, what: Forget): Promise<number> {
  const removed = await archive.forget!(what);
  if (removed.conversations + removed.items === 0) {
    const named = "ids" in what ? what.ids.join(", ") : what.conversation;
    throw new ArchiveError(archive.name, `${archive.name} has nothing under ${named}.`);
  }
  await writeStdout(`${JSON.stringify(removed)}\n`);
  return exitDone;
}
