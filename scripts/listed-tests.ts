/** The tests that vitest itself lists, with the numbers that their names claim. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";

export const projectRoot = join(import.meta.dirname, "..");

export interface ListedTest {
  /** Without the numbers. */
  readonly name: string;
  /** From the project's root. */
  readonly file: string;
  /** The source file it stands beside, if it stands beside one. */
  readonly source?: string;
  readonly numbers: readonly string[];
}

const claim = /(?:^| > )\[((?:[A-Z]\d+)(?:[ ,]+[A-Z]\d+)*)\]\s*/;

export async function listTests(): Promise<readonly ListedTest[]> {
  const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [vitest, "list", "--json"], {
    cwd: projectRoot,
    maxBuffer: 1 << 28,
  });
  const listed = JSON.parse(stdout.slice(stdout.indexOf("["))) as { name: string; file: string }[];
  // vitest lists the files as its workers finish with them; within a file its order is that of the tests.
  return listed
    .map(({ name, file }) => describeTest(name, relative(projectRoot, file)))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}

/** `describeTest("[F5 F7] scores", "src/a.test.ts")` → name "scores", numbers F5 and F7, source src/a.ts. */
export function describeTest(listedName: string, file: string): ListedTest {
  const numbers = claim.exec(listedName)?.[1]?.split(/[ ,]+/) ?? [];
  const source = file.replace(/\.test\.ts$/, ".ts");
  return {
    name: listedName
      .replace(claim, (found) => (found.startsWith(" > ") ? ": " : ""))
      .replace(/%[a-z]/g, "…")
      .trim(),
    file,
    numbers,
    ...(source !== file && existsSync(join(projectRoot, source)) && { source }),
  };
}
