/** How the parts of the Archive conformance suite register their tests. */
import type { Archive } from "../archive/archive.ts";
import { ArchiveError } from "../errors/archive-error.ts";
import type { TestRunner } from "./test-format.ts";

/** An optional power that an archive may lack. */
export type ArchivePower = Exclude<keyof Archive, "name" | "put" | "get">;

/** A test on a new archive, which has at least the powers that were named. */
export type ArchiveCheck = (archive: Required<Archive>) => Promise<void>;

/** Registers a test of some powers on an archive of its own. */
export type CheckArchive = (behaviour: string, needs: readonly ArchivePower[], run: ArchiveCheck) => void;

/** Expects the archive's own error. */
export async function refused(expect: TestRunner["expect"], work: () => Promise<unknown>): Promise<void> {
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error instanceof ArchiveError).toBe(true);
  expect((error as ArchiveError).code).toBe("ARCHIVE_FAILED");
  expect((error as ArchiveError).message.length > 20).toBe(true);
}
