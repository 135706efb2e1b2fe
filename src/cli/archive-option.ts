/** --archive: the flag of every command that opens an archive. */
import { Option } from "commander";
import { defaultArchive } from "./open-archive.ts";

export function archiveOption(): Option {
  return new Option("--archive <file|postgres://…|none>", "where the originals are kept")
    .default(defaultArchive)
    .env("PITH_ARCHIVE");
}
