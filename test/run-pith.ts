/** Runs the `pith` program from its sources in a process of its own. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string | Buffer;
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export const program = join(import.meta.dirname, "../src/cli/main.ts");

/** Nothing is archived unless the parameters or the environment say so. */
export function runPith(parameters: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { input = "", folder, environment = {} } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...parameters], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: "", FORCE_COLOR: "", PITH_ARCHIVE: "none", ...environment },
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk) => stdout.push(chunk));
    child.stderr.on("data", (chunk) => stderr.push(chunk));
    child.on("error", reject);
    child.on("close", (exitCode) =>
      resolve({
        exitCode,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
    // A program that answers before it has read everything closes its end; that is its right.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** A folder that is gone when `work` is done. */
export async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pith-test-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
