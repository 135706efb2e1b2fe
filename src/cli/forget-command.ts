/** `pith archive forget`: erases a conversation, all that is of a tenant, or single originals, from an archive for good. */
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
  readonly tenant?: string;
}

export async function forgetCommand(
  ids: readonly string[],
  { archive, conversation, tenant }: ForgetFlags,
): Promise<number> {
  const asked: readonly Forget[] = [
    ...(ids.length > 0 ? [{ ids }] : []),
    ...(conversation === undefined ? [] : [{ conversation }]),
    ...(tenant === undefined ? [] : [{ tenant }]),
  ];
  const [what] = asked;
  if (!what || asked.length > 1)
    throw new OptionsError(
      "--conversation",
      "Say what to forget: ids, one conversation with --conversation, or all of a tenant with --tenant.",
    );
  const where = archiveName(archive);
  // Looks first: an archive that is not there is not made.
  await withGivenArchive(where, ({ get }) => get(""));
  return withGivenArchive(where, (open) => forget(open, what), { readOnly: false });
}

async function forget(archive: Archive, what: Forget): Promise<number> {
  const removed = await archive.forget!(what);
  if (removed.conversations + removed.items === 0) {
    const named = Object.values(what).flat().join(", ");
    throw new ArchiveError(archive.name, `${archive.name} has nothing under ${named}.`);
  }
  await writeStdout(`${JSON.stringify(removed)}\n`);
  return exitDone;
}
