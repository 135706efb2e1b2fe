/** `pith recall`: what the archive knows, by question or by id. */
import type { Archive } from "../archive/archive.ts";
import { tenantsArchive } from "../archive/part-of-archive.ts";
import { ArchiveError } from "../errors/archive-error.ts";
import { OptionsError } from "../errors/options-error.ts";
import { openOriginal } from "../recall/raw-original.ts";
import { exitDone } from "./exit-codes.ts";
import { withGivenArchive } from "./open-archive.ts";
import { offsetNumber, tokenCount } from "./quantities.ts";
import { archiveName } from "./settings.ts";
import { writeStdout } from "./stdout.ts";

export interface RecallFlags {
  readonly archive: string;
  readonly expand?: string;
  readonly maxTokens?: string;
  readonly offset?: string;
  readonly conversation?: string;
  readonly tenant?: string;
  readonly otherBranches?: boolean;
  readonly limit?: string;
  readonly json?: boolean;
  /** A file, or true for stdin. */
  readonly jsonl?: string | true;
}

export async function recallCommand(query: string | undefined, flags: RecallFlags): Promise<number> {
  const ways = [query, flags.expand, flags.jsonl].filter((way) => way !== undefined).length;
  if (ways !== 1) {
    throw new OptionsError(
      "QUERY",
      'Give one of these: a question (pith recall "which port"), --expand ID, or --jsonl FILE.',
    );
  }
  return withGivenArchive(archiveName(flags.archive), async (whole) => {
    const archive = flags.tenant === undefined ? whole : tenantsArchive(whole, flags.tenant);
    if (flags.expand !== undefined) return expandCommand(archive, flags.expand, flags);
    const { search, answerQuestions } = await import("./recall-search.ts");
    if (query === undefined)
      return answerQuestions(archive, flags.jsonl === true ? "-" : String(flags.jsonl), flags);
    return search(archive, query, flags);
  });
}

/** The original on stdout, nothing added: a person may pipe it on. Within a number of tokens, as the tool answers. */
async function expandCommand(
  archive: Archive,
  id: string,
  { maxTokens, offset = "0", conversation, otherBranches }: RecallFlags,
): Promise<number> {
  if (maxTokens !== undefined) {
    const { recallExpand } = await import("../recall/expand.ts");
    const { found, text } = await recallExpand(archive, {
      id,
      ...(conversation !== undefined && { conversationId: conversation }),
      ...(otherBranches && { otherBranches }),
      maxTokens: tokenCount(maxTokens),
      offset: offsetNumber(offset),
    });
    if (!found) throw new ArchiveError(archive.name, `${archive.name}: ${text}`);
    await writeStdout(`${text}\n`);
    return exitDone;
  }
  const original = await openOriginal(archive, id);
  if ("problem" in original) throw new ArchiveError(archive.name, `${archive.name}: ${original.problem}`);
  if (original.forgotten !== undefined) {
    const when = new Date(original.forgotten).toISOString();
    throw new ArchiveError(archive.name, `The original of ${id} was erased from ${archive.name} on ${when}.`);
  }
  await writeStdout(original.text);
  return exitDone;
}
