/** `pith archive retain`: erases old conversations from an archive for good, and says which. */
import type { Archive, RetentionLimits } from "../archive/archive.ts";
import { OptionsError } from "../errors/options-error.ts";
import { counted } from "../tokens/number-words.ts";
import { exitDone } from "./exit-codes.ts";
import { withGivenArchive } from "./open-archive.ts";
import { archiveBytes, pastTime, printedBytes } from "./quantities.ts";
import { archiveName } from "./settings.ts";
import { writeStderr } from "./stderr.ts";
import { writeStdout } from "./stdout.ts";

export interface RetainFlags {
  readonly archive: string;
  readonly before?: string;
  readonly maxSize?: string;
  readonly dryRun?: boolean;
}

export async function retainCommand({ archive, before, maxSize, dryRun }: RetainFlags): Promise<number> {
  const limits = {
    ...(before !== undefined && { before: pastTime(before, Date.now()) }),
    ...(maxSize !== undefined && { maxBytes: archiveBytes(maxSize) }),
  };
  if (Object.keys(limits).length === 0)
    throw new OptionsError("--before", "Say what to erase: --before 90d, --max-size 5GB, or both.");
  const where = archiveName(archive);
  // Looks first: an archive that is not there is not made.
  const expected = await withGivenArchive(where, (open) => wouldGo(open, limits));
  if (dryRun) return tellDryRun(expected, limits);
  return withGivenArchive(where, (open) => retain(open, limits), { readOnly: false });
}

async function retain(archive: Archive, limits: RetentionLimits): Promise<number> {
  const before = await archive.conversations!();
  const removed = await archive.retain!(limits);
  const left = new Set((await archive.conversations!()).map(({ id }) => id));
  const gone = before.filter(({ id }) => !left.has(id));
  const { contentBytes } = await archive.stat!();
  tellNames(gone.map(({ id }) => id));
  writeStderr(
    `${counted(removed.conversations, "conversation")} with ${counted(removed.items, "item")} erased from ${archive.name}; ` +
      `${left.size} with ${printedBytes(contentBytes)} of content are left\n`,
  );
  await writeStdout(`${JSON.stringify(removed)}\n`);
  return exitDone;
}

async function tellDryRun(names: readonly string[], { maxBytes }: RetentionLimits): Promise<number> {
  tellNames(names);
  const about = maxBytes === undefined ? "" : "about ";
  writeStderr(`${about}${counted(names.length, "conversation")} would be erased; nothing was changed\n`);
  await writeStdout(`${JSON.stringify({ conversations: names.length })}\n`);
  return exitDone;
}

/** By age exactly; by size nearly, since what several conversations share is freed with the last of them only. */
async function wouldGo(archive: Archive, { before = -Infinity, maxBytes }: RetentionLimits) {
  const oldestFirst = [...(await archive.conversations!())].sort((one, other) => one.lastAt - other.lastAt);
  const { contentBytes, bytesOf } = maxBytes === undefined ? NO_SIZES : await archive.stat!();
  const names: string[] = [];
  let bytes = contentBytes;
  for (const { id, lastAt } of oldestFirst) {
    if (lastAt >= before && bytes <= (maxBytes ?? Infinity)) break;
    names.push(id);
    bytes -= bytesOf.get(id) ?? 0;
  }
  return names;
}

const NO_SIZES = { contentBytes: 0, bytesOf: new Map<string, number>() };

function tellNames(names: readonly string[]): void {
  for (const name of names) writeStderr(`  ${JSON.stringify(name)}\n`);
}
