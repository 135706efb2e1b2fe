/** Conformance suite for the Archive contract: what every archive must do, wherever it keeps its rows. */
import type { Archive } from "../archive/archive.ts";
import { writeTo } from "../archive/ready-write.ts";
import { type ArchivePower, type CheckArchive, refused } from "./archive-check.ts";
import { textWrite } from "./archive-writes.ts";
import { testArchiveAbout } from "./test-archive-about.ts";
import { testArchiveConversations } from "./test-archive-conversations.ts";
import { testArchiveForget } from "./test-archive-forget.ts";
import { testArchiveMarkers } from "./test-archive-markers.ts";
import { testArchivePieces } from "./test-archive-pieces.ts";
import { testArchiveRetain } from "./test-archive-retain.ts";
import { testArchiveSearch } from "./test-archive-search.ts";
import { testArchiveStat } from "./test-archive-stat.ts";
import { testArchiveTenants } from "./test-archive-tenants.ts";
import { testArchiveVerify } from "./test-archive-verify.ts";
import type { TestRunner } from "./test-format.ts";

/** How a suite makes a new, empty archive, and the powers that it lacks, each with the reason. */
export interface ArchiveUnderTest {
  readonly create: () => Archive | Promise<Archive>;
  readonly gaps?: Partial<Record<ArchivePower, string>>;
}

/** Registers the tests: `testArchive("memory", { create: () => memoryArchive() }, { test, expect })`. */
export function testArchive(name: string, { create, gaps = {} }: ArchiveUnderTest, runner: TestRunner): void {
  const { expect } = runner;
  /** A declared gap says why a test does not run. */
  const check: CheckArchive = (behaviour, needs, run) => {
    if (needs.some((power) => gaps[power])) return;
    runner.test(`${name} archive: ${behaviour}`, async () => {
      const archive = (await create()) as Required<Archive>;
      try {
        await run(archive);
      } finally {
        await archive.close?.();
      }
    });
  };

  check("says where it is", [], async (archive) => {
    expect(typeof archive.name).toBe("string");
    expect(archive.name.length > 0).toBe(true);
  });

  check("refuses work after it was closed", ["close"], async (archive) => {
    await archive.close();
    await archive.close();
    await refused(expect, () => archive.get("pith:000000000000"));
    await refused(expect, () => writeTo(archive, textWrite("a", ["late"])));
  });

  testArchivePieces(check, expect);
  testArchiveConversations(check, expect);
  testArchiveForget(check, expect);
  testArchiveAbout(check, expect);
  testArchiveRetain(check, expect);
  testArchiveStat(check, expect);
  testArchiveVerify(check, expect);
  testArchiveMarkers(check, expect);
  testArchiveSearch(check, expect);
  testArchiveTenants(check, expect);
}
